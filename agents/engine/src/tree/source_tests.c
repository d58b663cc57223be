#include "tree/source_tests.h"

#include "tree/archive.h"
#include "tree/make.h"
#include "tree/metadata.h"
#include "tree/stages.h"
#include "tree/walk.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "source"
#define ARCHIVE "source.tar"
#define CONTROL ".svn"

bool source_prepare_unpack(struct worker *worker)
{
    struct metadata *metadata = stage_task(worker);
    uint64_t offset = 0;
    ssize_t moved = 1;

    while (metadata->tar >= 0 && moved > 0 && !stop_requested()) {
        moved = pread(metadata->tar, worker->data.target, TAR_RECORD, (off_t)offset);
        offset += moved > 0 ? (uint64_t)moved : 0;
    }
    if (mkdirat(metadata->directory, ROOT, 0777))
        return worker_fail(worker, "mkdir", ROOT, 0);
    metadata->root = openat(metadata->directory, ROOT, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return metadata->root >= 0 || worker_fail(worker, "open", ROOT, 0);
}

/* Bytes from the tar file, or generated ones. NULL, with a failure, if the file has become shorter. */
static const unsigned char *data_of(struct worker *worker, const struct source_entry *entry, uint64_t done, size_t size)
{
    const struct metadata *metadata = stage_task(worker);
    uint64_t offset;
    size_t got;

    if (metadata->tar < 0)
        return data_record(&worker->data, size);
    offset = entry->offset + done;
    got = file_read(metadata->tar, worker->data.target, size, (int64_t)offset);
    if (got < size) {
        worker_fail(worker, "read", "the tar file", offset + got);
        return NULL;
    }
    return worker->data.target;
}

static bool unpack_data(struct worker *worker, int file, const struct source_entry *entry)
{
    for (uint64_t done = 0; done < entry->size;) {
        size_t part = (size_t)(entry->size - done < TAR_RECORD ? entry->size - done : TAR_RECORD);
        const unsigned char *bytes = data_of(worker, entry, done, part);

        if (!bytes || !worker_goes_on(worker) || !make_write(worker, file, bytes, part, entry->path, done))
            return false;
        done += part;
    }
    return true;
}

/* Make a file as tar does: write its data, then set its modification time. */
static bool unpack_file(struct worker *worker, int root, const struct source_entry *entry)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = (time_t)entry->mtime}};
    int file = openat(root, entry->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)entry->mode);
    bool ok;

    if (file < 0)
        return worker_fail(worker, "open", entry->path, 0);
    ok = unpack_data(worker, file, entry) &&
         (!futimens(file, times) || worker_fail(worker, "futimens", entry->path, 0));
    if (!ok) {
        close(file);
        return false;
    }
    return make_close(worker, file, entry->path, metadata_settings.fsync);
}

static bool unpack_entry(struct worker *worker, int root, const struct source_entry *entry)
{
    switch (entry->kind) {
    case SOURCE_DIRECTORY:
        return !mkdirat(root, entry->path, (mode_t)entry->mode) || worker_fail(worker, "mkdir", entry->path, 0);
    case SOURCE_SYMLINK:
        return !symlinkat(entry->target, root, entry->path) || worker_fail(worker, "symlink", entry->path, 0);
    case SOURCE_HARD_LINK:
        return !linkat(root, entry->target, root, entry->path, 0) || worker_fail(worker, "link", entry->path, 0);
    case SOURCE_FILE:
        return unpack_file(worker, root, entry);
    }
    return false;
}

bool source_unpack(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);

    for (size_t i = 0; i < metadata->source->count; i++) {
        const struct source_entry *entry = &metadata->source->entries[i];

        worker_sequence(worker, entry->kind, entry->size);
        if (!worker_goes_on(worker) || !unpack_entry(worker, metadata->root, entry))
            return false;
        worker_count(worker, 0, entry->size);
    }
    return true;
}

bool source_finish_unpack(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);

    return close(metadata->root) == 0 || worker_fail(worker, "close", ROOT, 0);
}

