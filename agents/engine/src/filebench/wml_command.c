#include "filebench/wml_command.h"

#include "common.h"
#include "filebench/task.h"
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    const char *path;
    double seconds;
    uint64_t operations;
    bool steady_state;
} settings;

static struct wml wml;

static const struct option_spec rows[] = {
    {.name = "seconds", .kind = OPTION_REAL, .real = &settings.seconds, .max = MAX_SECONDS, .value = "S",
     .help = "how long to measure (0: the file's time)"},
    {.name = "operations", .kind = OPTION_NUMBER, .number = &settings.operations, .max = MAX_OPERATIONS, .value = "N",
     .help = "end after N flowops of each thread instead (0: after the time)"},
    {.name = "steady-state", .kind = OPTION_FLAG, .flag = &settings.steady_state,
     .help = "end earlier when the rate of operations is steady"},
};

static const struct option_table options = {rows, sizeof rows / sizeof rows[0]};

/* The time in seconds; 0 if operations end the run. */
static double duration(void)
{
    if (settings.seconds > 0)
        return settings.seconds;
    return settings.operations ? 0 : (double)wml.seconds;
}

static bool check(void)
{
    if (!wml_read(settings.path, &wml) || (settings.steady_state && !steady_check(duration())))
        return false;
    return wml.runs || settings.seconds > 0 || settings.operations ||
           options_complain("there is no run statement, and neither --seconds nor --operations", settings.path);
}

static void describe_law(const struct wml_law *law)
{
    if (law->drawn)
        printf(",\"size_mean\":%.15g,\"size_gamma\":%.15g,\"size_min\":%" PRIu64 ",\"size_max\":%" PRIu64
               ",\"size_round\":%" PRIu64, law->mean, law->shape, law->min, law->max, law->round);
    else
        printf(",\"size\":%" PRIu64, law->fixed);
}

static void print_number(const char *name, uint64_t value)
{
    if (value)
        printf(",\"%s\":%" PRIu64, name, value);
}

static void print_switch(const char *name, bool value)
{
    if (value)
        printf(",\"%s\":true", name);
}

/* Names are checked and need no escape in JSON. */
static void describe_flowop(const struct wml_flowop *flowop)
{
    printf("{\"kind\":\"%s\",\"fd\":%" PRIu64, wml_kind_names[flowop->kind], flowop->fd);
    if (flowop->fileset_name[0])
        printf(",\"fileset\":\"%s\"", flowop->fileset_name);
    print_number("source_fd", flowop->source_fd);
    print_number("io_size", flowop->io_size);
    print_number("iterations", flowop->iterations > 1 ? flowop->iterations : 0);
    print_number("working_set", flowop->working_set);
    print_switch("random", flowop->random);
    print_switch("direct", flowop->direct);
    print_switch("synchronous", flowop->synchronous);
    print_switch("opennext", flowop->rotates);
    putchar('}');
}

/* Print the loop of each thread statement, so that a result shows what its threads did. */
static void describe_loops(void)
{
    print_number("mode", wml.mode);
    printf(",\"loops\":[");
    for (unsigned i = 0; i < wml.thread_count; i++) {
        const struct wml_thread *thread = &wml.threads[i];

        printf("%s{\"threads\":%" PRIu64 ",\"flowops\":[", i ? "," : "",
               thread->instances * wml.processes[thread->process].instances);
        for (unsigned j = 0; j < thread->count; j++) {
            fputs(j ? "," : "", stdout);
            describe_flowop(&wml.flowops[thread->first + j]);
        }
        fputs("]}", stdout);
    }
    putchar(']');
}

/* Print the settings of the file, including its paths, which are not followed. */
static void describe(void)
{
    printf(",\"run_seconds\":%.15g,\"processes\":%u,\"threads\":%u,\"filesets\":[", duration(), wml.process_count,
           wml.instances);
    for (unsigned i = 0; i < wml.fileset_count; i++) {
        const struct wml_fileset *fileset = &wml.filesets[i];

        printf("%s{\"name\":", i ? "," : "");
        json_string(stdout, fileset->name);
        printf(",\"path\":");
        json_string(stdout, fileset->path);
        printf(",\"entries\":%" PRIu64 ",\"dirwidth\":%" PRIu64 ",\"prealloc_percent\":%" PRIu64, fileset->entries,
               fileset->directory_width, fileset->preallocated);
        print_number("dirgamma", fileset->directory_gamma);
        print_switch("readonly", fileset->read_only);
        print_switch("writeonly", fileset->write_only);
        describe_law(&fileset->size);
        putchar('}');
    }
    putchar(']');
    describe_loops();
}

/* Plan all filesets. False: not enough memory. */
static bool plan(struct wml_set *sets)
{
    for (unsigned i = 0; i < wml.fileset_count; i++) {
        uint64_t seed = random_mix(common.seed, i);

        sets[i].fileset = &wml.filesets[i];
        sets[i].flags = wml.filesets[i].read_only ? O_RDONLY : wml.filesets[i].write_only ? O_WRONLY : O_RDWR;
        if (!wml_tree_plan(&sets[i], seed) || !wml_set_share(&sets[i], random_mix(seed, 1)))
            return false;
    }
    return true;
}

