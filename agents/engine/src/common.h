/* The options that every command takes. */
#ifndef FSLOAD_COMMON_H
#define FSLOAD_COMMON_H

#include "options.h"

#define MAX_THREADS 1024U
#define MAX_REPETITIONS 1000000U
#define MAX_RECORD (UINT64_C(1) << 30)
#define MAX_SECONDS (UINT64_C(1) << 32)
#define MAX_OPERATIONS (UINT64_C(1) << 40)

struct common {
    const char *directory;
    uint64_t repetitions;
    uint64_t seed;
    uint64_t min_free;
    uint64_t compressibility; /* percentage of zeros in each 4 KiB block */
    double interactive;       /* small jobs per second beside the workload; 0: none */
    bool no_latencies;
};

/* Set once, by options_parse() in main; read by all. */
extern struct common common;
extern const struct option_table common_options;

#endif
