/* Measures the extents of a file system's free space. */
#ifndef FSLOAD_AGING_FREE_SPACE_MAP_H
#define FSLOAD_AGING_FREE_SPACE_MAP_H

#include "aging/free_space.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Measure the file system that holds an open directory, by GETFSMAP (ext2, ext3 and ext4 with the ext4 driver, xfs). If
 * the file system does not support GETFSMAP (btrfs) and may_probe is set, measure it with a probe file in the
 * directory, which leaves `leave` bytes free. False if a signal stopped the measurement.
 */
bool free_space_measure(struct free_space *space, int directory, bool may_probe, uint64_t leave);

#endif
