/* Makes the files that a profile begins with: one thread, one file after another. */
#include "ffsb/fileset.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static int make_directory(int parent, const char *name, struct failure *failure)
{
    int directory = -1;

    if (mkdirat(parent, name, 0700)) {
        failure_set(failure, "mkdirat", name, 0);
        return -1;
    }
    directory = openat(parent, name, DIRECTORY_FLAGS);
    if (directory < 0)
        failure_set(failure, "openat", name, 0);
    return directory;
}

bool ffsb_fileset_make_directories(struct ffsb_fileset *fileset, unsigned number, int directory,
                                   struct failure *failure)
{
    char name[FFSB_NAME_LENGTH];
    int base;

    snprintf(name, sizeof name, "fs%u", number);
    base = make_directory(directory, name, failure);
    if (base < 0)
        return false;
    fileset->data = make_directory(base, "data", failure);
    if (fileset->data >= 0)
        fileset->meta = make_directory(base, "meta", failure);
    close(base);
    for (uint64_t i = 0; fileset->meta >= 0 && i < fileset->settings->num_dirs; i++) {
        snprintf(name, sizeof name, "d%u", (unsigned)i);
        if (mkdirat(fileset->data, name, 0700))
            return failure_set(failure, "mkdirat", name, 0);
        if (stop_requested())
            return false;
    }
    return fileset->meta >= 0;
}

static bool write_all(int file, const unsigned char *record, size_t size)
{
    while (size) {
        ssize_t written = write(file, record, size);

        if (written < 0 && errno != EINTR)
            return false;
        if (stop_requested()) {
            errno = EINTR;
            return false;
        }
        if (written > 0) {
            record += written;
            size -= (size_t)written;
        }
    }
    return true;
}

static bool fill(int file, uint64_t size, uint64_t block, struct data *data, struct failure *failure, const char *name)
{
    for (uint64_t offset = 0; offset < size;) {
        size_t record = (size_t)(size - offset < block ? size - offset : block);

        if (!write_all(file, data_record(data, record), record))
            return stop_requested() ? false : failure_set(failure, "write", name, offset);
        offset += record;
    }
    return true;
}

bool ffsb_fileset_make_files(const struct ffsb_fileset *fileset, bool direct, struct data *data,
                             struct failure *failure)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | (direct ? O_DIRECT : 0);

    for (size_t i = 0; i < fileset->initial.count; i++) {
        const struct ffsb_file *entry = &fileset->initial.files[i];
        char name[FFSB_NAME_LENGTH];
        bool filled;
        int file;

        if (stop_requested())
            return false;
        ffsb_file_name(name, entry, 'f', 0);
        file = openat(fileset->data, name, flags, 0600);
        if (file < 0)
            return failure_set(failure, "openat", name, 0);
        filled = fill(file, entry->size, fileset->settings->create_blocksize, data, failure, name);
        if (close(file) && filled)
            return failure_set(failure, "close", name, 0);
        if (!filled)
            return false;
    }
    return true;
}

void ffsb_fileset_close(struct ffsb_fileset *fileset)
{
    if (fileset->data >= 0)
        close(fileset->data);
    if (fileset->meta >= 0)
        close(fileset->meta);
    fileset->data = fileset->meta = -1;
    ffsb_pool_free(&fileset->initial);
}
