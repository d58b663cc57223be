#include "file.h"

#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether to repeat a call that moved nothing. */
static bool again(ssize_t moved, int error_of_nothing)
{
    if (moved == 0)
        errno = error_of_nothing;
    return moved < 0 && errno == EINTR && !stop_requested();
}

size_t file_write(int file, const void *bytes, size_t size, int64_t offset)
{
    const unsigned char *from = bytes;
    size_t done = 0;

    while (done < size) {
        ssize_t moved = offset < 0 ? write(file, from + done, size - done)
                                   : pwrite(file, from + done, size - done, offset + (int64_t)done);

        if (moved > 0)
            done += (size_t)moved;
        else if (!again(moved, ENOSPC))
            break;
    }
    return done;
}

size_t file_read(int file, void *bytes, size_t size, int64_t offset)
{
    unsigned char *to = bytes;
    size_t done = 0;

    while (done < size) {
        ssize_t moved = offset < 0 ? read(file, to + done, size - done)
                                   : pread(file, to + done, size - done, offset + (int64_t)done);

        if (moved > 0)
            done += (size_t)moved;
        else if (!again(moved, 0))
            break;
    }
    return done;
}

bool file_fill(int file, const char *name, uint64_t size, uint64_t block, struct data *data, struct failure *failure)
{
    for (uint64_t done = 0; done < size;) {
        size_t part = (size_t)(size - done < block ? size - done : block);
        size_t moved = 0;

        errno = EINTR;
        if (!stop_requested())
            moved = file_write(file, data_record(data, part), part, FILE_HERE);
        if (moved < part)
            return failure_set(failure, "write", name, done + moved);
        done += part;
    }
    return true;
}

bool file_make(int directory, const char *name, int flags, uint64_t size, uint64_t block, struct data *data,
               struct failure *failure)
{
    int file = openat(directory, name, flags | O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool filled;

    if (file < 0)
        return failure_set(failure, "open", name, 0);
    filled = file_fill(file, name, size, block, data, failure);
    if (close(file) && filled)
        return failure_set(failure, "close", name, 0);
    return filled;
}

int directory_make(int parent, const char *name, struct failure *failure)
{
    int directory;

    if (mkdirat(parent, name, 0700)) {
        failure_set(failure, "mkdir", name, 0);
        return -1;
    }
    directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0)
        failure_set(failure, "open", name, 0);
    return directory;
}
