#include "aging/age_report.h"

#include "aging/age_settings.h"
#include "aging/convergence.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

static void print_convergence(const struct population *population, enum distribution_kind kind)
{
    struct convergence convergence = convergence_of(population, kind);

    printf(",\"%s\":{\"max_deviation\":%.6f,\"chi_square\":%.6g,\"degrees_of_freedom\":%u", distribution_names[kind],
           convergence.max_deviation, convergence.chi_square, convergence.degrees);
    if (kind == DISTRIBUTION_AGE)
        printf(",\"out_of_reach\":%.6f", convergence.out_of_reach);
    printf("}");
}

/* Print the share of the file system in use, by its own count. */
static void print_file_system_fullness(int directory)
{
    struct statvfs status;

    if (fstatvfs(directory, &status) || !status.f_blocks)
        printf(",\"file_system_fullness\":null");
    else
        printf(",\"file_system_fullness\":%.6f",
               (double)(status.f_blocks - status.f_bfree) / (double)status.f_blocks);
}

static void print_left_out(const struct population *population)
{
    const struct distribution *sizes = &population->profile->sizes;

    printf(",\"left_out_sizes\":[");
    for (size_t i = population->sizes; i < sizes->count; i++)
        printf("%s%" PRIu64, i > population->sizes ? "," : "", sizes->at[i].value);
    printf("]");
}

void age_report(struct session *session, const struct aging *aging, uint64_t capacity, uint64_t used_before)
{
    const struct population *population = &aging->population;
    uint64_t directories = directories_count(&aging->directories);
    uint64_t used = used_before + population->allocated + directories * population->block;

    printf("{\"type\":\"aging\",\"repetition\":%" PRIu64, session->repetition);
    printf(",\"capacity\":%" PRIu64 ",\"block_size\":%" PRIu64 ",\"used_before\":%" PRIu64, capacity, population->block,
           used_before);
    printf(",\"fullness_asked\":%.6g,\"fullness\":%.6f", age_settings.fullness, (double)used / (double)capacity);
    print_file_system_fullness(aging->directory);
    printf(",\"overwrites_asked\":%.6g,\"overwrites\":%.6f", age_settings.overwrites,
           (double)population->written / (double)capacity);
    printf(",\"files\":%" PRIu64 ",\"directories\":%" PRIu64 ",\"files_created\":%" PRIu64 ",\"files_deleted\":%" PRIu64,
           population->live, directories, population->made, population->made - population->live);
    print_left_out(population);
    print_convergence(population, DISTRIBUTION_SIZE);
    print_convergence(population, DISTRIBUTION_DEPTH);
    print_convergence(population, DISTRIBUTION_AGE);
    printf(",\"digest\":\"%016" PRIx64 "\"}\n", aging->digest);
    session->lines_lost = !report_flush() || session->lines_lost;
}

void age_report_distributions(struct session *session, const struct aging *aging)
{
    static const enum distribution_kind kinds[] = {DISTRIBUTION_SIZE, DISTRIBUTION_DEPTH, DISTRIBUTION_AGE};
    const struct population *population = &aging->population;
    double live = population->live ? (double)population->live : 1;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct distribution *distribution = convergence_distribution(population, kinds[k]);

        for (size_t i = 0; i < distribution->count; i++)
            printf("{\"type\":\"distribution\",\"repetition\":%" PRIu64 ",\"of\":\"%s\",\"value\":%" PRIu64
                   ",\"ideal\":%.6f,\"actual\":%.6f}\n",
                   session->repetition, distribution_names[kinds[k]], distribution->at[i].value,
                   distribution_share(distribution, i),
                   (double)convergence_files(population, kinds[k], i) / live);
    }
    session->lines_lost = !report_flush() || session->lines_lost;
}
