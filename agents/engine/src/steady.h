/*
 * Whether all threads together work at a steady rate: SNIA's rule in five successive buckets of 1.6 s. Buckets are
 * sums of complete steps of the threads' series, whatever their width is by then.
 */
#ifndef FSLOAD_STEADY_H
#define FSLOAD_STEADY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define STEADY_WINDOW 5U
#define STEADY_BUCKET_STEPS 16U /* of the first width; a wider step has this width at most until STEADY_MOST_SECONDS */
#define STEADY_MOST_SECONDS 900U
#define STEADY_BUCKETS 576U

struct steady {
    pthread_mutex_t mutex; /* taken once a step by each thread */
    uint64_t bucket_ticks;
    uint64_t operations[STEADY_BUCKETS];
    unsigned reached; /* buckets until the end of the first steady window; 0: not yet */
};

/* Whether a run of at most so many seconds (0: it ends otherwise) can end when it is steady; complains if not. */
bool steady_check(double seconds);

/* Begin anew, with steps of this width in ticks. */
void steady_start(struct steady *steady, uint64_t step_ticks);

/*
 * Add the operations of a thread in a step that began so many ticks after the start. Returns whether the rate is
 * steady. The last two buckets are not judged: other threads may not have closed their steps.
 */
bool steady_add(struct steady *steady, uint64_t ticks, uint64_t operations);

/* When the first steady window ended, in ticks after the start; 0: never. */
uint64_t steady_reached(const struct steady *steady);

#endif
