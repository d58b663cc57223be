/*
 * The threads of a measurement: they start together, each counts its operations, and the first failure stops all
 * of them. A crew is hired once and runs one job after another.
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
#include "series.h"
#include "steady.h"
#include "stop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Number of operations of each thread in the digest of their sequence. */
#define SEQUENCE_LENGTH 1000U

/* The totals of one kind of operation. Latencies are in ticks of the clock. */
struct counter {
    uint64_t operations;
    uint64_t bytes;
    uint64_t longest; /* latency in the complete steps of the series; latencies.max is that of the current step */
    struct histogram latencies;
};

struct crew;

struct worker {
    struct crew *crew;
    unsigned index; /* from 0 */
    void *task;     /* the job's */
    struct data data;
    struct random random; /* this thread's stream; starts anew with each job */
    struct counter *counters; /* one per kind of operation */
    uint64_t before;   /* when the current operation began, in ticks */
    uint64_t deadline; /* in ticks; UINT64_MAX: none */
    struct series series;
    struct step counted; /* in its complete steps */
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

/* The work of the threads. */
struct job {
    unsigned kinds;                   /* of operations, each with a counter; at least 1 */
    bool (*prepare)(struct worker *); /* before the time; may be NULL. False: it failed */
    bool (*run)(struct worker *);     /* timed. False: it failed, or was stopped before all was done */
    bool (*finish)(struct worker *);  /* after the time, if prepare succeeded; may be NULL */
    void *task;
    uint64_t duration_ns; /* worker_goes_on() is false after that; 0: no limit */
    bool until_steady;    /* also false when the rate of operations is steady */
};

enum outcome { OUTCOME_OK, OUTCOME_FAILED, OUTCOME_STOPPED };

/* The result of all threads together. */
struct measurement {
    enum outcome outcome;
    struct failure failure;
    unsigned threads;
    unsigned kinds;
    struct counter *counters; /* one per kind; owned by the crew, valid until its next job */
    uint64_t start_ns;        /* of the first thread, by clock_now_ns() */
    uint64_t elapsed_ns;      /* from then to the last thread's end */
    bool until_steady;
    uint64_t steady_ns; /* when the first steady window ended, after start_ns; 0: never */
    const struct series *series; /* of all threads and kinds; owned by the crew, as above. NULL: none */
    struct cpu_time cpu;
    struct device_bytes device; /* moved by the device in that time, for any process */
    uint64_t sequence;
};

struct crew {
    struct worker *workers;
    unsigned count;
    unsigned kinds; /* of operations that have counters */
    struct counter *totals;
    struct series series;
    struct steady steady;
    uint64_t seed;
    bool takes_latencies;
    const struct job *job;
    struct device_bytes device_before;
    struct gate gate;
    double ns_per_tick;
    _Atomic uint64_t start;  /* of the first thread, in ticks; 0: no thread has started */
    atomic_uint measuring;   /* threads whose time has not ended */
    atomic_int first_failed; /* index of the thread that failed first; -1 if none did */
};

/* Threads with memory for records of up to max_record bytes and counters for `kinds`. False: not enough memory. */
bool crew_hire(struct crew *crew, unsigned count, unsigned kinds, size_t max_record);
void crew_dismiss(struct crew *crew);

/* Run a job, and store its outcome in the measurement. */
void crew_run(struct crew *crew, const struct job *job, struct measurement *measurement);

/* Add up all kinds in one counter. */
void measurement_total(const struct measurement *measurement, struct counter *total);

/* Whether to do another operation: no signal came, no thread has failed, and time is left. */
static inline bool worker_goes_on(const struct worker *worker)
{
    return !stop_requested() && atomic_load_explicit(&worker->crew->first_failed, memory_order_relaxed) < 0 &&
           worker->before < worker->deadline;
}

/* Whether time is left, if the job has a time or ends when it is steady. */
static inline bool worker_has_time(const struct worker *worker)
{
    return worker->before < worker->deadline;
}

/* Start the clock of an operation. Not needed if an operation starts at the end of the previous one. */
static inline void worker_begin(struct worker *worker)
{
    worker->before = clock_ticks();
}

/* Close the steps of the series that ended by now, in ticks, before an operation that ends now is counted. */
void worker_close_steps(struct worker *worker, uint64_t now);

/* Count a finished operation that moved this number of bytes. */
static inline void worker_count(struct worker *worker, unsigned kind, uint64_t bytes)
{
    struct counter *counter = &worker->counters[kind];

    if (worker->takes_latencies) {
        uint64_t now = clock_ticks();

        if (__builtin_expect(now >= worker->series.end, 0))
            worker_close_steps(worker, now);
        histogram_add(&counter->latencies, now - worker->before);
        worker->before = now;
    }
    counter->operations++;
    counter->bytes += bytes;
}

/* Enter the next operation (kind, file, offset, …) into the digest of the first operations. */
static inline void worker_sequence(struct worker *worker, uint64_t what, uint64_t where)
{
    if (worker->sequence_length == SEQUENCE_LENGTH)
        return;
    worker->sequence_length++;
    worker->sequence = random_mix(random_mix(worker->sequence, what), where);
}

/* Record a failed system call with the current errno in the result, and stop the other threads. Returns false. */
bool worker_fail(struct worker *worker, const char *call, const char *file, uint64_t offset);

/* As worker_fail() with an error number: 0 for a file that ended too early (call "read"). */
bool worker_fail_error(struct worker *worker, const char *call, int error, const char *file, uint64_t offset);

/* As worker_fail() with a complete failure. */
bool worker_pass_on(struct worker *worker, const struct failure *failure);

#endif
