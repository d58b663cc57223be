#include "clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#define NS_PER_S 1000000000U
#define NS_PER_US 1000U

bool clock_has_tsc;

/* Both clocks at the start. */
static uint64_t first_ns;
static uint64_t first_ticks;

static uint64_t timespec_ns(struct timespec time)
{
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

static uint64_t timeval_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_usec * NS_PER_US;
}

uint64_t clock_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now); /* fails only for a clock that does not exist */
    return timespec_ns(now);
}

uint64_t clock_resolution_ns(void)
{
    struct timespec tick;

    clock_getres(CLOCK_MONOTONIC, &tick);
    return timespec_ns(tick);
}

static bool kernel_uses_tsc(void)
{
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    char name[16] = "";
    bool tsc;

    if (!file)
        return false;
    tsc = fgets(name, sizeof name, file) && !strcmp(name, "tsc\n");
    fclose(file);
    return tsc;
}

void clock_start(void)
{
    clock_has_tsc = kernel_uses_tsc();
    first_ns = clock_now_ns();
    first_ticks = clock_ticks();
}

double clock_ns_per_tick(void)
{
    uint64_t ns = clock_now_ns() - first_ns;
    uint64_t ticks = clock_ticks() - first_ticks;

    return clock_has_tsc && ticks ? (double)ns / (double)ticks : 1.0;
}

struct cpu_time cpu_time_of_thread(void)
{
    struct rusage usage;
    struct timespec total;

    getrusage(RUSAGE_THREAD, &usage);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &total);
    return (struct cpu_time){timespec_ns(total), timeval_ns(usage.ru_utime), timeval_ns(usage.ru_stime)};
}

struct cpu_time cpu_time_difference(struct cpu_time later, struct cpu_time earlier)
{
    return (struct cpu_time){
        later.total_ns - earlier.total_ns,
        later.user_ns - earlier.user_ns,
        later.system_ns - earlier.system_ns,
    };
}

struct cpu_time cpu_time_sum(struct cpu_time a, struct cpu_time b)
{
    return (struct cpu_time){a.total_ns + b.total_ns, a.user_ns + b.user_ns, a.system_ns + b.system_ns};
}
