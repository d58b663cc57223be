#include "ffsb/mix.h"

#include "common.h"
#include "ffsb/task.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static struct {
    const char *path;
    double seconds;
    uint64_t operations;
    uint64_t max_bytes;
    uint64_t threads;
    bool steady_state;
} settings;

static struct ffsb_profile profile;

static const struct option_spec rows[] = {
    {.name = "seconds", .kind = OPTION_REAL, .real = &settings.seconds, .max = MAX_SECONDS, .value = "S",
     .help = "how long to measure (0: the profile's time)"},
    {.name = "operations", .kind = OPTION_NUMBER, .number = &settings.operations, .max = MAX_OPERATIONS, .value = "N",
     .help = "end after N operations of each thread instead (0: after the time)"},
    {.name = "max-bytes", .kind = OPTION_SIZE, .number = &settings.max_bytes, .value = "SIZE",
     .help = "end when files have grown by so much (0: when --min-free is reached)"},
    {.name = "threads", .kind = OPTION_NUMBER, .number = &settings.threads, .max = MAX_THREADS, .value = "N",
     .help = "threads in each group (0: as the profile has it)"},
    {.name = "steady-state", .kind = OPTION_FLAG, .flag = &settings.steady_state,
     .help = "end earlier when the rate of operations is steady"},
};

static const struct option_table options = {rows, sizeof rows / sizeof rows[0]};

/* The indices of the counters of each group's kinds, without those that have no weight. */
struct counters {
    unsigned of[FFSB_MAX_GROUPS][FFSB_KINDS];
    unsigned count;
};

static void number_counters(struct counters *counters)
{
    counters->count = 0;
    for (unsigned group = 0; group < profile.group_count; group++)
        for (unsigned kind = 0; kind < FFSB_KINDS; kind++)
            if (profile.groups[group].weights[kind])
                counters->of[group][kind] = counters->count++;
}

static uint64_t largest_block(void)
{
    uint64_t largest = 1;

    for (unsigned i = 0; i < profile.group_count; i++)
        if (ffsb_largest_block(&profile.groups[i]) > largest)
            largest = ffsb_largest_block(&profile.groups[i]);
    for (unsigned i = 0; i < profile.filesystem_count; i++)
        if (profile.filesystems[i].create_blocksize > largest)
            largest = profile.filesystems[i].create_blocksize;
    return largest;
}

/* The time in seconds; 0 if operations end the mix. */
static double duration(void)
{
    if (settings.seconds > 0)
        return settings.seconds;
    return settings.operations ? 0 : (double)profile.seconds;
}

/* Set the number of threads of --threads, if any, in place of the profile's. */
static bool set_threads(void)
{
    if (!settings.threads)
        return true;
    for (unsigned i = 0; i < profile.group_count; i++)
        profile.groups[i].threads = settings.threads;
    if (profile.group_count * settings.threads > MAX_THREADS)
        return options_complain("--threads", "too many for so many groups");
    profile.threads = (unsigned)(profile.group_count * settings.threads);
    return true;
}

static bool check(void)
{
    if (!ffsb_profile_read(settings.path, &profile) || !set_threads() ||
        (settings.steady_state && !steady_check(duration())))
        return false;
    return duration() > 0 || settings.operations ||
           options_complain("the profile has time=0 and measures nothing: --seconds or --operations", settings.path);
}

static void describe(void)
{
    putchar(',');
    ffsb_profile_print(&profile);
}

/* Create everything before the time starts. False with a failure, or if stopped or refused. */
static bool prepare(struct session *session, struct ffsb_fileset *filesets, struct data *data, struct failure *failure)
{
    for (unsigned i = 0; i < profile.filesystem_count; i++) {
        fprintf(stderr, "fs%u, for %s: %zu files\n", i, profile.filesystems[i].location, filesets[i].initial.count);
        if (!ffsb_fileset_make_directories(&filesets[i], i, session->workspace.directory, failure))
            return false;
        if (filesets[i].aging_bytes) {
            fprintf(stderr, "fs%u: aging\n", i);
            if (!ffsb_age(session, &profile, filesets, i, failure))
                return false;
        }
        if (!ffsb_fileset_make_files(&filesets[i], profile.directio, data, failure))
            return false;
    }
    return !syncfs(session->workspace.directory) || failure_set(failure, "syncfs", "", 0);
}

