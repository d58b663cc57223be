/*
 * The files of an aging file system, without the file system: decides which file to make and which one to remove next.
 * Decisions depend only on the seed, the profile and the sizes given here, not on the disk.
 *
 * Time is counted in files made, from 0 to `horizon`: a file's age is the number of files made since. (Not in bytes
 * written: one large file would be half of the youngest age.) The oldest age of the profile is the whole horizon; the
 * other ages are in proportion.
 */
#ifndef FSLOAD_AGING_POPULATION_H
#define FSLOAD_AGING_POPULATION_H

#include "aging/profile.h"
#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 16 bytes each: at most 1 GiB of memory. */
#define MAX_LIVE_FILES (UINT64_C(1) << 26)

struct aged_file {
    uint64_t number;    /* counts the files made */
    uint32_t directory; /* an index of the tree */
    uint16_t size;      /* an index of the profile's sizes */
    uint16_t depth;     /* an index of the profile's depths */
};

/* The live files that will be in one age class at the end. */
struct cohort {
    struct aged_file *files;
    size_t count;
    size_t room;
    uint64_t created; /* so far, including removed ones */
};

struct population {
    const struct profile *profile;
    struct random random;
    uint64_t block;   /* bytes that the file system allocates at a time */
    uint64_t budget;  /* bytes that may be allocated to live files */
    uint64_t horizon; /* total number of files to make */
    size_t sizes;     /* how many of the profile's sizes are used; the larger ones do not fit */
    uint64_t expected_files; /* live, at the budget */
    uint64_t made;           /* files so far: the time */
    uint64_t written;        /* bytes allocated to files so far, including freed ones */
    uint64_t live;           /* files */
    uint64_t allocated;      /* to live files */
    uint64_t with_size[MAX_OBSERVATIONS];  /* live files of each size … */
    uint64_t with_depth[MAX_OBSERVATIONS]; /* … and depth */
    struct cohort cohorts[MAX_OBSERVATIONS]; /* one per age */
};

/*
 * Plan for an empty file system: `budget` bytes of live files, and about `total` bytes allocated to files in all, which
 * with the mean size gives the number of files. False if the budget has no room for files of the profile; then there is
 * nothing to free.
 */
bool population_init(struct population *population, const struct profile *profile, uint64_t block, uint64_t budget,
                     double total, uint64_t seed);

/* Whether all files have been made. */
static inline bool population_done(const struct population *population)
{
    return population->made >= population->horizon;
}
void population_free(struct population *population);

/* The size and depth of the file to make next; its directory is the caller's choice. */
struct aged_file population_next(struct population *population);

/* Whether there is room for the file without removing another one. */
bool population_fits(const struct population *population, const struct aged_file *file);

/* Enter a file that was made. False, with errno: more than MAX_LIVE_FILES, or not enough memory. */
bool population_add(struct population *population, const struct aged_file *file);

/* Take the file to remove next out of the population. There must be one. */
struct aged_file population_take(struct population *population);

#endif
