#include "test.h"

#include "random.h"
#include "stop.h"

#include <stdlib.h>

static uint64_t largest(const struct sizes *sizes)
{
    uint64_t size = 0;

    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->at[i] > size)
            size = sizes->at[i];
    return size;
}

bool crew_hire(struct crew *crew, const struct options *options)
{
    uint64_t record = largest(&options->record_sizes);

    crew->count = options->threads;
    crew->workers = calloc(crew->count, sizeof *crew->workers);
    if (!crew->workers)
        return false;
    for (unsigned i = 0; i < crew->count; i++) {
        crew->workers[i].index = i;
        if (!data_allocate(&crew->workers[i].data, (size_t)record, random_mix(options->seed, ~(uint64_t)i))) {
            crew_dismiss(crew);
            return false;
        }
    }
    return true;
}

void crew_dismiss(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++)
        data_free(&crew->workers[i].data);
    free(crew->workers);
    *crew = (struct crew){0};
}

static void reset(struct worker *worker, struct task *task)
{
    worker->task = task;
    worker->failure = (struct failure){0};
    worker->cpu = (struct cpu_time){0};
    worker->start_ns = worker->end_ns = worker->operations = 0;
    worker->complete = false;
    histogram_clear(&worker->latencies);
}

/*
 * A single worker needs no thread of its own. Linux counts references to an open file only in processes with several
 * threads, so a thread would cost each read and write some tens of nanoseconds that other tools do not pay.
 */
static bool run_here(struct crew *crew, struct task *task)
{
    reset(&crew->workers[0], task);
    gate_open(&task->gate, 0);
    worker_main(&crew->workers[0]);
    return true;
}

/* Start the threads, let them go at once, and wait for them. False where a thread could not be made. */
static bool run_threads(struct crew *crew, struct task *task, struct failure *failure)
{
    unsigned started = 0;
    int error = 0;

    if (crew->count == 1)
        return run_here(crew, task);
    for (; started < crew->count; started++) {
        reset(&crew->workers[started], task);
        error = pthread_create(&crew->workers[started].thread, NULL, worker_main, &crew->workers[started]);
        if (error)
            break;
    }
    if (error) {
        *failure = (struct failure){.call = "pthread_create", .error = error};
        gate_cancel(&task->gate);
    } else {
        gate_open(&task->gate, crew->count);
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(crew->workers[i].thread, NULL);
    return !error;
}

static void add_up(const struct crew *crew, const struct task *task, struct measurement *measurement)
{
    uint64_t start = UINT64_MAX;
    uint64_t end = 0;
    int first_failed = atomic_load(&task->first_failed);
    bool complete = true;

    for (unsigned i = 0; i < crew->count; i++) {
        const struct worker *worker = &crew->workers[i];

        complete = complete && worker->complete;
        start = worker->start_ns < start ? worker->start_ns : start;
        end = worker->end_ns > end ? worker->end_ns : end;
        measurement->operations += worker->operations;
        measurement->cpu = cpu_time_sum(measurement->cpu, worker->cpu);
        histogram_merge(&measurement->latencies, &worker->latencies);
    }
    measurement->bytes = measurement->operations * task->record_size;
    measurement->elapsed_ns = end - start;
    if (complete)
        measurement->outcome = OUTCOME_OK;
    else if (first_failed < 0)
        measurement->outcome = OUTCOME_STOPPED;
    else
        measurement->failure = crew->workers[first_failed].failure;
}

static void measure(struct crew *crew, const struct workspace *workspace, const struct options *options,
                    const struct cell *cell, struct measurement *measurement)
{
    struct task task = {
        .operation = cell->operation,
        .workspace = workspace,
        .file_size = cell->file_size,
        .record_size = cell->record_size,
        .seed = options->seed,
        .fsync = options->fsync,
        .direct = options->direct,
    };

    *measurement = (struct measurement){.outcome = OUTCOME_FAILED};
    atomic_init(&task.first_failed, -1);
    gate_init(&task.gate);
    if (run_threads(crew, &task, &measurement->failure))
        add_up(crew, &task, measurement);
    gate_destroy(&task.gate);
}

/* Make the files that a test needs and no write test has made. */
static bool prepare(struct crew *crew, struct workspace *workspace, const struct options *options,
                    const struct cell *cell, struct measurement *measurement)
{
    struct cell writing = {operation_find("write", 5), cell->file_size, cell->record_size};

    if (workspace->file_size == cell->file_size)
        return true;
    workspace_clear(workspace);
    measure(crew, workspace, options, &writing, measurement);
    return measurement->outcome == OUTCOME_OK;
}

void test_run(struct crew *crew, struct workspace *workspace, const struct options *options, const struct cell *cell,
              struct measurement *measurement)
{
    if (cell->operation->creates)
        workspace_clear(workspace);
    else if (!prepare(crew, workspace, options, cell, measurement)) {
        workspace_clear(workspace);
        return;
    } else {
        workspace->file_size = cell->file_size;
    }
    measure(crew, workspace, options, cell, measurement);
    if (measurement->outcome == OUTCOME_OK)
        workspace->file_size = cell->file_size;
    else
        workspace_clear(workspace); /* pieces of files are in nobody's way then */
}
