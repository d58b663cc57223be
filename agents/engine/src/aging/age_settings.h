/* The settings of `fsload age`. */
#ifndef FSLOAD_AGING_AGE_SETTINGS_H
#define FSLOAD_AGING_AGE_SETTINGS_H

#include "aging/profile.h"
#include "options.h"

struct age_settings {
    const char *profile_name;
    const char *sizes; /* files that replace the profile's; NULL: none */
    const char *ages;
    const char *directories;
    double fullness;
    double overwrites;
    uint64_t capacity; /* 0: the file system's */
    bool fallocate;
    bool keep;
    bool report_distributions;
    struct profile profile; /* as read */
};

/* Set once, before anything runs. */
extern struct age_settings age_settings;
extern const struct option_table age_options;

/* Reads the profile; prints all faults on stderr. */
bool age_check(void);

#endif
