/*
 * Prevents a workload from filling the disk: threads take space before they write, and all of them end when no space is
 * left. Each thread has a small allowance, so that it rarely has to take more.
 */
#ifndef FSLOAD_SPACE_H
#define FSLOAD_SPACE_H

#include "workspace.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct space {
    const struct workspace *workspace;
    uint64_t reserve; /* free bytes that must stay, with the allowances of all threads */
    uint64_t chunk;
    atomic_uint_fast64_t left; /* of --max-bytes */
    atomic_bool over;
};

/* max_bytes 0: only the free space limits. */
void space_open(struct space *space, const struct workspace *workspace, uint64_t max_bytes, unsigned threads);

/* Take a number of bytes. False: they are not available, and all threads must end. */
bool space_take(struct space *space, uint64_t *allowance, uint64_t bytes);

/* Give back the bytes of a removed file. */
void space_give(struct space *space, uint64_t *allowance, uint64_t bytes);

static inline bool space_over(const struct space *space)
{
    return atomic_load_explicit(&space->over, memory_order_relaxed);
}

#endif
