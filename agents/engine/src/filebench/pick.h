/* Which files of a fileset are there, and which one is next. */
#ifndef FSLOAD_FILEBENCH_PICK_H
#define FSLOAD_FILEBENCH_PICK_H

#include <stdbool.h>
#include <stdint.h>

/* Every step-th entry of a fileset, from the first on: all of them, or those that are one thread's own. */
struct wml_share {
    uint64_t first;
    uint64_t step;
    uint64_t count;    /* of entries in it */
    uint64_t existing; /* of them */
    uint64_t *present; /* a bit an entry */
};

/* A thread's place in a share. Filebench goes through a fileset in turn, and so do we, but each thread by itself. */
struct wml_view {
    struct wml_share *share;
    uint64_t next_existing; /* where to look first */
    uint64_t next_free;
};

/* A share in which `percent` of the entries are there, chosen by the seed. False: not enough memory. */
bool wml_share_make(struct wml_share *share, uint64_t entries, unsigned first, unsigned step, uint64_t percent,
                    bool changes, uint64_t seed);
void wml_share_free(struct wml_share *share);

/* Whether an entry of the fileset that belongs to this share is there. */
bool wml_share_has(const struct wml_share *share, uint64_t entry);
void wml_share_set(struct wml_share *share, uint64_t entry, bool there);

/* The next entry that is there, or is not; -1 where there is none. */
int64_t wml_pick_existing(struct wml_view *view);
int64_t wml_pick_free(struct wml_view *view);

#endif
