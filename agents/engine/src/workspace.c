#include "workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

void workspace_file_name(char name[FAILURE_FILE_LENGTH], unsigned file)
{
    snprintf(name, FAILURE_FILE_LENGTH, "data.%u", file);
}

bool workspace_open(struct workspace *workspace, const char *directory, unsigned files, const char **call)
{
    int length = snprintf(workspace->path, sizeof workspace->path, "%s/fsload.XXXXXX", directory);

    *call = "open";
    if (length < 0 || (size_t)length >= sizeof workspace->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    workspace->files = files;
    workspace->file_size = 0;
    workspace->parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (workspace->parent < 0)
        return false;
    *call = "mkdtemp";
    if (!mkdtemp(workspace->path)) {
        close(workspace->parent);
        return false;
    }
    *call = "open";
    workspace->directory = open(workspace->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (workspace->directory < 0) {
        int error = errno;
        rmdir(workspace->path);
        close(workspace->parent);
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

int workspace_open_file(const struct workspace *workspace, unsigned file, int flags, struct failure *failure)
{
    char name[FAILURE_FILE_LENGTH];
    int descriptor;

    workspace_file_name(name, file);
    descriptor = openat(workspace->directory, name, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        *failure = (struct failure){.call = "open", .error = errno};
        memcpy(failure->file, name, sizeof name);
    }
    return descriptor;
}

void workspace_clear(struct workspace *workspace)
{
    char name[FAILURE_FILE_LENGTH];

    for (unsigned file = 0; file < workspace->files; file++) {
        workspace_file_name(name, file);
        unlinkat(workspace->directory, name, 0); /* a file that is not there is as good as removed */
    }
    workspace->file_size = 0;
}

bool workspace_remove(struct workspace *workspace)
{
    const char *name = strrchr(workspace->path, '/') + 1;
    bool removed;

    workspace_clear(workspace);
    close(workspace->directory);
    removed = unlinkat(workspace->parent, name, AT_REMOVEDIR) == 0;
    if (!removed)
        fprintf(stderr, "fsload: cannot remove %s: %s\n", workspace->path, strerror(errno));
    close(workspace->parent);
    return removed;
}
