/* The extents of one file, by FIEMAP. */
#ifndef FSLOAD_AGING_EXTENTS_H
#define FSLOAD_AGING_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

struct extent {
    uint64_t start; /* bytes, on the device (btrfs: in its own address space) */
    uint64_t length;
    uint32_t flags; /* FIEMAP_EXTENT_* */
};

/*
 * Call `take` for each extent of an open file, in the order of the file, until it returns false. Writes dirty data back
 * first. False, with errno, if FIEMAP fails: ENOTTY or EOPNOTSUPP if the file system does not have it.
 */
bool extents_each(int file, bool (*take)(void *context, const struct extent *extent), void *context);

/* Whether FIEMAP failed with errno because the file system does not have it. */
bool extents_unsupported(void);

#endif
