/* Writing, reading and making whole files; calls that are cut short or interrupted are continued. */
#ifndef FSLOAD_FILE_H
#define FSLOAD_FILE_H

#include "data.h"
#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of an offset: the current position of the file. */
#define FILE_HERE (-1)

/* Bytes written: all, or fewer with errno: the call's, ENOSPC if it wrote nothing, EINTR after a signal to end. */
size_t file_write(int file, const void *bytes, size_t size, int64_t offset);

/* Bytes read: all, or fewer with errno: the call's, 0 at the end of the file, EINTR after a signal to end. */
size_t file_read(int file, void *bytes, size_t size, int64_t offset);

/* Write `size` bytes in blocks of `block`; the last one may be shorter. False: failed or stopped. */
bool file_fill(int file, const char *name, uint64_t size, uint64_t block, struct data *data, struct failure *failure);

/* Make a new file of `size` bytes, opened with these additional flags. False: failed or stopped. */
bool file_make(int directory, const char *name, int flags, uint64_t size, uint64_t block, struct data *data,
               struct failure *failure);

/* Make a directory and open it; -1 if that failed. */
int directory_make(int parent, const char *name, struct failure *failure);

#endif
