/* A source tree made from a seed, with the sizes, directories and depths of source code. */
#ifndef FSLOAD_TREE_GENERATE_H
#define FSLOAD_TREE_GENERATE_H

#include "tree/source.h"

struct generate_settings {
    uint64_t seed;
    uint64_t files;
    uint64_t median_size; /* bytes; the mean is about three times as much */
    bool control_files;   /* add those of Subversion 1.4: .svn in each directory, with a copy of each file */
};

#define GENERATE_MAX_MEDIAN (UINT64_C(1) << 30)

/* Fill an empty tree. NULL, or the reason why that is impossible. */
const char *source_generate(struct source *source, const struct generate_settings *settings);

#endif
