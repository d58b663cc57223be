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
#include <unistd.h>

/* How a record moves. */
enum way { WAY_READ, WAY_WRITE, WAY_PREAD, WAY_PWRITE, WAY_FROM_MAP, WAY_TO_MAP, WAY_FREAD, WAY_FWRITE };

struct access {
    int file; /* -1: not open */
    enum way way;
    FILE *stream;
    unsigned char *map;
    uint64_t map_size;
    char *buffer; /* of the stream */
    char name[32];
    bool seeks; /* lseek before each record */
};

/* The rest of access_move(): mappings and stdio. */
ssize_t access_move_in_memory(struct access *access, void *memory, size_t size, uint64_t offset);

/*
 * Move up to `size` bytes; answers as read() and write() do. Comparisons rather than a pointer to a function or a table
 * of jumps: after a system call the processor often cannot predict where an indirect jump goes, and that shows.
 */
static inline ssize_t access_move(struct access *access, void *memory, size_t size, uint64_t offset)
{
    if (access->way == WAY_READ)
        return read(access->file, memory, size);
    if (access->way == WAY_WRITE)
        return write(access->file, memory, size);
    if (access->way == WAY_PREAD)
        return pread(access->file, memory, size, (off_t)offset);
    if (access->way == WAY_PWRITE)
        return pwrite(access->file, memory, size, (off_t)offset);
    return access_move_in_memory(access, memory, size, offset);
}

static inline bool access_writes(const struct access *access)
{
    return access->way == WAY_WRITE || access->way == WAY_PWRITE || access->way == WAY_TO_MAP ||
           access->way == WAY_FWRITE;
}

/*
 * Open file `number` in a directory for an operation on `file_size` bytes in records of `record_size`. False, with the
 * failure; what is open then is closed by access_close().
 */
bool access_open(struct access *access, int directory, unsigned number, const struct operation *operation,
                 uint64_t file_size, uint64_t record_size, struct failure *failure);

/* Go to an offset, where a thread's part of a shared file begins. False, with errno, where that is impossible. */
bool access_go_to(struct access *access, uint64_t offset);

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
