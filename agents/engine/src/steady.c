#include "steady.h"

#include "common.h"

#include <math.h>
#include <string.h>

#define MOST_RANGE 0.20
#define MOST_SLOPE 0.10

bool steady_check(double seconds)
{
    if (common.no_latencies)
        return options_complain("--steady-state needs the time of each operation", "--no-latencies");
    return seconds <= STEADY_MOST_SECONDS ||
           options_complain("--steady-state needs a time of at most 900 seconds", "--seconds");
}

void steady_start(struct steady *steady, uint64_t step_ticks)
{
    memset(steady->operations, 0, sizeof steady->operations);
    steady->bucket_ticks = STEADY_BUCKET_STEPS * step_ticks;
    steady->reached = 0;
}

/* The range is at most 20 % of the mean, and the least-squares line moves by at most 10 % of it. */
static bool is_steady(const uint64_t window[STEADY_WINDOW])
{
    double sum = 0, moment = 0, variance = 0, mean;
    uint64_t least = window[0], most = window[0];

    for (unsigned i = 0; i < STEADY_WINDOW; i++) {
        double time = i - (STEADY_WINDOW - 1) / 2.0;

        least = window[i] < least ? window[i] : least;
        most = window[i] > most ? window[i] : most;
        sum += (double)window[i];
        moment += time * (double)window[i];
        variance += time * time;
    }
    mean = sum / STEADY_WINDOW;
    return mean > 0 && (double)(most - least) <= MOST_RANGE * mean &&
           fabs(moment) / variance * (STEADY_WINDOW - 1) <= MOST_SLOPE * mean;
}

bool steady_add(struct steady *steady, uint64_t ticks, uint64_t operations)
{
    uint64_t bucket = ticks / steady->bucket_ticks;
    bool reached;

    pthread_mutex_lock(&steady->mutex);
    if (bucket < STEADY_BUCKETS) {
        steady->operations[bucket] += operations;
        if (!steady->reached && bucket > STEADY_WINDOW &&
            is_steady(&steady->operations[bucket - 1 - STEADY_WINDOW]))
            steady->reached = (unsigned)bucket - 1;
    }
    reached = steady->reached;
    pthread_mutex_unlock(&steady->mutex);
    return reached;
}

uint64_t steady_reached(const struct steady *steady)
{
    return steady->reached * steady->bucket_ticks;
}
