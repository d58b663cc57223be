/* A distribution of files by size, age or directory depth, in the text format of Geriatrix's profiles. */
#ifndef FSLOAD_AGING_DISTRIBUTION_H
#define FSLOAD_AGING_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_OBSERVATIONS 256U
#define MAX_DEPTH 64U
#define MAX_DIRECTORIES 1000000U

enum distribution_kind { DISTRIBUTION_SIZE, DISTRIBUTION_AGE, DISTRIBUTION_DEPTH };

/* "size", "age", "depth". */
extern const char *const distribution_names[];

struct observation {
    uint64_t value;       /* bytes; oldest age, in any unit; directories above the file */
    uint64_t weight;      /* its share of the files is weight ÷ the sum of the weights */
    uint64_t directories; /* at this depth; 0 means 1. Depth only */
};

struct distribution {
    enum distribution_kind kind;
    struct observation at[MAX_OBSERVATIONS];
    size_t count;
    uint64_t weight; /* of all */
};

/* The share of the files for one observation: 0 … 1. */
static inline double distribution_share(const struct distribution *distribution, size_t index)
{
    return (double)distribution->at[index].weight / (double)distribution->weight;
}

/*
 * Read a text: the number of observations, then that many lines `<value> <weight>`, for depths
 * `<depth> <weight> <directories>`; after them anything but further numbers. False after printing all faults on
 * stderr, each with `name` and line.
 */
bool distribution_parse(struct distribution *distribution, enum distribution_kind kind, const char *name,
                        const char *text);

/* The same from a file of at most 64 KiB. */
bool distribution_read(struct distribution *distribution, enum distribution_kind kind, const char *path);

#endif
