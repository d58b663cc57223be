/* The records of a thread, for all ways to move them: which, from where in memory, and whether their data are right. */
#ifndef FSLOAD_SWEEP_RECORD_H
#define FSLOAD_SWEEP_RECORD_H

#include "sweep/order.h"
#include "sweep/transfer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread's records, in the order of the operation. */
struct records {
    struct order order;
    uint64_t first; /* the first record of the thread's part of the file */
    size_t size;
    uint64_t seed;  /* of the order; each pass over the records has its own */
    uint64_t left;  /* operations; UINT64_MAX: no limit but the time */
};

struct access *access_of(const struct worker *worker);
unsigned file_number(const struct worker *worker);

/* The range of this thread's records: all of its own file, or its part of the shared one. */
void records_share(const struct worker *worker, uint64_t *first, uint64_t *count);

/* The records of this thread in the order of the operation, as many as the settings say. */
struct records records_of(const struct worker *worker);

/* The offset of the next record. After the last record begins the next pass. */
uint64_t records_next(struct records *records);

/* Fill a record with the bytes that verification expects at its offset. */
void record_pattern(struct worker *worker, unsigned char *record, uint64_t offset);

/* Check a record that was read. False, with the failure of the thread, if a byte is wrong. */
bool record_verify(struct worker *worker, const unsigned char *record, uint64_t offset);

/* Whether the record that records_next() returned last is the first of a pass. */
static inline bool records_began(const struct records *records)
{
    return records->order.next == 1;
}

/*
 * Move a record as the method says: the memory, the seek, and the whole transfer. `jumps`: the previous record was not
 * the one before it in the file. False: failed or stopped.
 */
bool record_move(struct worker *worker, uint64_t offset, bool jumps);

#endif
