#include "tree/make.h"

#include "file.h"

#include <fcntl.h>
#include <unistd.h>

bool make_write(struct worker *worker, int file, const unsigned char *bytes, size_t size, const char *path,
                uint64_t offset)
{
    size_t done = file_write(file, bytes, size, FILE_HERE);

    return done == size || worker_fail(worker, "write", path, offset + done);
}

bool make_close(struct worker *worker, int file, const char *path, bool sync)
{
    if (sync && fsync(file)) {
        worker_fail(worker, "fsync", path, 0);
        close(file);
        return false;
    }
    return close(file) == 0 || worker_fail(worker, "close", path, 0);
}

bool make_file(struct worker *worker, int directory, const char *path, uint64_t size, uint64_t block, bool sync)
{
    int file = openat(directory, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

    if (file < 0)
        return worker_fail(worker, "open", path, 0);
    for (uint64_t done = 0; done < size;) {
        size_t part = (size_t)(size - done < block ? size - done : block);

        if (!worker_goes_on(worker) ||
            !make_write(worker, file, data_record(&worker->data, part), part, path, done)) {
            close(file);
            return false;
        }
        done += part;
    }
    return make_close(worker, file, path, sync);
}
