/* Faults of a profile, and those that show only when all of it is known. */
#ifndef FSLOAD_FFSB_CHECK_H
#define FSLOAD_FFSB_CHECK_H

#include "ffsb/profile.h"

struct ffsb_source {
    const char *path;
    unsigned faults;
};

/* Say on stderr what is wrong in a line, and count it. Line 0: in the whole file. */
void ffsb_fault(struct ffsb_source *source, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Resolve `clone` and `bindfs`, set what is not given to FFSB's own values, and complain about all that cannot be. */
void ffsb_profile_check(struct ffsb_source *source, struct ffsb_profile *profile);

/* Its parts: a group of threads that is measured, with bindfs resolved, and one that ages a file system. */
void ffsb_check_group(struct ffsb_source *source, const struct ffsb_profile *profile, const struct ffsb_group *group);
void ffsb_check_aging(struct ffsb_source *source, const struct ffsb_profile *profile,
                      struct ffsb_filesystem *filesystem);

#endif
