/* The series of a crew's threads: the work in each step is the growth of their counters. */
#ifndef FSLOAD_CREW_SERIES_H
#define FSLOAD_CREW_SERIES_H

#include "crew.h"

/* The width of the first steps. */
uint64_t crew_step_ticks(const struct crew *crew);

/* The first step begins at `start`, in ticks, if latencies are taken: the clock is then read for each operation. */
void worker_start_steps(struct worker *worker, uint64_t start);

/*
 * Close the steps of all threads at the end of the last one, so that they are the same, and add them up. Completes the
 * counters too: call it once after the threads have ended. NULL: there are no steps.
 */
const struct series *crew_add_up_series(struct crew *crew);

#endif
