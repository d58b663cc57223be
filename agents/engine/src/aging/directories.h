/* The directories of an aging file system and their paths. */
#ifndef FSLOAD_AGING_DIRECTORIES_H
#define FSLOAD_AGING_DIRECTORIES_H

#include "aging/distribution.h"
#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A path of MAX_DEPTH directories "d1000000/" and a file. */
#define AGED_PATH_LENGTH 704

struct directories {
    uint32_t *parents; /* of each directory; 0 is the workspace itself */
    uint32_t first[MAX_DEPTH + 2]; /* of each depth; those of depth n end where those of n + 1 begin */
    uint32_t depths;               /* below the workspace */
};

/*
 * Plan as many directories at each depth as the distribution says, each below a random one of the previous depth. If
 * that is more than `most`, there are proportionally fewer, but at least one per depth. False: not enough memory.
 */
bool directories_plan(struct directories *directories, const struct distribution *depths, uint64_t most,
                      uint64_t seed);
void directories_free(struct directories *directories);

/* The number of directories, without the workspace. */
uint32_t directories_count(const struct directories *directories);

/* A random directory at this depth. */
uint32_t directories_choose(const struct directories *directories, uint64_t depth, struct random *random);

/* The path of a directory in the workspace: "d1/d7". */
void directories_path(const struct directories *directories, uint32_t directory, char path[AGED_PATH_LENGTH]);

/* The path of a file in it: "d1/d7/f12". */
void directories_file_path(const struct directories *directories, uint32_t directory, uint64_t file,
                           char path[AGED_PATH_LENGTH]);

#endif
