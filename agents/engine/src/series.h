/*
 * The work of a thread over time, in steps that double when the memory for them is full. A step has all operations
 * that ended in it.
 */
#ifndef FSLOAD_SERIES_H
#define FSLOAD_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#define SERIES_STEPS 600U /* even */
#define SERIES_STEP_NS UINT64_C(100000000)
/* Nearly two seconds: fewer steps show nothing. A measurement of 2 s may be a little shorter. */
#define SERIES_LEAST_STEPS 19U

struct step {
    uint64_t operations;
    uint64_t bytes;
    uint64_t longest; /* latency in ticks */
};

struct series {
    uint64_t end;   /* of the current step, in ticks; UINT64_MAX: steps are not kept */
    uint64_t width; /* of a step, in ticks */
    unsigned count; /* of complete steps */
    struct step *steps;
};

/* Memory for the steps. False: there is not enough. */
bool series_allocate(struct series *series);
void series_free(struct series *series);

/* Keep no steps, until series_start(). */
void series_stop(struct series *series);

/* The first step begins, in ticks. */
void series_start(struct series *series, uint64_t start, uint64_t width);

/* Close the current step, which has this work, and all steps after it that ended by `now`: they are empty. */
void series_close(struct series *series, struct step work, uint64_t now);

/* Add the steps of a series that began and was closed at the same times. */
void series_merge(struct series *into, const struct series *from);

#endif
