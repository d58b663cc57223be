/* A thread's way to its file: by read and write, by pread and pwrite, through a mapping, or through stdio. */
#ifndef FSLOAD_SWEEP_ACCESS_H
#define FSLOAD_SWEEP_ACCESS_H

#include "failure.h"
#include "sweep/operations.h"
#include "sweep/settings.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct access {
    int file; /* -1: not open */
    FILE *stream;
    unsigned char *map;
    uint64_t map_size;
    char *buffer; /* of the stream */
    char name[32];
    bool seeks; /* lseek before each record */
    /* Move up to `size` bytes; as read() and write() answer. */
    ssize_t (*move)(struct access *access, void *memory, size_t size, uint64_t offset);
};

/*
 * Open file `number` in a directory for an operation on `file_size` bytes in records of `record_size`. False, with the
 * failure; what is open then is closed by access_close().
 */
bool access_open(struct access *access, int directory, unsigned number, const struct operation *operation,
                 uint64_t file_size, uint64_t record_size, struct failure *failure);

/* Hand what stdio holds back to the kernel. */
bool access_flush(struct access *access, struct failure *failure);

/* Until what was written is on the disk: fsync, or msync for a mapping. */
bool access_sync(struct access *access, struct failure *failure);

/* Close what is open; nothing where nothing is. */
bool access_close(struct access *access, struct failure *failure);

/*
 * A page of a mapping that cannot be had (full disk, I/O error) raises SIGBUS. While `guard` is set, it jumps there
 * instead of ending the program. For the calling thread.
 */
void access_guard(sigjmp_buf *guard);

#endif
