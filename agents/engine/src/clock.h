/* Wall clock and CPU time, in nanoseconds. */
#ifndef FSLOAD_CLOCK_H
#define FSLOAD_CLOCK_H

#include <stdint.h>

#define CLOCK_NAME "CLOCK_MONOTONIC"

/* The kernel knows the total to the nanosecond, but splits it by sampling, a few hundred times a second. */
struct cpu_time {
    uint64_t total_ns;
    uint64_t user_ns;
    uint64_t system_ns;
};

/* Nanoseconds since an arbitrary start; never goes back. */
uint64_t clock_now_ns(void);

/* One tick of clock_now_ns(), as the kernel states it. */
uint64_t clock_resolution_ns(void);

/* CPU time of the calling thread so far. */
struct cpu_time cpu_time_of_thread(void);
struct cpu_time cpu_time_difference(struct cpu_time later, struct cpu_time earlier);
struct cpu_time cpu_time_sum(struct cpu_time a, struct cpu_time b);

#endif
