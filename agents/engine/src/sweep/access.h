/* A thread's access to its file: by read and write, pread and pwrite, a mapping, or stdio. */
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
 * Move up to `size` bytes; returns the same as read() and write(). Uses comparisons rather than a function pointer or a
 * jump table: after a system call the processor often mispredicts an indirect jump, and the delay is measurable.
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
 * failure; access_close() then closes whatever is open.
 */
bool access_open(struct access *access, int directory, unsigned number, const struct operation *operation,
                 uint64_t file_size, uint64_t record_size, struct failure *failure);

/* Go to the offset of a thread's part of a shared file. False, with errno, if that is impossible. */
bool access_go_to(struct access *access, uint64_t offset);

/* Pass the data in stdio's buffer to the kernel. */
bool access_flush(struct access *access, struct failure *failure);

/* Wait until written data are on the disk: fsync, or msync for a mapping. */
bool access_sync(struct access *access, struct failure *failure);

/* Close the file and its mapping or stream, if open. */
bool access_close(struct access *access, struct failure *failure);

/*
 * A page of a mapping that cannot be provided (full disk, I/O error) raises SIGBUS. While `guard` is set, the signal
 * jumps there instead of ending the program. For the calling thread.
 */
void access_guard(sigjmp_buf *guard);

#endif
