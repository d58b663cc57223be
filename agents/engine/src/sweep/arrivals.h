/*
 * When a thread's operations arrive: at a given rate, in equal intervals or as a Poisson process, whatever the device
 * does. The latency of an operation counts from its arrival, so that it includes the wait for earlier ones.
 */
#ifndef FSLOAD_SWEEP_ARRIVALS_H
#define FSLOAD_SWEEP_ARRIVALS_H

#include "crew.h"

#include <stdbool.h>
#include <stdint.h>

/* All times are in ticks. */
struct arrivals {
    double interval; /* the mean */
    bool poisson;
    struct random random;
    uint64_t start;
    double next;       /* since the start */
    double end;        /* since the start: the operations that arrive before it are done */
    uint64_t patience; /* the test ends before an operation that begins so much later than it arrived */
};

/* How a thread kept up with its arrivals. */
struct pace {
    uint64_t due;    /* operations that arrived until the end of the test */
    uint64_t behind; /* ticks between the arrival of the last operation and its beginning */
    bool overloaded; /* the thread's patience ended the test */
};

/*
 * The arrivals at a thread from now on, by the settings of the sweep, for so many operations or, if that is
 * UINT64_MAX, for the settings' time. The stream depends only on the seed and the thread.
 */
struct arrivals arrivals_make(const struct worker *worker, uint64_t operations);

/* The next arrival; it stays the next until arrivals_pass(). */
static inline uint64_t arrivals_next(const struct arrivals *arrivals)
{
    return arrivals->start + (uint64_t)arrivals->next;
}

/* Whether the next arrival is after the time of the test. */
static inline bool arrivals_ended(const struct arrivals *arrivals)
{
    return arrivals->next + 1 > arrivals->end; /* a tick for the rounding of a sum */
}

void arrivals_pass(struct arrivals *arrivals);

/* Nanoseconds that a thread may sleep until shortly before a time; 0 if the time is too near. */
uint64_t arrivals_sleep_ns(uint64_t until);

/* Wait for a time: sleep, and watch the clock for the last microseconds. False after a signal to end, or a failure. */
bool arrivals_wait(const struct worker *worker, uint64_t until);

#endif
