#include "failure.h"

#include "stop.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool failure_set(struct failure *failure, const char *call, const char *file, uint64_t offset)
{
    return failure_set_error(failure, call, errno, file, offset);
}

bool failure_set_error(struct failure *failure, const char *call, int error, const char *file, uint64_t offset)
{
    size_t length = strlen(file);
    size_t skipped = length >= FAILURE_FILE_LENGTH ? length - FAILURE_FILE_LENGTH + 1 : 0;

    if (error == EINTR && stop_requested()) {
        *failure = (struct failure){0};
        return false;
    }
    *failure = (struct failure){.call = call, .error = error, .offset = offset};
    memcpy(failure->file, file + skipped, length - skipped + 1);
    return false;
}

const char *failure_message(const struct failure *failure)
{
    if (failure->error)
        return strerror(failure->error);
    return strcmp(failure->call, "verify") ? "unexpected end of file" : "the data are not those that were written";
}
