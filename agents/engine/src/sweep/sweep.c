#include "sweep/sweep.h"

#include "common.h"
#include "memory.h"
#include "remove.h"
#include "size.h"
#include "sweep/flight.h"
#include "sweep/operations.h"
#include "sweep/ring.h"
#include "sweep/settings.h"
#include "sweep/transfer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state that the tests of a repetition share. */
struct sweep {
    struct session *session;
    struct crew crew;
    struct access *accesses;
    struct flight *flights; /* of io_uring */
    struct pace *paces;     /* of operations that arrive at a rate */
    uint64_t file_size; /* bytes in each existing file; 0 if there are none or only partial ones */
};

static uint64_t largest(const struct list *sizes)
{
    uint64_t size = 0;

    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->at[i] > size)
            size = sizes->at[i];
    return size;
}

static unsigned count_tests(void)
{
    const struct list *files = &sweep_settings.file_sizes;
    const struct list *records = &sweep_settings.record_sizes;
    size_t pairs = 0;

    for (size_t f = 0; f < files->count; f++)
        for (size_t r = 0; r < records->count; r++)
            pairs += sweep_fits(files->at[f], records->at[r]);
    return (unsigned)(pairs * sweep_settings.tests.count * common.repetitions);
}

/* Whether there is room for the largest files of all threads. */
static bool has_room(struct session *session)
{
    uint64_t files = sweep_settings.shared_file ? 1 : sweep_settings.threads;
    uint64_t size = largest(&sweep_settings.file_sizes);

    return session_room(session, size > UINT64_MAX / files ? UINT64_MAX : size * files, files);
}

static void remove_files(struct sweep *sweep)
{
    struct failure ignored; /* what stays behind is reported at the end */

    remove_contents(sweep->session->workspace.directory, &ignored);
    sweep->file_size = 0;
}

/* Whether the operation writes each record once, so that a complete file is left. */
static bool completes(const struct operation *operation)
{
    return operation->before == WANTS_OLD || !sweep_is_limited();
}

/* Run an operation; to prepare the files for another one, as fast as the plain calls can. */
static void measure(struct sweep *sweep, const struct operation *operation, const struct cell *cell, bool prepares,
                    struct measurement *measurement)
{
    bool ring = !prepares && sweep_settings.engine == ENGINE_IO_URING;
    bool paced = !prepares && sweep_settings.rate > 0;
    struct transfer transfer = {
        .operation = operation,
        .file_size = cell->file_size,
        .record_size = cell->record_size,
        .directory = sweep->session->workspace.directory,
        .seed = common.seed,
        .accesses = sweep->accesses,
        .flights = ring ? sweep->flights : NULL,
        .paces = paced ? sweep->paces : NULL,
        .until_steady = !prepares && sweep_settings.steady_state,
    };
    struct job job = transfer_job(&transfer);

    crew_run(&sweep->crew, &job, measurement);
    if (measurement->outcome == OUTCOME_OK && (prepares || completes(operation)))
        sweep->file_size = cell->file_size;
    else
        remove_files(sweep); /* so that partial files do not disturb later tests */
}

/* Prepare the files that the operation needs; write them, outside the time, if no test has made them. */
static bool prepare(struct sweep *sweep, const struct operation *operation, const struct cell *cell,
                    struct measurement *measurement)
{
    if (operation->before == WANTS_NONE || sweep->file_size != cell->file_size)
        remove_files(sweep);
    /* Earlier writes and removals are finished before the test, as iozone does with sync. */
    if (operation->before == WANTS_NONE && syncfs(sweep->session->workspace.directory)) {
        *measurement = (struct measurement){.outcome = OUTCOME_FAILED, .threads = (unsigned)sweep_settings.threads};
        return failure_set(&measurement->failure, "syncfs", "", 0);
    }
    if (operation->before != WANTS_OLD || sweep->file_size)
        return true;
    measure(sweep, &operations[0], cell, true, measurement);
    return measurement->outcome == OUTCOME_OK;
}

static bool empty_cache(struct measurement *measurement)
{
    struct failure failure = {0};

    if (!sweep_settings.cold || memory_drop_caches(&failure))
        return true;
    *measurement = (struct measurement){.outcome = OUTCOME_FAILED, .failure = failure,
                                        .threads = (unsigned)sweep_settings.threads};
    return false;
}

