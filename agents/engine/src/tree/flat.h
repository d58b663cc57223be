/* Many files, or many directories, in few directories: what touch, mkdir, find and rm do in the T2 article. */
#ifndef FSLOAD_TREE_FLAT_H
#define FSLOAD_TREE_FLAT_H

#include "crew.h"

#include <stdbool.h>
#include <stdint.h>

/* What is made. The argument of the stages; their task is a struct metadata. */
struct flat {
    const char *name;       /* of the directories that they are in: "files.0", … */
    const uint64_t *count;  /* of all entries together */
    const uint64_t *split;  /* of directories, each with its part of the entries */
    const uint64_t *size;   /* bytes in each file; NULL: they are directories */
};

/* Make the directories "NAME.0" …, outside the time. */
bool flat_prepare_create(struct worker *worker);
bool flat_create(struct worker *worker);
bool flat_walk(struct worker *worker);
bool flat_remove(struct worker *worker);
/* Remove the directories that they were in, outside the time. */
bool flat_finish_remove(struct worker *worker);

#endif
