#include "crew.h"

#include "common.h"
#include "crew_series.h"
#include "interactive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool crew_hire(struct crew *crew, unsigned count, unsigned kinds, size_t max_record)
{
    *crew = (struct crew){.kinds = kinds, .seed = common.seed, .takes_latencies = !common.no_latencies,
                          .steady = {.mutex = PTHREAD_MUTEX_INITIALIZER}};
    crew->workers = calloc(count, sizeof *crew->workers);
    crew->totals = calloc(kinds, sizeof *crew->totals);
    if (!crew->workers || !crew->totals || !series_allocate(&crew->series)) {
        crew_dismiss(crew);
        return false;
    }
    for (; crew->count < count; crew->count++) {
        struct worker *worker = &crew->workers[crew->count];

        worker->crew = crew;
        worker->index = crew->count;
        worker->counters = calloc(kinds, sizeof *worker->counters);
        if (!worker->counters || !series_allocate(&worker->series) ||
            !data_allocate(&worker->data, max_record, random_mix(crew->seed, ~(uint64_t)crew->count),
                           (unsigned)common.compressibility)) {
            series_free(&worker->series);
            free(worker->counters);
            crew_dismiss(crew);
            return false;
        }
    }
    return true;
}

void crew_dismiss(struct crew *crew)
{
    for (unsigned i = 0; i < crew->count; i++) {
        data_free(&crew->workers[i].data);
        series_free(&crew->workers[i].series);
        free(crew->workers[i].counters);
    }
    series_free(&crew->series);
    pthread_mutex_destroy(&crew->steady.mutex);
    free(crew->workers);
    free(crew->totals);
    *crew = (struct crew){0};
}

static void reset(struct worker *worker)
{
    const struct crew *crew = worker->crew;

    worker->task = crew->job->task;
    worker->random = (struct random){random_mix(crew->seed, worker->index)};
    memset(worker->counters, 0, crew->kinds * sizeof *worker->counters);
    worker->takes_latencies = crew->takes_latencies || crew->job->duration_ns;
    worker->before = 0;
    worker->deadline = UINT64_MAX;
    series_stop(&worker->series);
    worker->counted = (struct step){0};
    worker->sequence = 0;
    worker->sequence_length = 0;
    worker->failure = (struct failure){0};
    worker->cpu = (struct cpu_time){0};
    worker->start_ns = worker->end_ns = 0;
    worker->complete = false;
}

bool worker_fail_error(struct worker *worker, const char *call, int error, const char *file, uint64_t offset)
{
    int none = -1;

    failure_set_error(&worker->failure, call, error, file, offset);
    worker->complete = false;
    if (failed(&worker->failure))
        atomic_compare_exchange_strong(&worker->crew->first_failed, &none, (int)worker->index);
    return false;
}

bool worker_pass_on(struct worker *worker, const struct failure *failure)
{
    return worker_fail_error(worker, failure->call, failure->error, failure->file, failure->offset);
}

bool worker_fail(struct worker *worker, const char *call, const char *file, uint64_t offset)
{
    return worker_fail_error(worker, call, errno, file, offset);
}

/* Time counts from the start of the first thread, for all of them. */
static void start_time(struct worker *worker)
{
    struct crew *crew = worker->crew;
    uint64_t nobodys = 0;
    uint64_t start;

    worker_begin(worker);
    atomic_compare_exchange_strong(&crew->start, &nobodys, worker->before);
    start = atomic_load(&crew->start);
    if (crew->job->duration_ns)
        worker->deadline = start + (uint64_t)((double)crew->job->duration_ns / crew->ns_per_tick);
    worker_start_steps(worker, start);
}

static void measure(struct worker *worker)
{
    const struct job *job = worker->crew->job;
    struct cpu_time before = cpu_time_of_thread();
    bool last;

    /* One clock reading bounds the measurement and the jobs beside it, even if the scheduler interrupts here. */
    worker->start_ns = worker->index == 0 ? interactive_begin() : clock_now_ns();
    start_time(worker);
    worker->complete = job->run(worker);
    last = atomic_fetch_sub(&worker->crew->measuring, 1) == 1;
    worker->end_ns = last ? interactive_end() : clock_now_ns();
    worker_begin(worker); /* the end of the last step */
    worker->cpu = cpu_time_difference(cpu_time_of_thread(), before);
    worker->device = device_bytes(); /* before finish() writes back data outside the time */
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    const struct job *job = worker->crew->job;
    bool ready = !job->prepare || job->prepare(worker);

    if (gate_wait(&worker->crew->gate, ready))
        measure(worker);
    if (ready && job->finish && !job->finish(worker))
        worker->complete = false;
    return NULL;
}

