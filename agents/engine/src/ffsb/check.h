/* The faults of a profile that can be found only in the complete profile. */
#ifndef FSLOAD_FFSB_CHECK_H
#define FSLOAD_FFSB_CHECK_H

#include "ffsb/profile.h"
#include "text.h"

/* Resolve `clone` and `bindfs`, set missing values to FFSB's defaults, and report everything that is impossible. */
void ffsb_profile_check(struct faults *faults, struct ffsb_profile *profile);

/* Check a group of threads that is measured, with bindfs resolved, or one that ages a file system. */
void ffsb_check_group(struct faults *faults, const struct ffsb_profile *profile, const struct ffsb_group *group);
void ffsb_check_aging(struct faults *faults, const struct ffsb_profile *profile,
                      struct ffsb_filesystem *filesystem);

#endif
