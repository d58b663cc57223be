#include "memory.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DROP_CACHES "/proc/sys/vm/drop_caches"

/* The number in a control group's file; UINT64_MAX if the file is missing or contains no limit ("max"). */
static uint64_t limit_in(const char *root, const char *group, const char *file)
{
    char path[PATH_MAX];
    uint64_t limit;
    FILE *stream;
    bool found;

    if ((size_t)snprintf(path, sizeof path, "%s%s/%s", root, group, file) >= sizeof path)
        return UINT64_MAX;
    stream = fopen(path, "re");
    if (!stream)
        return UINT64_MAX;
    found = fscanf(stream, "%" SCNu64, &limit) == 1;
    fclose(stream);
    return found ? limit : UINT64_MAX;
}

/* The smallest limit of a group and its parents. Changes the group's path. */
static uint64_t limit_above(const char *root, char *group, const char *file)
{
    uint64_t limit = UINT64_MAX;

    for (;;) {
        uint64_t here = limit_in(root, group, file);
        char *slash = strrchr(group, '/');

        limit = here < limit ? here : limit;
        if (!slash)
            return limit;
        *slash = '\0';
    }
}

/* The limit for one line of /proc/self/cgroup: "0::/group" of version 2, "9:memory:/group" of version 1. */
static uint64_t limit_of(char *line)
{
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!group)
        return UINT64_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (strcmp(controllers, ":") == 0)
        return limit_above("/sys/fs/cgroup", group, "memory.max");
    if (strcmp(controllers, ":memory") == 0)
        return limit_above("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes");
    return UINT64_MAX;
}

uint64_t memory_bytes(void)
{
    uint64_t smallest = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    FILE *groups = fopen("/proc/self/cgroup", "re");
    char line[PATH_MAX];

    while (groups && fgets(line, sizeof line, groups)) {
        uint64_t limit = limit_of(line);

        smallest = limit < smallest ? limit : smallest;
    }
    if (groups)
        fclose(groups);
    return smallest;
}

bool memory_may_drop_caches(void)
{
    return access(DROP_CACHES, W_OK) == 0;
}

bool memory_drop_caches(struct failure *failure)
{
    int file = open(DROP_CACHES, O_WRONLY | O_CLOEXEC);
    bool done;

    if (file < 0)
        return failure_set(failure, "open", DROP_CACHES, 0);
    sync(); /* dirty pages would stay */
    done = write(file, "3", 1) == 1;
    if (!done)
        failure_set(failure, "write", DROP_CACHES, 0);
    close(file);
    return done;
}
