#include "aging/age.h"

#include "aging/age_report.h"
#include "aging/age_settings.h"
#include "aging/aging.h"
#include "aging/layout_report.h"
#include "common.h"

#include <stdio.h>
#include <sys/statvfs.h>

/* The file system as the plan sees it. Bytes. */
struct disk {
    uint64_t capacity;
    uint64_t used;  /* by other files, before */
    uint64_t block;
};

/* The smallest number of files per directory; the profile's directories are reduced in proportion. */
#define FILES_PER_DIRECTORY 4U

struct phase {
    const char *test;
    const char *kinds[AGING_KINDS]; /* names of the tests of one kind of operation; NULL: no test */
    const struct job *job;
    const char *when; /* of the layout after the phase */
};

static const struct phase phases[] = {
    {"age_fill", {NULL, NULL}, &aging_fill, "filled"},
    {"age", {"age_create", "age_delete"}, &aging_churn, "after"},
};

static bool look_at_disk(struct session *session, struct disk *disk)
{
    struct statvfs status;

    if (fstatvfs(session->workspace.directory, &status) || !status.f_frsize || !status.f_blocks)
        return session_refuse(session, "the file system does not say how large it is");
    *disk = (struct disk){.capacity = age_settings.capacity, .block = status.f_frsize};
    if (!disk->capacity) { /* the whole file system counts, including other files */
        disk->capacity = (uint64_t)status.f_blocks * status.f_frsize;
        disk->used = (uint64_t)(status.f_blocks - status.f_bfree) * status.f_frsize;
    }
    return true;
}

/* Plan the directories first, because they take room too; then the files for the remaining room. */
static bool plan(struct session *session, struct aging *aging, const struct disk *disk)
{
    double wanted = age_settings.fullness * (double)disk->capacity;
    uint64_t budget = wanted > (double)disk->used ? (uint64_t)wanted - disk->used : 0;
    double total = age_settings.overwrites * (double)disk->capacity;
    struct population *population = &aging->population;
    uint64_t directories;

    if (!population_init(population, &age_settings.profile, disk->block, budget, total, common.seed))
        return session_refuse(session, "what --fullness leaves to fill is less than the smallest files of the profile take");
    if (population->expected_files > MAX_LIVE_FILES / 2)
        return session_refuse(session, "more files than can be kept track of: the profile's are too small for this capacity");
    if (!directories_plan(&aging->directories, &age_settings.profile.depths,
                          population->expected_files / FILES_PER_DIRECTORY, common.seed))
        return session_refuse(session, "not enough memory for the directories");
    directories = directories_count(&aging->directories);
    if (directories * disk->block >= budget ||
        !population_init(population, &age_settings.profile, disk->block, budget - directories * disk->block, total,
                         common.seed))
        return session_refuse(session, "the directories of the profile leave no room for files");
    return session_room(session, budget, population->expected_files + population->expected_files / 8 + directories);
}

/* Report a phase as a whole and by kinds; the fill only creates and has no kinds. */
static void report(struct session *session, const struct phase *phase, const struct measurement *measurement)
{
    struct cell cell = {.test = phase->test};

    session_report(session, &cell, measurement);
    for (unsigned kind = 0; kind < AGING_KINDS && phase->kinds[kind]; kind++) {
        cell.test = phase->kinds[kind];
        session_report_kind(session, &cell, measurement, kind);
    }
}

/* Run one phase, and print its results and the layout after it. False if nothing more is to be done. */
static bool run_phase(struct session *session, struct crew *crew, struct aging *aging, const struct phase *phase)
{
    struct job job = *phase->job;
    struct measurement measurement;

    job.task = aging;
    session_progress(session, "%s", phase->test);
    crew_run(crew, &job, &measurement);
    report(session, phase, &measurement);
    return measurement.outcome == OUTCOME_OK && session_goes_on(session) &&
           layout_tell(session, phase->when, aging->directory, true);
}

static void run_all(struct session *session, struct crew *crew, struct aging *aging, const struct disk *disk)
{
    if (!layout_tell(session, "before", aging->directory, true))
        return;
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (!run_phase(session, crew, aging, &phases[i]))
            return;
    age_report(session, aging, disk->capacity, disk->used);
    if (age_settings.report_distributions)
        age_report_distributions(session, aging);
    session->workspace.keep = age_settings.keep && session_goes_on(session);
}

static void run(struct session *session)
{
    static struct aging aging; /* too large for a stack */
    struct crew crew = {0};
    struct disk disk = {0};

    aging = (struct aging){.directory = session->workspace.directory, .fallocate = age_settings.fallocate};
    session->total = (unsigned)common.repetitions * 2;
    if (look_at_disk(session, &disk) && plan(session, &aging, &disk) &&
        session_hire(session, &crew, 1, AGING_KINDS, AGING_RECORD)) {
        run_all(session, &crew, &aging, &disk);
        crew_dismiss(&crew);
    }
    population_free(&aging.population);
    directories_free(&aging.directories);
}

const struct command age_command = {
    .name = "age",
    .summary = "age a file system by a profile of file sizes, ages and directory depths; layout before and after",
    .options = &age_options,
    .check = age_check,
    .run = run,
};
