#include "common.h"

struct common common = {.repetitions = 1, .seed = 1, .min_free = UINT64_C(64) << 20};

static const struct option_spec rows[] = {
    {.name = "directory", .kind = OPTION_TEXT, .text = &common.directory, .required = true, .value = "DIR",
     .help = "where to work; everything is done in a directory of its own below it"},
    {.name = "repetitions", .kind = OPTION_NUMBER, .number = &common.repetitions, .min = 1, .max = MAX_REPETITIONS,
     .value = "N", .help = "how often everything is measured (1)"},
    {.name = "seed", .kind = OPTION_NUMBER, .number = &common.seed, .max = UINT64_MAX, .value = "N",
     .help = "of the data and of the order of operations (1)"},
    {.name = "min-free", .kind = OPTION_SIZE, .number = &common.min_free, .value = "SIZE",
     .help = "refuse to start if less would stay free (64M)"},
    {.name = "compressibility", .kind = OPTION_NUMBER, .number = &common.compressibility, .max = 100, .value = "N",
     .help = "percent of each 4 KiB block that are zeros; the rest does not compress (0)"},
    {.name = "interactive", .kind = OPTION_REAL, .real = &common.interactive, .max = 10000, .value = "RATE",
     .help = "beside the workload, so many small jobs a second, each waited for (0: none)"},
    {.name = "no-latencies", .kind = OPTION_FLAG, .flag = &common.no_latencies,
     .help = "do not take the time of each operation"},
};

const struct option_table common_options = {rows, sizeof rows / sizeof rows[0]};
