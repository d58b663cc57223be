/* Many files, or many directories, in few directories, as touch, mkdir, find and rm handle them in the T2 article. */
#ifndef FSLOAD_TREE_FLAT_H
#define FSLOAD_TREE_FLAT_H

#include "crew.h"

#include <stdbool.h>
#include <stdint.h>

/* The entries to make: the argument of the stages, whose task is a struct metadata. */
struct flat {
    const char *name;       /* of the directories that they are in: "files.0", … */
    const uint64_t *count;  /* of all entries */
    const uint64_t *split;  /* number of directories, each with its part of the entries */
    const uint64_t *size;   /* bytes in each file; NULL: the entries are directories */
};

/* Make the directories "NAME.0" …, outside the time. */
bool flat_prepare_create(struct worker *worker);
bool flat_create(struct worker *worker);
bool flat_walk(struct worker *worker);
bool flat_remove(struct worker *worker);
/* Remove the directories of the entries, outside the time. */
bool flat_finish_remove(struct worker *worker);

#endif
