#include "sweep/arrivals.h"

#include "sweep/settings.h"

#include <math.h>
#include <sys/prctl.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
/* A thread that sleeps wakes up some tens of microseconds late, so it sleeps until so long before the time. */
#define AWAKE_NS 100000
/* Sleep no longer at once, so that a failure of another thread is noticed. */
#define LONGEST_SLEEP_NS 100000000
/* A number that distinguishes the stream of arrivals from the thread's other streams. */
#define STREAM UINT64_C(0x6172726976616c73)

struct arrivals arrivals_make(const struct worker *worker, uint64_t operations)
{
    double ticks_per_second = (double)NS_PER_S / clock_ns_per_tick();
    double interval = ticks_per_second / sweep_settings.rate;
    double time = operations == UINT64_MAX ? sweep_settings.seconds * ticks_per_second : (double)operations * interval;
    struct arrivals arrivals = {
        .interval = interval,
        .poisson = sweep_settings.arrivals == ARRIVALS_POISSON,
        .random = {random_mix(random_mix(worker->crew->seed, STREAM), worker->index)},
        .start = worker->before,
        .end = operations == UINT64_MAX ? time : INFINITY,
        .patience = (uint64_t)(time + ticks_per_second), /* so the test takes about twice its time at most */
    };

    prctl(PR_SET_TIMERSLACK, 1); /* otherwise the kernel delays the end of each sleep by up to 50 µs */
    if (arrivals.poisson)
        arrivals_pass(&arrivals);
    else /* the threads in turn, as one source would be */
        arrivals.next += interval * worker->index / (double)worker->crew->count;
    return arrivals;
}

void arrivals_pass(struct arrivals *arrivals)
{
    arrivals->next += arrivals->poisson ? -log(1 - random_real(&arrivals->random)) * arrivals->interval
                                        : arrivals->interval;
}

uint64_t arrivals_sleep_ns(uint64_t until)
{
    uint64_t now = clock_ticks();
    double ns = until > now ? (double)(until - now) * clock_ns_per_tick() : 0;

    if (ns <= AWAKE_NS)
        return 0;
    return ns - AWAKE_NS < LONGEST_SLEEP_NS ? (uint64_t)(ns - AWAKE_NS) : LONGEST_SLEEP_NS;
}

bool arrivals_wait(const struct worker *worker, uint64_t until)
{
    uint64_t ns;

    while (worker_goes_on(worker) && (ns = arrivals_sleep_ns(until)) > 0) {
        struct timespec pause = {.tv_nsec = (long)ns};

        nanosleep(&pause, NULL); /* a signal ends it early, and the loop */
    }
    while (clock_ticks() < until)
        if (!worker_goes_on(worker))
            return false;
    return worker_goes_on(worker);
}
