/* Reading and writing in blocks, each of which counts as one operation, as FFSB counts. */
#ifndef FSLOAD_FFSB_TRANSFER_H
#define FSLOAD_FFSB_TRANSFER_H

#include "crew.h"
#include "space.h"

struct ffsb_transfer {
    struct worker *worker;
    unsigned counter;
    const char *name;
    bool writes;
    bool aligned;             /* random offsets are multiples of 4096 */
    struct space *space; /* from which writes take bytes; NULL: they overwrite */
    uint64_t *allowance;
    int file;
    uint64_t moved;
    bool cut; /* there was not enough space for all blocks */
    /* The last block is counted only when the file is closed, because its time includes fsync and close. */
    bool pending;
    uint64_t pending_bytes;
};

/* Move blocks from the file's current offset on, skipping `skip` bytes after each. False: failed or stopped. */
bool ffsb_sequential(struct ffsb_transfer *transfer, uint64_t offset, uint64_t size, uint64_t block, uint64_t skip);

/* Move as many whole blocks as `size` has, each at a random offset in the first file_size bytes. */
bool ffsb_scattered(struct ffsb_transfer *transfer, uint64_t file_size, uint64_t size, uint64_t block);

/* A random offset from 0 to range. */
uint64_t ffsb_draw_offset(const struct ffsb_transfer *transfer, uint64_t range);

bool ffsb_seek(struct ffsb_transfer *transfer, uint64_t offset);

/* fsync the file if required, close it, and count the pending operation; a file without blocks counts as one. */
bool ffsb_transfer_end(struct ffsb_transfer *transfer, bool ok, bool sync);

#endif
