/* The difference between a population and its profile. */
#ifndef FSLOAD_AGING_CONVERGENCE_H
#define FSLOAD_AGING_CONVERGENCE_H

#include "aging/population.h"

struct convergence {
    double max_deviation; /* the largest difference between an ideal share of the files and the actual one */
    double chi_square;    /* Pearson's: the sum over classes of (actual - ideal)² ÷ ideal, in files */
    unsigned degrees;     /* of freedom: classes with an ideal share, less one */
    double out_of_reach;  /* ages: share of the files that could not have the required age, because too few were made
                             in the time for it; more overwrites would help */
};

struct convergence convergence_of(const struct population *population, enum distribution_kind kind);

/* Live files in one class. */
uint64_t convergence_files(const struct population *population, enum distribution_kind kind, size_t index);

/* The distribution that a class belongs to. */
const struct distribution *convergence_distribution(const struct population *population, enum distribution_kind kind);

#endif
