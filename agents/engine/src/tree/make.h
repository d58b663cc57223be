/* Makes single files, as touch and dd do. */
#ifndef FSLOAD_TREE_MAKE_H
#define FSLOAD_TREE_MAKE_H

#include "crew.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Make a new file below an open directory and write `size` bytes in blocks of `block`; the last one may be shorter.
 * With `sync`, fsync the file before closing it. 0 bytes: only open and close. Counts no operation. False, with the
 * failure in the worker, or if stopped.
 */
bool make_file(struct worker *worker, int directory, const char *path, uint64_t size, uint64_t block, bool sync);

/* Write all these bytes at the current position. False, with a failure, if that is impossible. */
bool make_write(struct worker *worker, int file, const unsigned char *bytes, size_t size, const char *path,
                uint64_t offset);

/* fsync if required, and close. False, with a failure. */
bool make_close(struct worker *worker, int file, const char *path, bool sync);

#endif
