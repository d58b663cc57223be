/* Operations that arrive at a given rate, one at a time in each thread. */
#ifndef FSLOAD_SWEEP_PACED_H
#define FSLOAD_SWEEP_PACED_H

#include "sweep/arrivals.h"
#include "sweep/record.h"

#include <stdbool.h>

/* Whether another operation is to come. If the device cannot keep up, none, and the pace has what was due. */
bool paced_more(struct arrivals *arrivals, struct records *records, struct pace *pace);

/* Take the next operation, which begins now; returns the offset of its record. */
uint64_t paced_take(struct arrivals *arrivals, struct records *records, struct pace *pace);

/* Move the records of a thread as they arrive. False: failed or stopped. */
bool paced_run(struct worker *worker);

#endif
