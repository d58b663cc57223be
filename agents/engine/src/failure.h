/* A failed system call, as in a result line. */
#ifndef FSLOAD_FAILURE_H
#define FSLOAD_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for a path in a tree; a longer one keeps its end. */
#define FAILURE_FILE_LENGTH 256

struct failure {
    const char *call; /* as POSIX names it, without an "at" at its end; NULL: nothing failed */
    int error;        /* errno; 0 if the file ended too early or its data differ */
    char file[FAILURE_FILE_LENGTH];
    uint64_t offset;
};

static inline bool failed(const struct failure *failure)
{
    return failure->call != NULL;
}

/*
 * Fill in a failure, with the current errno. Returns false, so that a caller can return it. A call interrupted by a
 * signal to end has not failed and leaves the failure empty.
 */
bool failure_set(struct failure *failure, const char *call, const char *file, uint64_t offset);

/* The same with a given error number: 0 for "the file ended" (call "read") and "the data differ" (call "verify"). */
bool failure_set_error(struct failure *failure, const char *call, int error, const char *file, uint64_t offset);

/* The error message of a failure. */
const char *failure_message(const struct failure *failure);

#endif
