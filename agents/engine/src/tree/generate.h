/* A source tree made from a seed: sizes, directories and depths as source code has them. */
#ifndef FSLOAD_TREE_GENERATE_H
#define FSLOAD_TREE_GENERATE_H

#include "tree/source.h"

struct generate_settings {
    uint64_t seed;
    uint64_t files;
    uint64_t median_size; /* bytes; the mean is about three times as much */
    bool control_files;   /* beside them what Subversion 1.4 keeps: .svn in each directory, with a copy of each file */
};

#define GENERATE_MAX_MEDIAN (UINT64_C(1) << 30)

/* Fill an empty tree. NULL, or why that is impossible. */
const char *source_generate(struct source *source, const struct generate_settings *settings);

#endif
