/* Measures free space by allocating it, for file systems without GETFSMAP. */
#ifndef FSLOAD_AGING_FREE_SPACE_PROBE_H
#define FSLOAD_AGING_FREE_SPACE_PROBE_H

#include "aging/free_space.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Allocate all free space except `leave` bytes to a file in an open directory, read where its extents lie, and remove
 * the file. Sets `reason` if that is impossible. False if a signal stopped the probe.
 */
bool free_space_probe(struct free_space *space, int directory, uint64_t leave);

#endif
