#include "filebench/fileset.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1U << 20)

bool wml_set_share(struct wml_set *set, uint64_t seed)
{
    const struct wml_fileset *fileset = set->fileset;
    bool own = fileset->changes || fileset->written;

    set->share_count = own && fileset->users && fileset->entries >= fileset->users ? fileset->users : 1;
    set->shares = calloc(set->share_count, sizeof *set->shares);
    for (unsigned i = 0; set->shares && i < set->share_count; i++)
        if (!wml_share_make(&set->shares[i], fileset->entries, i, set->share_count, fileset->preallocated,
                            fileset->changes, random_mix(seed, i)))
            return false;
    return set->shares != NULL;
}

static bool write_all(int file, uint64_t size, size_t chunk, struct data *data)
{
    while (size) {
        size_t record = size < chunk ? (size_t)size : chunk;
        const unsigned char *memory = data_record(data, record);

        for (size_t done = 0; done < record;) {
            ssize_t written = write(file, memory + done, record - done);

            if (stop_requested() || (written < 0 && errno != EINTR))
                return false;
            done += written > 0 ? (size_t)written : 0;
        }
        size -= record;
    }
    return true;
}

static bool make_file(const struct wml_set *set, const struct wml_entry *entry, struct data *data,
                      struct failure *failure)
{
    int file = openat(set->directory, entry->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    size_t chunk = data->pool_size < CHUNK ? data->pool_size : CHUNK;
    bool written;

    if (file < 0)
        return failure_set(failure, "openat", entry->name, 0);
    written = write_all(file, entry->size, chunk, data);
    if (!written && !stop_requested())
        failure_set(failure, "write", entry->name, 0);
    if (close(file) && written)
        return failure_set(failure, "close", entry->name, 0);
    return written;
}

bool wml_set_make(struct wml_set *set, int parent, struct data *data, struct failure *failure)
{
    const char *name = set->fileset->name;

    if (mkdirat(parent, name, 0700))
        return failure_set(failure, "mkdirat", name, 0);
    set->directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (set->directory < 0)
        return failure_set(failure, "openat", name, 0);
    for (size_t i = 0; i < set->directory_count; i++) {
        const char *path = set->names + set->directories[i];

        if (stop_requested())
            return false;
        if (mkdirat(set->directory, path, 0700))
            return failure_set(failure, "mkdirat", path, 0);
    }
    for (uint64_t i = 0; i < set->fileset->entries; i++) {
        if (stop_requested())
            return false;
        if (wml_share_has(&set->shares[i % set->share_count], i) &&
            !make_file(set, &set->entries[i], data, failure))
            return false;
    }
    return true;
}

void wml_set_free(struct wml_set *set)
{
    if (set->directory >= 0)
        close(set->directory);
    for (unsigned i = 0; set->shares && i < set->share_count; i++)
        wml_share_free(&set->shares[i]);
    free(set->shares);
    free(set->entries);
    free(set->names);
    free(set->directories);
    *set = (struct wml_set){.directory = -1};
}