static const char *ended_by(const struct pace *pace, const struct measurement *measurement)
{
    if (pace->overloaded)
        return "overload";
    if (measurement->steady_ns)
        return "steady_state";
    return sweep_settings.operations || !sweep_is_limited() ? "operations" : "time";
}

/* The operations that arrived, and how late the last one of a thread began: facts of a result line. */
static void describe_pace(const struct sweep *sweep, const struct measurement *measurement, char *text, size_t size)
{
    struct pace whole = {0};

    for (uint64_t i = 0; i < sweep_settings.threads; i++) {
        const struct pace *pace = &sweep->paces[i];

        whole.due += pace->due;
        whole.behind = pace->behind > whole.behind ? pace->behind : whole.behind;
        whole.overloaded = whole.overloaded || pace->overloaded;
    }
    snprintf(text, size, "\"ended_by\":\"%s\",\"due\":%" PRIu64 ",\"behind_ns\":%.0f",
             ended_by(&whole, measurement), whole.due, (double)whole.behind * clock_ns_per_tick());
}

static void run_test(struct sweep *sweep, const struct operation *operation, uint64_t file_size, uint64_t record_size)
{
    char facts[128];
    struct cell cell = {.test = operation->name,
                        .file_size = file_size,
                        .record_size = record_size,
                        .params = sweep_settings.verify ? "\"verified\":true" : NULL,
                        .facts = sweep_settings.rate > 0 ? facts : NULL};
    struct measurement measurement;
    char text[2][SIZE_TEXT_LENGTH];

    memset(sweep->paces, 0, sweep_settings.threads * sizeof *sweep->paces);
    size_print(text[0], file_size);
    size_print(text[1], record_size);
    session_progress(sweep->session, "%s %s in records of %s", operation->name, text[0], text[1]);
    if (prepare(sweep, operation, &cell, &measurement) && empty_cache(&measurement))
        measure(sweep, operation, &cell, false, &measurement);
    describe_pace(sweep, &measurement, facts, sizeof facts);
    session_report(sweep->session, &cell, &measurement);
}

static void run_all(struct sweep *sweep)
{
    const struct list *files = &sweep_settings.file_sizes;
    const struct list *records = &sweep_settings.record_sizes;
    const struct list *tests = &sweep_settings.tests;

    for (size_t f = 0; f < files->count; f++)
        for (size_t r = 0; r < records->count; r++)
            for (size_t t = 0; t < tests->count && session_goes_on(sweep->session); t++)
                if (sweep_fits(files->at[f], records->at[r]))
                    run_test(sweep, &operations[tests->at[t]], files->at[f], records->at[r]);
}

/* The memory for the records of a thread that are moved at a time. */
static uint64_t most_memory(void)
{
    uint64_t record = largest(&sweep_settings.record_sizes);

    return sweep_settings.engine == ENGINE_IO_URING ? flight_bytes(record) : record;
}

/* Whether this machine has the engine; refuses if not. */
static bool has_engine(struct session *session)
{
    const char *missing = sweep_settings.engine == ENGINE_IO_URING ? ring_missing() : NULL;

    return !missing || session_refuse(session, "%s", missing);
}

static void run(struct session *session)
{
    struct sweep sweep = {.session = session};

    session->total = count_tests();
    if (!has_engine(session) || !has_room(session) ||
        !session_hire(session, &sweep.crew, sweep_settings.threads, 1, most_memory()))
        return;
    sweep.accesses = calloc(sweep_settings.threads, sizeof *sweep.accesses);
    sweep.flights = calloc(sweep_settings.threads, sizeof *sweep.flights);
    sweep.paces = calloc(sweep_settings.threads, sizeof *sweep.paces);
    if (sweep.accesses && sweep.flights && sweep.paces)
        run_all(&sweep);
    else
        session_refuse(session, "not enough memory");
    free(sweep.accesses);
    free(sweep.flights);
    free(sweep.paces);
    crew_dismiss(&sweep.crew);
}

const struct command sweep_command = {
    .name = "sweep",
    .summary = "iozone's 13 tests over file sizes and record sizes",
    .options = &sweep_options,
    .check = sweep_check,
    .run = run,
};