/*
 * A single worker needs no thread of its own. Linux counts references to an open file only in processes with several
 * threads, so a thread would cost each read and write some tens of nanoseconds that other tools do not pay.
 */
static bool run_here(struct crew *crew)
{
    gate_open(&crew->gate, 0);
    work(&crew->workers[0]);
    return true;
}

/* Start the threads, release them together, and wait for them. False if a thread could not be made. */
static bool run_threads(struct crew *crew, struct failure *failure)
{
    unsigned started = 0;
    int error = 0;

    for (; started < crew->count && !error; started += !error)
        error = pthread_create(&crew->workers[started].thread, NULL, work, &crew->workers[started]);
    if (error) {
        failure_set_error(failure, "pthread_create", error, "", 0);
        gate_cancel(&crew->gate);
    } else {
        gate_open(&crew->gate, crew->count);
    }
    for (unsigned i = 0; i < started; i++)
        pthread_join(crew->workers[i].thread, NULL);
    return !error;
}

static void add_up(struct crew *crew, struct measurement *measurement)
{
    uint64_t start = UINT64_MAX;
    uint64_t end = 0;
    int first_failed = atomic_load(&crew->first_failed);
    bool complete = true;

    memset(crew->totals, 0, crew->kinds * sizeof *crew->totals);
    measurement->series = crew_add_up_series(crew);
    for (unsigned i = 0; i < crew->count; i++) {
        const struct worker *worker = &crew->workers[i];

        complete = complete && worker->complete;
        start = worker->start_ns < start ? worker->start_ns : start;
        if (worker->end_ns > end) {
            end = worker->end_ns;
            measurement->device = device_bytes_difference(worker->device, crew->device_before);
        }
        measurement->cpu = cpu_time_sum(measurement->cpu, worker->cpu);
        measurement->sequence = random_mix(measurement->sequence, worker->sequence);
        for (unsigned kind = 0; kind < measurement->kinds; kind++) {
            crew->totals[kind].operations += worker->counters[kind].operations;
            crew->totals[kind].bytes += worker->counters[kind].bytes;
            histogram_merge(&crew->totals[kind].latencies, &worker->counters[kind].latencies);
        }
    }
    measurement->start_ns = start;
    measurement->steady_ns = (uint64_t)((double)steady_reached(&crew->steady) * crew->ns_per_tick);
    measurement->elapsed_ns = end - start;
    if (first_failed >= 0)
        measurement->failure = crew->workers[first_failed].failure;
    else
        measurement->outcome = complete ? OUTCOME_OK : OUTCOME_STOPPED;
}

void crew_run(struct crew *crew, const struct job *job, struct measurement *measurement)
{
    *measurement = (struct measurement){
        .outcome = OUTCOME_FAILED, .threads = crew->count, .kinds = job->kinds, .counters = crew->totals,
        .until_steady = job->until_steady};
    crew->job = job;
    crew->device_before = device_bytes();
    atomic_store(&crew->first_failed, -1);
    gate_init(&crew->gate);
    for (unsigned i = 0; i < crew->count; i++)
        reset(&crew->workers[i]);
    atomic_store(&crew->measuring, crew->count);
    crew->ns_per_tick = clock_ns_per_tick();
    steady_start(&crew->steady, crew_step_ticks(crew));
    atomic_store(&crew->start, 0);
    if (crew->count == 1 ? run_here(crew) : run_threads(crew, &measurement->failure))
        add_up(crew, measurement);
    interactive_wait();
    gate_destroy(&crew->gate);
}

void measurement_total(const struct measurement *measurement, struct counter *total)
{
    *total = measurement->counters[0];
    for (unsigned kind = 1; kind < measurement->kinds; kind++) {
        total->operations += measurement->counters[kind].operations;
        total->bytes += measurement->counters[kind].bytes;
        histogram_merge(&total->latencies, &measurement->counters[kind].latencies);
    }
}
