#ifndef FSLOAD_TREE_METADATA_H
#define FSLOAD_TREE_METADATA_H

#include "command.h"

#include "tree/source.h"

/* fsload metadata: many files in one directory, many directories, and a source tree. */
extern const struct command metadata_command;

struct metadata_settings {
    uint64_t files;
    uint64_t directories;
    uint64_t split; /* directories that hold the directories */
    uint64_t data_files;
    uint64_t data_size;
    uint64_t block_size;
    bool fsync; /* each file before it is closed */
    bool keep;
};

extern struct metadata_settings metadata_settings;

/* The task of the tests' stages. */
struct metadata {
    int directory; /* of the workspace */
    int root;      /* the source tree's, while source_unpack runs */
    int tar;       /* file with the source's data; -1: they are generated */
    const struct source *source;
    struct archive *archive; /* that source_archive writes */
};

#endif
