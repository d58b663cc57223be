/* The files of a fileset that exist, and the choice of the next one. */
#ifndef FSLOAD_FILEBENCH_PICK_H
#define FSLOAD_FILEBENCH_PICK_H

#include <stdbool.h>
#include <stdint.h>

/* Every step-th entry of a fileset, from `first` on: all of them, or one thread's own. */
struct wml_share {
    uint64_t first;
    uint64_t step;
    uint64_t count;    /* number of entries */
    uint64_t existing; /* number of existing ones */
    uint64_t *present; /* one bit per entry */
};

/* A thread's position in a share. Entries are used in turn, as in Filebench, but by each thread independently. */
struct wml_view {
    struct wml_share *share;
    uint64_t next_existing; /* where the search begins */
    uint64_t next_free;
};

/* Make a share in which `percent` of the entries exist, chosen by the seed. False: not enough memory. */
bool wml_share_make(struct wml_share *share, uint64_t entries, unsigned first, unsigned step, uint64_t percent,
                    bool changes, uint64_t seed);
void wml_share_free(struct wml_share *share);

/* Whether an entry of this share exists. */
bool wml_share_has(const struct wml_share *share, uint64_t entry);
void wml_share_set(struct wml_share *share, uint64_t entry, bool there);

/* The next entry that exists, or that does not; -1 if there is none. */
int64_t wml_pick_existing(struct wml_view *view);
int64_t wml_pick_free(struct wml_view *view);

#endif
