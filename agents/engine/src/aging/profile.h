/* The sizes, ages and depths that the files of an aged file system are to have. */
#ifndef FSLOAD_AGING_PROFILE_H
#define FSLOAD_AGING_PROFILE_H

#include "aging/distribution.h"

#include <stdbool.h>

struct profile {
    struct distribution sizes;
    struct distribution ages;
    struct distribution depths;
};

/*
 * Read a profile: one that is part of the program, or else a directory with size.txt, age.txt and directory.txt. Each
 * file that is not NULL replaces the profile's own. False after printing all faults on stderr.
 */
bool profile_read(struct profile *profile, const char *name, const char *sizes, const char *ages, const char *depths);

#endif