static const char *ended_by(struct ffsb_task *task, const struct measurement *measurement)
{
    if (space_over(&task->space))
        return "space";
    if (measurement->steady_ns)
        return "steady_state";
    for (unsigned i = 0; i < profile.threads; i++)
        if (!task->operations || task->threads[i].done < task->operations)
            return "time";
    return "operations";
}

/* One line for each kind of each group. */
static void report_kinds(struct session *session, const struct measurement *measurement,
                         const struct counters *counters)
{
    for (unsigned i = 0; i < profile.group_count; i++) {
        struct measurement of_group = *measurement;
        char params[32];

        of_group.threads = (unsigned)profile.groups[i].threads;
        snprintf(params, sizeof params, "\"group\":%u", i);
        for (enum ffsb_kind kind = 0; kind < FFSB_KINDS; kind++) {
            struct cell cell = {.test = ffsb_kind_names[kind], .params = profile.group_count > 1 ? params : NULL};

            if (profile.groups[i].weights[kind])
                session_report_kind(session, &cell, &of_group, counters->of[i][kind]);
        }
    }
}

static void measure(struct session *session, struct crew *crew, struct ffsb_task *task,
                    const struct counters *counters)
{
    struct job job = {.kinds = counters->count, .run = ffsb_run, .task = task,
                      .duration_ns = (uint64_t)ceil(duration() * 1e9), .until_steady = settings.steady_state};
    struct measurement measurement;
    uint64_t files = 0;
    uint64_t bytes = 0;
    char facts[128];

    for (unsigned i = 0; i < profile.filesystem_count; i++) {
        files += task->filesets[i].initial.count;
        bytes += task->filesets[i].initial_bytes;
    }
    space_open(&task->space, &session->workspace, settings.max_bytes, profile.threads);
    session_progress(session, "mix, %u threads", profile.threads);
    crew_run(crew, &job, &measurement);
    snprintf(facts, sizeof facts, "\"ended_by\":\"%s\",\"initial_files\":%" PRIu64 ",\"initial_bytes\":%" PRIu64,
             ended_by(task, &measurement), files, bytes);
    session_report(session, &(struct cell){.test = "mix", .facts = facts}, &measurement);
    report_kinds(session, &measurement, counters);
}

/* Prepare and measure the mix, once the files are planned. */
static void run_planned(struct session *session, struct ffsb_fileset *filesets)
{
    struct ffsb_task task = {.profile = &profile, .filesets = filesets, .operations = settings.operations,
                             .running = profile.threads};
    struct failure failure = {0};
    struct counters counters;
    struct crew crew;

    number_counters(&counters);
    if (!session_hire(session, &crew, profile.threads, counters.count, largest_block()))
        return;
    task.threads = ffsb_threads_make(profile.groups, profile.group_count, counters.of);
    if (!task.threads || !ffsb_threads_deal(task.threads, profile.threads, filesets, profile.filesystem_count))
        failure_set_error(&failure, "malloc", ENOMEM, "", 0);
    else if (prepare(session, filesets, &crew.workers[0].data, &failure))
        measure(session, &crew, &task, &counters);
    if (failed(&failure))
        session_report_failure(session, &(struct cell){.test = "mix"}, profile.threads, &failure);
    ffsb_threads_free(task.threads, profile.threads);
    crew_dismiss(&crew);
}

static void run(struct session *session)
{
    struct ffsb_fileset filesets[FFSB_MAX_FILESYSTEMS];

    for (unsigned i = 0; i < FFSB_MAX_FILESYSTEMS; i++)
        filesets[i] = (struct ffsb_fileset){.data = -1, .meta = -1};
    session->total = (unsigned)common.repetitions;
    if (ffsb_plan(session, &profile, filesets))
        run_planned(session, filesets);
    for (unsigned i = 0; i < FFSB_MAX_FILESYSTEMS; i++)
        ffsb_fileset_close(&filesets[i]);
}

const struct command mix_command = {
    .name = "mix",
    .summary = "weighted operations by groups of threads, from an FFSB profile",
    .argument_name = "profile",
    .argument = &settings.path,
    .options = &options,
    .check = check,
    .run = run,
    .describe = describe,
};
