/* A system call that failed: what a result line says about it. */
#ifndef FSLOAD_FAILURE_H
#define FSLOAD_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAILURE_FILE_LENGTH 32

struct failure {
    const char *call; /* NULL: nothing failed */
    int error;        /* errno; 0 where a read met the end of the file */
    char file[FAILURE_FILE_LENGTH];
    uint64_t offset;
};

static inline bool failed(const struct failure *failure)
{
    return failure->call != NULL;
}

#endif