/* Read a file to its end, in records. */
static bool read_file(struct worker *worker, int directory, const char *name, const char *path, uint64_t *bytes)
{
    int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    ssize_t moved = 1;

    *bytes = 0;
    if (file < 0)
        return worker_fail(worker, "open", path, 0);
    while (moved != 0 && worker_goes_on(worker)) {
        moved = read(file, worker->data.target, TAR_RECORD);
        if (moved < 0 && errno != EINTR) {
            worker_fail(worker, "read", path, *bytes);
            close(file);
            return false;
        }
        *bytes += moved > 0 ? (uint64_t)moved : 0;
    }
    return close(file) == 0 || worker_fail(worker, "close", path, 0);
}

static bool visit_read(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    struct stat status;
    char target[PATH_MAX];
    uint64_t bytes = 0;

    if (event == WALK_LEAVE)
        return true;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW))
        return worker_fail(walk->worker, "stat", walk->path, 0);
    if (S_ISLNK(status.st_mode) && readlinkat(directory, name, target, sizeof target) < 0)
        return worker_fail(walk->worker, "readlink", walk->path, 0);
    if (S_ISREG(status.st_mode) && !read_file(walk->worker, directory, name, walk->path, &bytes))
        return false;
    worker_count(walk->worker, 0, bytes);
    return true;
}

/* Whether the path ends in ".svn/NAME". */
static bool is_control_file(const char *path)
{
    const char *name = strrchr(path, '/');
    size_t length = name ? (size_t)(name - path) : 0;

    return length >= sizeof CONTROL - 1 && !memcmp(name - (sizeof CONTROL - 1), CONTROL, sizeof CONTROL - 1) &&
           (length == sizeof CONTROL - 1 || name[-(int)sizeof CONTROL] == '/');
}

static bool visit_stat(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    struct stat status;
    uint64_t bytes = 0;

    if (event == WALK_LEAVE)
        return true;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW))
        return worker_fail(walk->worker, "stat", walk->path, 0);
    if (S_ISREG(status.st_mode) && is_control_file(walk->path) &&
        !read_file(walk->worker, directory, name, walk->path, &bytes))
        return false;
    worker_count(walk->worker, 0, bytes);
    return true;
}

static bool visit_archive(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    struct archive *archive = walk->context;
    struct stat status;

    if (event == WALK_LEAVE)
        return true;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW))
        return worker_fail(walk->worker, "stat", walk->path, 0);
    if (!archive_add(archive, directory, name, walk->path, &status))
        return worker_fail(walk->worker, archive->call, walk->path, 0);
    worker_count(walk->worker, 0, S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0);
    return true;
}

static bool walk_source(struct worker *worker, bool (*visit)(struct walk *, enum walk_event, int, const char *),
                        void *context)
{
    const struct metadata *metadata = stage_task(worker);
    struct walk walk = {.worker = worker, .visit = visit, .context = context};

    return walk_tree(&walk, metadata->directory, ROOT);
}

bool source_read(struct worker *worker)
{
    return walk_source(worker, visit_read, NULL);
}

bool source_stat(struct worker *worker)
{
    return walk_source(worker, visit_stat, NULL);
}

bool source_prepare_archive(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);

    *metadata->archive = (struct archive){
        .file = openat(metadata->directory, ARCHIVE, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
    return metadata->archive->file >= 0 || worker_fail(worker, "open", ARCHIVE, 0);
}

bool source_archive(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);
    struct archive *archive = metadata->archive;

    if (!walk_source(worker, visit_archive, archive))
        return false;
    if (!archive_end(archive))
        return worker_fail(worker, archive->call, ARCHIVE, archive->written);
    return !metadata_settings.fsync || !fsync(archive->file) || worker_fail(worker, "fsync", ARCHIVE, 0);
}

bool source_finish_archive(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);

    archive_free(metadata->archive);
    if (close(metadata->archive->file))
        return worker_fail(worker, "close", ARCHIVE, 0);
    return metadata_settings.keep || !unlinkat(metadata->directory, ARCHIVE, 0) ||
           worker_fail(worker, "unlink", ARCHIVE, 0);
}

bool source_remove(struct worker *worker)
{
    return walk_source(worker, walk_remove, NULL);
}

bool source_finish_remove(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);

    return !worker->complete || !unlinkat(metadata->directory, ROOT, AT_REMOVEDIR) ||
           worker_fail(worker, "rmdir", ROOT, 0);
}
