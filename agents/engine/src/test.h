/* One repetition of one test: runs its threads and adds up what they counted. */
#ifndef FSLOAD_TEST_H
#define FSLOAD_TEST_H

#include "options.h"
#include "worker.h"

/* The threads' memory, allocated once for all tests. */
struct crew {
    struct worker *workers;
    unsigned count;
};

enum outcome { OUTCOME_OK, OUTCOME_FAILED, OUTCOME_STOPPED };

struct measurement {
    enum outcome outcome;
    struct failure failure;
    uint64_t operations;
    uint64_t bytes;
    uint64_t elapsed_ns; /* from the first thread's start to the last one's end */
    struct cpu_time cpu;
    struct histogram latencies;
};

/* What is measured: one cell of the sweep. */
struct cell {
    const struct operation *operation;
    uint64_t file_size;
    uint64_t record_size;
};

/* False where there is not enough memory. */
bool crew_hire(struct crew *crew, const struct options *options);
void crew_dismiss(struct crew *crew);

/* Measure a cell. Files that it needs are made first, outside the time. */
void test_run(struct crew *crew, struct workspace *workspace, const struct options *options, const struct cell *cell,
              struct measurement *measurement);

#endif
