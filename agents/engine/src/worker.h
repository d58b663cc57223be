/* One thread of one test: opens its file, goes through its records, and counts. */
#ifndef FSLOAD_WORKER_H
#define FSLOAD_WORKER_H

#include "clock.h"
#include "data.h"
#include "failure.h"
#include "gate.h"
#include "histogram.h"
#include "operations.h"
#include "workspace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What the threads of a test have in common. */
struct task {
    const struct operation *operation;
    const struct workspace *workspace;
    uint64_t file_size;
    uint64_t record_size;
    uint64_t seed;
    bool fsync;
    bool direct;
    atomic_int first_failed; /* index of the thread that failed first; -1 where none did */
    struct gate gate;
};

struct worker {
    pthread_t thread;
    unsigned index;
    struct task *task;
    struct data data;
    struct histogram latencies;
    struct failure failure;
    struct cpu_time cpu;
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t operations;
    bool complete; /* did all of its records */
};

/* Thread body; takes a struct worker. */
void *worker_main(void *argument);

#endif
