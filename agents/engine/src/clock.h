/* Wall clock and CPU time, in nanoseconds, and a faster clock for the latency of single operations. */
#ifndef FSLOAD_CLOCK_H
#define FSLOAD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define CLOCK_NAME "CLOCK_MONOTONIC"

/* The kernel's total is exact to the nanosecond, but it is split by sampling, a few hundred times a second. */
struct cpu_time {
    uint64_t total_ns;
    uint64_t user_ns;
    uint64_t system_ns;
};

/* Nanoseconds since an arbitrary start; never goes back. */
uint64_t clock_now_ns(void);

/* One tick of clock_now_ns(), as the kernel states it. */
uint64_t clock_resolution_ns(void);

/*
 * Choose the clock that clock_ticks() reads: on x86 the time stamp counter if the kernel keeps its own time by it
 * (which requires one rate on all processors), otherwise clock_now_ns(). Reading the counter takes half as long as a
 * call of the kernel. Call once, before any other thread starts.
 */
void clock_start(void);

/* Whether clock_ticks() is the time stamp counter. */
extern bool clock_has_tsc;

static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
    if (clock_has_tsc)
        return __builtin_ia32_rdtsc();
#endif
    return clock_now_ns();
}

/* Nanoseconds in a tick, measured since clock_start(): accurate to 1 in 10,000 after a millisecond. */
double clock_ns_per_tick(void);

/* CPU time of the calling thread so far. */
struct cpu_time cpu_time_of_thread(void);
struct cpu_time cpu_time_difference(struct cpu_time later, struct cpu_time earlier);
struct cpu_time cpu_time_sum(struct cpu_time a, struct cpu_time b);

#endif
