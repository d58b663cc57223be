/* The extents of a file system's free space. */
#ifndef FSLOAD_AGING_FREE_SPACE_H
#define FSLOAD_AGING_FREE_SPACE_H

#include <stdint.h>

#define FREE_SPACE_CLASSES 64U

struct free_space {
    const char *method;    /* "GETFSMAP" or "fallocate"; NULL if neither works … */
    const char *reason;    /* … and the reason */
    uint64_t bytes;        /* free bytes that the method can see */
    uint64_t fragments;    /* number of free extents; adjacent ones count as one */
    uint64_t largest;      /* bytes */
    uint64_t extents_of[FREE_SPACE_CLASSES]; /* with 2^i ≤ length < 2^(i+1) bytes */
    uint64_t bytes_of[FREE_SPACE_CLASSES];
};

/* Enter a free extent of `length` bytes. */
void free_space_add(struct free_space *space, uint64_t length);

#endif
