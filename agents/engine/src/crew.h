/*
 * The threads of a measurement: they start together, each counts what it does, the first failure stops all of them.
 * A crew is hired once and runs one job after another.
 */
#ifndef FSLOAD_CREW_H
#define FSLOAD_CREW_H

#include "clock.h"
#include "data.h"
#include "device.h"
#include "failure.h"
#include "gate.h"
#include "histogram.h"
#include "random.h"
#include "stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How many operations of each thread go into the digest of their sequence. */
#define SEQUENCE_LENGTH 1000U

/* What was done of one kind of operation. Latencies are in ticks of the clock. */
struct counter {
    uint64_t operations;
    uint64_t bytes;
    struct histogram latencies;
};

struct crew;

struct worker {
    struct crew *crew;
    unsigned index; /* from 0 */
    void *task;     /* the job's */
    struct data data;
    struct random random; /* this thread's stream; starts anew with each job */
    struct counter *counters; /* one a kind of operation */
    uint64_t before;   /* when the current operation began, in ticks */
    uint64_t deadline; /* in ticks; UINT64_MAX: none */
    bool takes_latencies;
    uint64_t sequence;
    unsigned sequence_length;
    struct failure failure;
    struct cpu_time cpu;
    struct device_bytes device; /* at its end */
    uint64_t start_ns;
    uint64_t end_ns;
    bool complete;
    pthread_t thread;
};

/* What the threads are to do. */
struct job {
    unsigned kinds;                   /* of operations, each with a counter; at least 1 */
    bool (*prepare)(struct worker *); /* before the time; may be NULL. False: it failed */
    bool (*run)(struct worker *);     /* timed. False: it failed, or was stopped before all was done */
    bool (*finish)(struct worker *);  /* after the time, wherever prepare went well; may be NULL */
    void *task;
    uint64_t duration_ns; /* worker_goes_on() says no after that; 0: it never does for the time's sake */
};

enum outcome { OUTCOME_OK, OUTCOME_FAILED, OUTCOME_STOPPED };

/* What the threads did together. */
struct measurement {
    enum outcome outcome;
    struct failure failure;
    unsigned threads;
    unsigned kinds;
    struct counter *counters; /* one a kind; they belong to the crew and last until its next job */
    uint64_t elapsed_ns;      /* from the first thread's start to the last one's end */
    struct cpu_time cpu;
    struct device_bytes device; /* what the device moved meanwhile, whoever asked for it */
    uint64_t sequence;
};

struct crew {
    struct worker *workers;
    unsigned count;
    unsigned kinds; /* there are counters for so many */
    struct counter *totals;
    uint64_t seed;
    bool takes_latencies;
    const struct job *job;
    struct device_bytes device_before;
    struct gate gate;
    _Atomic uint64_t deadline; /* of a job with a duration, in ticks; 0: no thread has started */
    atomic_uint measuring;   /* threads whose time has not ended */
    atomic_int first_failed; /* index of the thread that failed first; -1 where none did */
};

/* Threads with memory for records of up to max_record bytes and counters for `kinds`. False: not enough memory. */
bool crew_hire(struct crew *crew, unsigned count, unsigned kinds, size_t max_record);
void crew_dismiss(struct crew *crew);

/* Do a job. The measurement says how it went. */
void crew_run(struct crew *crew, const struct job *job, struct measurement *measurement);

/* The whole of all kinds, as one counter. */
void measurement_total(const struct measurement *measurement, struct counter *total);

/* Whether to do another operation: nobody stopped us, no thread has failed, and there is time left. */
static inline bool worker_goes_on(const struct worker *worker)
{
    return !stop_requested() && atomic_load_explicit(&worker->crew->first_failed, memory_order_relaxed) < 0 &&
           worker->before < worker->deadline;
}

/* The clock of an operation starts. Not needed where the end of one operation is the start of the next. */
static inline void worker_begin(struct worker *worker)
{
    worker->before = clock_ticks();
}

/* An operation that moved so many bytes has ended. */
static inline void worker_count(struct worker *worker, unsigned kind, uint64_t bytes)
{
    struct counter *counter = &worker->counters[kind];
    uint64_t now;

    counter->operations++;
    counter->bytes += bytes;
    if (!worker->takes_latencies)
        return;
    now = clock_ticks();
    histogram_add(&counter->latencies, now - worker->before);
    worker->before = now;
}

/* Enter what is about to be done (kind, file, offset, …) into the digest of the first operations. */
static inline void worker_sequence(struct worker *worker, uint64_t what, uint64_t where)
{
    if (worker->sequence_length == SEQUENCE_LENGTH)
        return;
    worker->sequence_length++;
    worker->sequence = random_mix(random_mix(worker->sequence, what), where);
}

/* A system call failed, with errno as of now: the result says so, and the other threads stop. Returns false. */
bool worker_fail(struct worker *worker, const char *call, const char *file, uint64_t offset);

/* The same with an error number: 0 for a file that ended too early (call "read"). */
bool worker_fail_error(struct worker *worker, const char *call, int error, const char *file, uint64_t offset);

/* The same with a failure that is filled in already. */
bool worker_pass_on(struct worker *worker, const struct failure *failure);

#endif
