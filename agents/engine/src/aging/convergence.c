#include "aging/convergence.h"

#include <math.h>

const struct distribution *convergence_distribution(const struct population *population, enum distribution_kind kind)
{
    const struct profile *profile = population->profile;

    return kind == DISTRIBUTION_SIZE ? &profile->sizes : kind == DISTRIBUTION_AGE ? &profile->ages : &profile->depths;
}

uint64_t convergence_files(const struct population *population, enum distribution_kind kind, size_t index)
{
    if (kind == DISTRIBUTION_AGE)
        return population->cohorts[index].count;
    return kind == DISTRIBUTION_SIZE ? population->with_size[index] : population->with_depth[index];
}

struct convergence convergence_of(const struct population *population, enum distribution_kind kind)
{
    const struct distribution *distribution = convergence_distribution(population, kind);
    struct convergence convergence = {0};
    double live = (double)population->live;

    if (!population->live)
        return convergence;
    for (size_t i = 0; i < distribution->count; i++) {
        double ideal = distribution_share(distribution, i);
        double actual = (double)convergence_files(population, kind, i) / live;

        convergence.max_deviation = fmax(convergence.max_deviation, fabs(actual - ideal));
        if (ideal > 0) {
            convergence.chi_square += (actual - ideal) * (actual - ideal) / ideal * live;
            convergence.degrees++;
        }
        if (kind == DISTRIBUTION_AGE)
            convergence.out_of_reach += fmax(0, ideal - (double)population->cohorts[i].created / live);
    }
    convergence.degrees -= convergence.degrees > 0;
    return convergence;
}
