#include "remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Each level keeps files open while the levels below are removed; fsload's trees are shallow enough for that. */
bool remove_contents(int directory, struct failure *failure)
{
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;
    bool removed = true;

    if (!entries) {
        failure_set(failure, "opendir", ".", 0);
        if (copy >= 0)
            close(copy);
        return false;
    }
    while ((entry = readdir(entries)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            removed = remove_tree(directory, entry->d_name, failure) && removed;
    closedir(entries);
    return removed;
}

bool remove_tree(int directory, const char *name, struct failure *failure)
{
    int inner;
    bool removed;

    if (unlinkat(directory, name, 0) == 0 || errno == ENOENT)
        return true;
    if (errno != EISDIR && errno != EPERM)
        return failure_set(failure, "unlink", name, 0);
    inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return failure_set(failure, "open", name, 0);
    removed = remove_contents(inner, failure);
    close(inner);
    if (removed && unlinkat(directory, name, AT_REMOVEDIR))
        return failure_set(failure, "rmdir", name, 0);
    return removed;
}
