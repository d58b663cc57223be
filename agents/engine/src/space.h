/*
 * Keeps a workload from filling the disk: threads ask before they add to it, and when there is nothing left to add, all of
 * them end. Each has a small allowance, so that they seldom have to ask.
 */
#ifndef FSLOAD_SPACE_H
#define FSLOAD_SPACE_H

#include "workspace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct space {
    const struct workspace *workspace;
    uint64_t reserve; /* of free bytes that must stay, with all that threads may still have in hand */
    uint64_t chunk;
    atomic_uint_fast64_t left; /* of --max-bytes */
    atomic_bool over;
};

/* max_bytes 0: only the free space limits. */
void space_open(struct space *space, const struct workspace *workspace, uint64_t max_bytes, unsigned threads);

/* Take so many bytes. False: there are not so many, and everything is to end. */
bool space_take(struct space *space, uint64_t *allowance, uint64_t bytes);

/* A file of so many bytes is gone. */
void space_give(struct space *space, uint64_t *allowance, uint64_t bytes);

static inline bool space_over(const struct space *space)
{
    return atomic_load_explicit(&space->over, memory_order_relaxed);
}

#endif
