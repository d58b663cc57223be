#include "workspace.h"

#include "remove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define WORK "work"

bool workspace_open(struct workspace *workspace, const char *directory, const char **call)
{
    int length = snprintf(workspace->path, sizeof workspace->path, "%s/fsload.XXXXXX", directory);

    *call = "open";
    workspace->top = workspace->directory = -1;
    if (length < 0 || (size_t)length >= sizeof workspace->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    workspace->parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (workspace->parent < 0)
        return false;
    *call = "mkdtemp";
    if (!mkdtemp(workspace->path)) {
        close(workspace->parent);
        return false;
    }
    *call = "open";
    workspace->top = open(workspace->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (workspace->top >= 0 && !mkdirat(workspace->top, WORK, 0700))
        workspace->directory = openat(workspace->top, WORK, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (workspace->directory < 0) {
        int error = errno;

        workspace_remove(workspace);
        errno = error;
        return false;
    }
    return true;
}

uint64_t workspace_free_bytes(const struct workspace *workspace)
{
    struct statvfs status;

    if (fstatvfs(workspace->directory, &status) || !status.f_frsize)
        return UINT64_MAX;
    return (uint64_t)status.f_bavail * status.f_frsize;
}

uint64_t workspace_free_inodes(const struct workspace *workspace)
{
    struct statvfs status;

    if (fstatvfs(workspace->directory, &status) || !status.f_files)
        return UINT64_MAX; /* btrfs reports 0 */
    return status.f_favail;
}

bool workspace_clear(const struct workspace *workspace)
{
    struct failure failure = {0};

    if (remove_contents(workspace->directory, &failure))
        return true;
    fprintf(stderr, "fsload: cannot remove %s in %s: %s: %s\n", failure.file, workspace->path, failure.call,
            failure_message(&failure));
    return false;
}

static bool remove_own(const struct workspace *workspace)
{
    struct failure failure = {0};

    if (remove_tree(workspace->parent, strrchr(workspace->path, '/') + 1, &failure))
        return true;
    fprintf(stderr, "fsload: cannot remove %s: %s: %s: %s\n", workspace->path, failure.file, failure.call,
            failure_message(&failure));
    return false;
}

bool workspace_remove(struct workspace *workspace)
{
    bool removed = workspace->keep || remove_own(workspace);

    if (workspace->directory >= 0)
        close(workspace->directory);
    if (workspace->top >= 0)
        close(workspace->top);
    close(workspace->parent);
    return removed;
}
