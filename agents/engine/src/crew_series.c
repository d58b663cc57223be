#include "crew_series.h"

#include <string.h>

uint64_t crew_step_ticks(const struct crew *crew)
{
    return (uint64_t)((double)SERIES_STEP_NS / crew->ns_per_tick);
}

void worker_start_steps(struct worker *worker, uint64_t start)
{
    if (worker->crew->takes_latencies)
        series_start(&worker->series, start, crew_step_ticks(worker->crew));
}

/* The work of a thread so far, of all kinds. */
static struct step total_of(const struct worker *worker)
{
    struct step total = {0};

    for (unsigned kind = 0; kind < worker->crew->job->kinds; kind++) {
        total.operations += worker->counters[kind].operations;
        total.bytes += worker->counters[kind].bytes;
    }
    return total;
}

/*
 * The longest latency of a step is the maximum of the histograms, which start anew with each step: so an operation
 * costs only the comparison with the end of the step.
 */
static uint64_t longest_of_step(struct worker *worker)
{
    uint64_t longest = 0;

    for (unsigned kind = 0; kind < worker->crew->job->kinds; kind++) {
        struct counter *counter = &worker->counters[kind];
        uint64_t max = counter->latencies.max;

        longest = max > longest ? max : longest;
        counter->longest = max > counter->longest ? max : counter->longest;
        counter->latencies.max = 0;
    }
    return longest;
}

/* The time of this thread ends if all threads together are steady. */
static void end_if_steady(struct worker *worker, uint64_t operations, uint64_t now)
{
    struct crew *crew = worker->crew;
    uint64_t begun = worker->series.end - worker->series.width - atomic_load(&crew->start);

    if (steady_add(&crew->steady, begun, operations))
        worker->deadline = now;
}

__attribute__((cold)) void worker_close_steps(struct worker *worker, uint64_t now)
{
    struct step total = total_of(worker);
    struct step done = {total.operations - worker->counted.operations, total.bytes - worker->counted.bytes,
                        longest_of_step(worker)};

    if (worker->crew->job->until_steady && now >= worker->series.end)
        end_if_steady(worker, done.operations, now);
    series_close(&worker->series, done, now);
    worker->counted = total;
}

/* The longest latency of all steps is the maximum of the histograms. */
static void restore_maxima(struct worker *worker)
{
    longest_of_step(worker);
    for (unsigned kind = 0; kind < worker->crew->job->kinds; kind++)
        worker->counters[kind].latencies.max = worker->counters[kind].longest;
}

const struct series *crew_add_up_series(struct crew *crew)
{
    uint64_t end = 0;

    if (!crew->takes_latencies)
        return NULL;
    for (unsigned i = 0; i < crew->count; i++)
        end = crew->workers[i].before > end ? crew->workers[i].before : end;
    for (unsigned i = 0; i < crew->count; i++) {
        struct worker *worker = &crew->workers[i];

        worker_close_steps(worker, end);
        restore_maxima(worker);
        if (i == 0) {
            memset(crew->series.steps, 0, SERIES_STEPS * sizeof *crew->series.steps);
            crew->series.count = worker->series.count;
            crew->series.width = worker->series.width;
        }
        series_merge(&crew->series, &worker->series);
    }
    return &crew->series;
}
