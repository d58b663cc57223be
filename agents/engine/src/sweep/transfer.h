/* One test on the files of all threads. */
#ifndef FSLOAD_SWEEP_TRANSFER_H
#define FSLOAD_SWEEP_TRANSFER_H

#include "crew.h"
#include "sweep/access.h"
#include "sweep/arrivals.h"
#include "sweep/operations.h"

struct flight;

struct transfer {
    const struct operation *operation;
    uint64_t file_size;
    uint64_t record_size;
    int directory;
    uint64_t seed;
    struct access *accesses; /* one per thread */
    struct flight *flights;  /* the same; NULL: one record at a time, by the method */
    struct pace *paces;      /* the same; NULL: each operation follows the previous one */
    bool until_steady;       /* ends before its time when the rate of operations is steady */
};

/* The job of a transfer. */
struct job transfer_job(struct transfer *transfer);

#endif
