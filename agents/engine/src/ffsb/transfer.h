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
    struct space *space; /* that writing takes; NULL: it overwrites */
    uint64_t *allowance;
    int file;
    uint64_t moved;
    bool cut; /* there was no space for all of it */
    /* The last block is counted only when the file is closed: what fsync and close take belongs to it. */
    bool pending;
    uint64_t pending_bytes;
};

/* From where the file's offset is; after each block the offset moves on by `skip`. False: failed or stopped. */
bool ffsb_sequential(struct ffsb_transfer *transfer, uint64_t offset, uint64_t size, uint64_t block, uint64_t skip);

/* As many whole blocks as `size` has, each somewhere in the first file_size bytes. */
bool ffsb_scattered(struct ffsb_transfer *transfer, uint64_t file_size, uint64_t size, uint64_t block);

/* Somewhere from 0 to range, by chance. */
uint64_t ffsb_draw_offset(const struct ffsb_transfer *transfer, uint64_t range);

bool ffsb_seek(struct ffsb_transfer *transfer, uint64_t offset);

/* fsync the file if required, close it, and count the pending operation; a file without blocks counts as one. */
bool ffsb_transfer_end(struct ffsb_transfer *transfer, bool ok, bool sync);

#endif
