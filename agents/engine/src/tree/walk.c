#include "tree/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool walk_open(struct walk *walk, DIR *entries);

/* Visit the entries of one directory, whose path is walk->path. */
static bool walk_inside(struct walk *walk, int parent, const char *name)
{
    int directory = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = directory < 0 ? NULL : fdopendir(directory);
    bool walked;

    if (!entries) {
        worker_fail(walk->worker, directory < 0 ? "open" : "fdopendir", walk->path, 0);
        if (directory >= 0)
            close(directory);
        return false;
    }
    walked = walk_open(walk, entries);
    closedir(entries);
    return walked;
}

/* Whether an entry is a directory, by readdir or, if that does not say, by fstatat. */
static bool is_directory(int directory, const struct dirent *entry)
{
    struct stat status;

    if (entry->d_type != DT_UNKNOWN)
        return entry->d_type == DT_DIR;
    return !fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) && S_ISDIR(status.st_mode);
}

static bool walk_entry(struct walk *walk, int directory, const struct dirent *entry)
{
    if (!is_directory(directory, entry))
        return walk->visit(walk, WALK_FILE, directory, entry->d_name);
    return walk->visit(walk, WALK_ENTER, directory, entry->d_name) && walk_inside(walk, directory, entry->d_name) &&
           walk->visit(walk, WALK_LEAVE, directory, entry->d_name);
}

/* Append a name to the path. False if it would get too long. */
static bool push(struct walk *walk, const char *name)
{
    size_t length = strlen(name);

    if (walk->length + length + 2 > sizeof walk->path)
        return worker_fail_error(walk->worker, "open", ENAMETOOLONG, walk->path, 0);
    if (walk->length)
        walk->path[walk->length++] = '/';
    memcpy(walk->path + walk->length, name, length + 1);
    walk->length += length;
    return true;
}

static bool walk_open(struct walk *walk, DIR *entries)
{
    size_t length = walk->length;
    const struct dirent *entry;
    bool walked = true;

    while (walked && (errno = 0, entry = readdir(entries))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        walked = worker_goes_on(walk->worker) && push(walk, entry->d_name) && walk_entry(walk, dirfd(entries), entry);
        walk->length = length;
        walk->path[length] = '\0';
    }
    return walked && (errno == 0 || worker_fail(walk->worker, "readdir", walk->path, 0));
}

bool walk_tree(struct walk *walk, int parent, const char *name)
{
    walk->length = 0;
    return push(walk, name) && walk_inside(walk, parent, name);
}

bool walk_remove(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    if (event == WALK_ENTER)
        return true;
    if (unlinkat(directory, name, event == WALK_LEAVE ? AT_REMOVEDIR : 0))
        return worker_fail(walk->worker, event == WALK_LEAVE ? "rmdir" : "unlink", walk->path, 0);
    worker_count(walk->worker, 0, 0);
    return true;
}

bool walk_stat(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    struct stat status;

    if (event == WALK_LEAVE)
        return true;
    if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW))
        return worker_fail(walk->worker, "stat", walk->path, 0);
    worker_count(walk->worker, 0, 0);
    return true;
}
