/*
 * A ring of io_uring: reads and writes that are in flight together, submitted and completed in batches by one system
 * call. For one thread. Needs only the kernel's own header; without it, ring_open() fails with ENOSYS.
 */
#ifndef FSLOAD_SWEEP_RING_H
#define FSLOAD_SWEEP_RING_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct io_uring_sqe;
struct io_uring_cqe;

struct ring {
    int file;            /* the ring's own; -1: not open */
    int data_file;       /* the file to read and write */
    bool registered;     /* data_file and memory are known to the kernel in advance */
    bool writes;
    void *rings;         /* mapping of both queues */
    size_t rings_size;
    struct io_uring_sqe *entries;
    size_t entries_size;
    unsigned *submission_tail;
    unsigned submission_mask;
    unsigned *completion_head;
    unsigned *completion_tail;
    unsigned completion_mask;
    const struct io_uring_cqe *completions;
    unsigned tail;       /* of the submissions, including those that the kernel has not seen */
    unsigned unsubmitted;
};

/* What a ring is for. */
struct ring_use {
    int file;
    bool writes;
    bool registered; /* tell the kernel the file and the memory beforehand */
    void *memory;    /* all records lie in it */
    size_t size;
    unsigned depth;  /* the greatest number of records in flight */
};

/* The reason why this machine has no io_uring, as a sentence's end; NULL if it has. */
const char *ring_missing(void);

/* Open a ring in the thread that uses it. False, with the failure; nothing is then open. */
bool ring_open(struct ring *ring, const struct ring_use *use, struct failure *failure);

/* Nothing may be in flight. */
void ring_close(struct ring *ring);

/* Queue the transfer of a record; `slot` is returned with its completion. At most `depth` may be queued or in flight. */
void ring_queue(struct ring *ring, unsigned slot, void *memory, size_t size, uint64_t offset);

/*
 * Submit what is queued, and wait for `least` completions or until `timeout_ns` (UINT64_MAX: none) has passed. False,
 * with errno, if the system call failed; EINTR if a signal came first.
 */
bool ring_enter(struct ring *ring, unsigned least, uint64_t timeout_ns);

/* Take the next completion: its slot and the result of the call, which is the negative errno if it failed. */
bool ring_take(struct ring *ring, unsigned *slot, ssize_t *moved);

#endif
