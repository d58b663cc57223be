/* A thread's records in flight: up to `depth` of them, through a ring of io_uring. */
#ifndef FSLOAD_SWEEP_FLIGHT_H
#define FSLOAD_SWEEP_FLIGHT_H

#include "crew.h"
#include "sweep/ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A record in flight, and its memory. */
struct slot {
    unsigned char *memory;
    uint64_t offset;
    uint64_t begun; /* in ticks: when the operation began, or arrived */
    size_t done;    /* bytes */
    size_t turn;    /* which of its places in the pool comes next */
};

struct flight {
    struct ring ring;
    struct slot *slots;
    unsigned *idle;     /* the slots that are not in flight */
    unsigned idle_count;
};

/* The memory of a thread's records in bytes, for a crew. */
uint64_t flight_bytes(uint64_t record_size);

/* Before the time, in the thread that flies: the ring and its slots. False, with the failure. */
bool flight_open(struct worker *worker, struct failure *failure);
void flight_close(struct worker *worker);

/* Move the records of a thread. False: failed or stopped; nothing is then in flight. */
bool flight_run(struct worker *worker);

#endif
