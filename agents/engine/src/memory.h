/* The memory for fsload and the page cache, and how to empty the page cache. */
#ifndef FSLOAD_MEMORY_H
#define FSLOAD_MEMORY_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes: the smallest limit of fsload's control groups, or the machine's memory if that is less. */
uint64_t memory_bytes(void);

/* Whether fsload may empty the page cache. */
bool memory_may_drop_caches(void);

/* Write everything back, then empty the page cache of the whole machine. False, with the failure. */
bool memory_drop_caches(struct failure *failure);

#endif
