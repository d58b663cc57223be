/* One flowop that is being carried out. */
#ifndef FSLOAD_FILEBENCH_OPERATE_H
#define FSLOAD_FILEBENCH_OPERATE_H

#include "filebench/task.h"

struct wml_operation {
    struct worker *worker;
    struct wml_state *state;
    const struct wml_flowop *flowop;
};

/* The entry that a slot has open. */
const struct wml_entry *wml_slot_entry(const struct wml_operation *operation, const struct wml_slot *slot);

void wml_enter(const struct wml_operation *operation, uint64_t where);
enum wml_outcome wml_count(const struct wml_operation *operation, uint64_t bytes);

/* Open the next file of the flowop's fileset, or create the next missing one. Does not count. */
enum wml_outcome wml_open(const struct wml_operation *operation, struct wml_slot *slot, bool creates);

/* The flowops that move data. */
enum wml_outcome wml_read_whole(const struct wml_operation *operation, struct wml_slot *slot);
enum wml_outcome wml_write_whole(const struct wml_operation *operation, struct wml_slot *slot);
enum wml_outcome wml_append(const struct wml_operation *operation, struct wml_slot *slot);
enum wml_outcome wml_read_part(const struct wml_operation *operation, struct wml_slot *slot);
enum wml_outcome wml_write_part(const struct wml_operation *operation, struct wml_slot *slot);

#endif
