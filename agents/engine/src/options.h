/* The command line. */
#ifndef FSLOAD_OPTIONS_H
#define FSLOAD_OPTIONS_H

#include "operations.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_LIST 64U
#define MAX_THREADS 1024U
#define MAX_REPETITIONS 1000000U
#define MAX_RECORD (UINT64_C(1) << 30)

struct sizes {
    uint64_t at[MAX_LIST];
    size_t count;
};

struct options {
    const char *directory;
    struct sizes file_sizes;
    struct sizes record_sizes;
    const struct operation *tests[MAX_LIST];
    size_t tests_count;
    unsigned threads;
    unsigned repetitions;
    uint64_t seed;
    uint64_t min_free;
    bool fsync;
    bool direct;
};

enum parsed { PARSED_OPTIONS, PARSED_HELP, PARSED_ERROR };

/* Read the command line; says on stderr what is wrong with it. --help and --version print and are PARSED_HELP. */
enum parsed options_parse(struct options *options, int argc, char **argv);

/* Whether this pair of sizes can be measured: records that are larger than the file are left out of a sweep. */
bool options_fits(uint64_t file_size, uint64_t record_size);

#endif
