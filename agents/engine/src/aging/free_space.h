/* How the free space of a file system is cut into extents. */
#ifndef FSLOAD_AGING_FREE_SPACE_H
#define FSLOAD_AGING_FREE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#define FREE_SPACE_CLASSES 64U

struct free_space {
    const char *method;    /* "GETFSMAP" or "fallocate"; NULL where neither works … */
    const char *reason;    /* … and then why */
    uint64_t bytes;        /* free, as far as the method sees it */
    uint64_t fragments;    /* extents of them; neighbours count as one */
    uint64_t largest;      /* bytes */
    uint64_t extents_of[FREE_SPACE_CLASSES]; /* with 2^i ≤ length < 2^(i+1) bytes */
    uint64_t bytes_of[FREE_SPACE_CLASSES];
};

/*
 * Ask the file system that holds an open directory (GETFSMAP: ext2, ext3 and ext4 by the ext4 driver, xfs). Where it
 * does not say and may_probe is set, take all its free space but `leave` bytes for a file in the directory by
 * fallocate, see where that lies, and remove it: btrfs. False when a signal stopped it.
 */
bool free_space_measure(struct free_space *space, int directory, bool may_probe, uint64_t leave);

/* For the two methods: enter an extent. */
void free_space_add(struct free_space *space, uint64_t length);

/* The second method. */
bool free_space_probe(struct free_space *space, int directory, uint64_t leave);

#endif
