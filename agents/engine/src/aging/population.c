#include "aging/population.h"

#include <errno.h>
#include <stdlib.h>

#define FIRST_ROOM 1024U

static uint64_t blocks_of(uint64_t size, uint64_t block)
{
    return (size + block - 1) / block * block;
}

/* The total weight of the first classes of a distribution. */
static double weight_of(const struct distribution *distribution, size_t count)
{
    uint64_t weight = 0;

    for (size_t i = 0; i < count; i++)
        weight += distribution->at[i].weight;
    return (double)weight;
}

/* Mean bytes that a file takes, for the first sizes; 0 if there are none. */
static double mean_bytes(const struct distribution *sizes, size_t count, uint64_t block)
{
    double weight = weight_of(sizes, count);
    double bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += (double)sizes->at[i].weight * (double)blocks_of(sizes->at[i].value, block);
    return weight > 0 ? bytes / weight : 0;
}

/*
 * Omit the largest sizes if fewer than one file of a size is expected, or if one file would take more than a sixteenth
 * of the budget: it would replace hundreds of others, and none of the distributions could be met.
 */
static void choose_sizes(struct population *population)
{
    const struct distribution *sizes = &population->profile->sizes;

    for (population->sizes = sizes->count; population->sizes; population->sizes--) {
        const struct observation *largest = &sizes->at[population->sizes - 1];
        double mean = mean_bytes(sizes, population->sizes, population->block);
        double files = mean > 0 ? (double)population->budget / mean : 0;

        population->expected_files = (uint64_t)files;
        if (files * (double)largest->weight >= weight_of(sizes, population->sizes) &&
            blocks_of(largest->value, population->block) <= population->budget / 16)
            break;
    }
}

bool population_init(struct population *population, const struct profile *profile, uint64_t block, uint64_t budget,
                     double total, uint64_t seed)
{
    double files;

    *population = (struct population){
        .profile = profile,
        .random = {random_mix(seed, 0x616765)},
        .block = block,
        .budget = budget,
    };
    choose_sizes(population);
    if (!population->sizes || !population->expected_files)
        return false;
    files = total / mean_bytes(&profile->sizes, population->sizes, block);
    population->horizon = files < 1 ? 1 : files < 0x1p40 ? (uint64_t)files : UINT64_C(1) << 40;
    return true;
}

void population_free(struct population *population)
{
    for (size_t i = 0; i < MAX_OBSERVATIONS; i++) {
        free(population->cohorts[i].files);
        population->cohorts[i] = (struct cohort){0};
    }
}

/*
 * Draw a class, with a probability proportional to the number of files that it lacks of its share of `total`. Some
 * class lacks files if there are fewer than `total`.
 */
static size_t choose_lacking(struct population *population, const struct distribution *distribution, size_t count,
                             const uint64_t *there, uint64_t total)
{
    double lacking[MAX_OBSERVATIONS] = {0};
    double weight = weight_of(distribution, count);
    double sum = 0;
    double point;
    size_t chosen = 0;

    for (size_t i = 0; i < count; i++) {
        lacking[i] = (double)distribution->at[i].weight / weight * (double)total - (double)there[i];
        lacking[i] = lacking[i] > 0 ? lacking[i] : 0;
        sum += lacking[i];
    }
    point = random_real(&population->random) * sum;
    for (size_t i = 0; i < count; i++) {
        if (lacking[i] <= 0)
            continue;
        chosen = i; /* the last one that lacks files, if rounding moves the point beyond it */
        if (point < lacking[i])
            break;
        point -= lacking[i];
    }
    return chosen;
}

struct aged_file population_next(struct population *population)
{
    const struct profile *profile = population->profile;
    struct aged_file file = {.number = population->made};

    file.size = (uint16_t)choose_lacking(population, &profile->sizes, population->sizes, population->with_size,
                                         population->live + 1);
    file.depth = (uint16_t)choose_lacking(population, &profile->depths, profile->depths.count, population->with_depth,
                                          population->live + 1);
    return file;
}

/* The bytes that the file system allocates to a file. */
static uint64_t bytes_of(const struct population *population, const struct aged_file *file)
{
    return blocks_of(population->profile->sizes.at[file->size].value, population->block);
}

bool population_fits(const struct population *population, const struct aged_file *file)
{
    return population->allocated + bytes_of(population, file) <= population->budget;
}

/* The age class that a file made now will have at the end. */
static size_t cohort_now(const struct population *population)
{
    const struct distribution *ages = &population->profile->ages;
    double left = population_done(population) ? 0 : (double)(population->horizon - population->made);
    double age = left / (double)population->horizon * (double)ages->at[ages->count - 1].value;
    size_t i = 0;

    while (i + 1 < ages->count && age > (double)ages->at[i].value)
        i++;
    return i;
}

static bool make_room(struct cohort *cohort)
{
    size_t room = cohort->room ? cohort->room * 2 : FIRST_ROOM;
    struct aged_file *files = realloc(cohort->files, room * sizeof *files);

    if (!files)
        return false;
    cohort->files = files;
    cohort->room = room;
    return true;
}

bool population_add(struct population *population, const struct aged_file *file)
{
    struct cohort *cohort = &population->cohorts[cohort_now(population)];
    uint64_t bytes = bytes_of(population, file);

    if (population->live == MAX_LIVE_FILES) {
        errno = ENOMEM;
        return false;
    }
    if (cohort->count == cohort->room && !make_room(cohort))
        return false;
    cohort->files[cohort->count++] = *file;
    cohort->created++;
    population->made++;
    population->live++;
    population->written += bytes;
    population->allocated += bytes;
    population->with_size[file->size]++;
    population->with_depth[file->depth]++;
    return true;
}

/*
 * Draw the age class to remove a file from: one with more than its final share of the live files, with a probability
 * proportional to its surplus. The surpluses add up to the files that other classes still lack, so no class falls below
 * its share, and each reaches it at the end if enough files are made in the time for its age.
 */
static struct cohort *choose_cohort(struct population *population)
{
    const struct distribution *ages = &population->profile->ages;
    double surplus[MAX_OBSERVATIONS] = {0};
    double sum = 0;
    double point;
    struct cohort *chosen = NULL;

    for (size_t i = 0; i < ages->count; i++) {
        const struct cohort *cohort = &population->cohorts[i];

        surplus[i] = (double)cohort->count - distribution_share(ages, i) * (double)population->live;
        surplus[i] = cohort->count && surplus[i] > 0 ? surplus[i] : 0;
        sum += surplus[i];
    }
    point = random_real(&population->random) * sum;
    for (size_t i = 0; i < ages->count; i++) {
        if (surplus[i] <= 0)
            continue;
        chosen = &population->cohorts[i];
        if (point < surplus[i])
            break;
        point -= surplus[i];
    }
    for (size_t i = 0; !chosen; i++) /* if all classes have exactly their share, the first with files */
        if (population->cohorts[i].count)
            chosen = &population->cohorts[i];
    return chosen;
}

struct aged_file population_take(struct population *population)
{
    struct cohort *cohort = choose_cohort(population);
    size_t index = (size_t)random_below(&population->random, cohort->count);
    struct aged_file file = cohort->files[index];

    cohort->files[index] = cohort->files[--cohort->count];
    population->live--;
    population->allocated -= bytes_of(population, &file);
    population->with_size[file.size]--;
    population->with_depth[file.depth]--;
    return file;
}