/* The largest piece that is moved at once; files that are moved in one piece may need much memory. */
static uint64_t largest_record(const struct wml_set *sets)
{
    uint64_t largest = 1;
    bool whole = false;

    for (unsigned i = 0; i < wml.flowop_count; i++) {
        largest = wml.flowops[i].io_size > largest ? wml.flowops[i].io_size : largest;
        whole = whole || (wml.flowops[i].kind >= WML_READWHOLEFILE && !wml.flowops[i].io_size);
    }
    for (unsigned set = 0; set < wml.fileset_count; set++)
        for (uint64_t i = 0; whole && i < wml.filesets[set].entries; i++)
            largest = sets[set].entries[i].size > largest ? sets[set].entries[i].size : largest;
    return largest < MAX_RECORD ? largest : MAX_RECORD;
}

/* Create everything before the time starts. */
static bool prepare(struct session *session, struct wml_set *sets, struct data *data, struct failure *failure)
{
    for (unsigned i = 0; i < wml.fileset_count; i++) {
        fprintf(stderr, "fileset %s, for %s: %" PRIu64 " entries\n", wml.filesets[i].name, wml.filesets[i].path,
                wml.filesets[i].entries);
        if (!wml_set_make(&sets[i], session->workspace.directory, data, failure))
            return false;
    }
    return !syncfs(session->workspace.directory) || failure_set(failure, "syncfs", "", 0);
}

static const char *ended_by(struct wml_task *task, const struct measurement *measurement)
{
    if (space_over(&task->space))
        return "space";
    if (measurement->steady_ns)
        return "steady_state";
    if (atomic_load(&task->out_of_files) || atomic_load(&task->ended_early) == wml.instances)
        return "files";
    for (unsigned i = 0; i < wml.instances; i++)
        if (!task->operations || task->states[i].done < task->operations)
            return "time";
    return "operations";
}

/* Whether several lines have flowops of this kind and need params to distinguish them. */
static bool repeated(enum wml_kind kind)
{
    unsigned found = 0;

    for (unsigned i = 0; i < wml.counter_count; i++)
        found += wml.flowops[wml.counters[i].flowop].kind == kind;
    return found > 1;
}

/* Print one line for each flowop. Names are checked and need no escape in JSON. */
static void report_flowops(struct session *session, const struct measurement *measurement)
{
    for (unsigned i = 0; i < wml.counter_count; i++) {
        const struct wml_counter *counter = &wml.counters[i];
        const struct wml_thread *thread = &wml.threads[counter->thread];
        const struct wml_flowop *flowop = &wml.flowops[counter->flowop];
        char params[3 * WML_NAME_SIZE + 64];
        struct cell cell = {.test = wml_kind_names[flowop->kind], .params = repeated(flowop->kind) ? params : NULL};
        struct measurement of_flowop = *measurement;

        if (counter->ambiguous)
            snprintf(params, sizeof params, "\"flowop\":\"%s\",\"thread\":\"%s\",\"process\":\"%s\"", flowop->name,
                     thread->name, wml.processes[thread->process].name);
        else
            snprintf(params, sizeof params, "\"flowop\":\"%s\"", flowop->name);
        of_flowop.threads = counter->threads;
        session_report_kind(session, &cell, &of_flowop, i);
    }
}

static void measure(struct session *session, struct crew *crew, struct wml_task *task)
{
    struct job job = {.kinds = wml.counter_count, .run = wml_run, .finish = wml_finish, .task = task,
                      .duration_ns = (uint64_t)ceil(duration() * 1e9), .until_steady = settings.steady_state};
    struct measurement measurement;
    char facts[64];

    space_open(&task->space, &session->workspace, 0, wml.instances);
    session_progress(session, "wml, %u threads", wml.instances);
    crew_run(crew, &job, &measurement);
    snprintf(facts, sizeof facts, "\"ended_by\":\"%s\"", ended_by(task, &measurement));
    session_report(session, &(struct cell){.test = "wml", .facts = facts}, &measurement);
    report_flowops(session, &measurement);
}

/* Prepare and measure the workload, once the filesets are planned. */
static void run_planned(struct session *session, struct wml_set *sets)
{
    struct wml_task task = {.wml = &wml, .sets = sets, .operations = settings.operations};
    struct failure failure = {0};
    struct crew crew;
    uint64_t bytes = 0;
    uint64_t entries = 0;

    for (unsigned i = 0; i < wml.fileset_count; i++) {
        bytes += sets[i].bytes;
        entries += sets[i].fileset->entries + sets[i].directory_count;
    }
    if (!session_room(session, bytes, entries) ||
        !session_hire(session, &crew, wml.instances, wml.counter_count, largest_record(sets)))
        return;
    if (!wml_states_make(&task))
        failure_set_error(&failure, "malloc", ENOMEM, "", 0);
    else if (prepare(session, sets, &crew.workers[0].data, &failure))
        measure(session, &crew, &task);
    if (failed(&failure))
        session_report_failure(session, &(struct cell){.test = "wml"}, wml.instances, &failure);
    free(task.states);
    crew_dismiss(&crew);
}

static void run(struct session *session)
{
    struct wml_set sets[WML_MAX_FILESETS];

    for (unsigned i = 0; i < WML_MAX_FILESETS; i++)
        sets[i] = (struct wml_set){.directory = -1};
    session->total = (unsigned)common.repetitions;
    if (plan(sets))
        run_planned(session, sets);
    else
        session_refuse(session, "not enough memory for the filesets' names");
    for (unsigned i = 0; i < wml.fileset_count; i++)
        wml_set_free(&sets[i]);
}

const struct command wml_command = {
    .name = "wml",
    .summary = "flowops of threads on filesets, from a Filebench workload",
    .argument_name = "profile",
    .argument = &settings.path,
    .options = &options,
    .check = check,
    .run = run,
    .describe = describe,
};
