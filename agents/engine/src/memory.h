/* How much memory there is for us and for the page cache, and how to empty that. */
#ifndef FSLOAD_MEMORY_H
#define FSLOAD_MEMORY_H

#include "failure.h"

#include <stdbool.h>
#include <stdint.h>

/* Bytes: the smallest limit of the control groups that we are in, or the machine's memory if that is less. */
uint64_t memory_bytes(void);

/* Whether we may empty the page cache. */
bool memory_may_drop_caches(void);

/* Write everything back, then empty the page cache of the whole machine. False, with the failure. */
bool memory_drop_caches(struct failure *failure);

#endif
