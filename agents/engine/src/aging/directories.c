#include "aging/directories.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIRECTORY_NAME_LENGTH 12

/* Count the directories of each depth, up to the deepest one with files. Depths missing in the profile have one. */
static uint32_t count_all(const struct distribution *depths, uint64_t counts[MAX_DEPTH + 1], uint64_t *sum)
{
    uint32_t deepest = 0;

    *sum = 0;
    for (size_t i = 0; i <= MAX_DEPTH; i++)
        counts[i] = 1;
    for (size_t i = 0; i < depths->count; i++) {
        const struct observation *depth = &depths->at[i];

        if (depth->value && depth->directories)
            counts[depth->value] = depth->directories;
        if (depth->weight)
            deepest = (uint32_t)depth->value;
    }
    for (size_t i = 1; i <= deepest; i++)
        *sum += counts[i];
    return deepest;
}

bool directories_plan(struct directories *directories, const struct distribution *depths, uint64_t most, uint64_t seed)
{
    struct random random = {random_mix(seed, 0x64697273)};
    uint64_t counts[MAX_DEPTH + 1];
    uint64_t sum;
    uint64_t next = 1;

    *directories = (struct directories){.depths = count_all(depths, counts, &sum)};
    directories->parents = calloc((size_t)(sum + 1), sizeof *directories->parents);
    if (!directories->parents)
        return false;
    for (size_t depth = 1; depth <= directories->depths; depth++) {
        uint64_t before = directories->first[depth - 1];

        if (sum > most)
            counts[depth] = counts[depth] * most / sum;
        counts[depth] += !counts[depth];
        directories->first[depth] = (uint32_t)next;
        for (uint64_t i = 0; i < counts[depth]; i++)
            directories->parents[next + i] = (uint32_t)(before + random_below(&random, next - before));
        next += counts[depth];
    }
    directories->first[directories->depths + 1] = (uint32_t)next;
    return true;
}

void directories_free(struct directories *directories)
{
    free(directories->parents);
    *directories = (struct directories){0};
}

uint32_t directories_count(const struct directories *directories)
{
    return directories->first[directories->depths + 1] - 1;
}

uint32_t directories_choose(const struct directories *directories, uint64_t depth, struct random *random)
{
    uint32_t first = directories->first[depth];

    return first + (uint32_t)random_below(random, directories->first[depth + 1] - first);
}

/* The path is written from its end, because a directory has only a link to its parent. */
void directories_path(const struct directories *directories, uint32_t directory, char path[AGED_PATH_LENGTH])
{
    char backwards[AGED_PATH_LENGTH];
    size_t at = sizeof backwards - 1;

    backwards[at] = 0;
    for (; directory; directory = directories->parents[directory]) {
        char name[DIRECTORY_NAME_LENGTH];
        size_t length = (size_t)snprintf(name, sizeof name, "d%" PRIu32, directory);

        if (backwards[at])
            backwards[--at] = '/';
        at -= length;
        memcpy(backwards + at, name, length);
    }
    memcpy(path, backwards + at, sizeof backwards - at);
}

void directories_file_path(const struct directories *directories, uint32_t directory, uint64_t file,
                           char path[AGED_PATH_LENGTH])
{
    size_t length;

    directories_path(directories, directory, path);
    length = strlen(path);
    snprintf(path + length, AGED_PATH_LENGTH - length, "%sf%" PRIu64, length ? "/" : "", file);
}
