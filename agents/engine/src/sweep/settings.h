/* The settings of fsload sweep. */
#ifndef FSLOAD_SWEEP_SETTINGS_H
#define FSLOAD_SWEEP_SETTINGS_H

#include "options.h"

enum method { METHOD_READ_WRITE, METHOD_POSITIONAL, METHOD_MMAP };
enum engine { ENGINE_SYNC, ENGINE_IO_URING };
enum process { ARRIVALS_EVEN, ARRIVALS_POISSON };
enum sync_mode { SYNC_NONE, SYNC_DSYNC, SYNC_SYNC };

struct sweep_settings {
    struct list file_sizes;
    struct list record_sizes;
    struct list tests;
    uint64_t threads;
    uint64_t method;
    uint64_t engine;
    uint64_t depth;
    uint64_t batch;
    uint64_t arrivals;
    double rate;         /* operations per second of each thread; 0: each begins when the previous one has ended */
    double seconds;      /* 0: no limit */
    uint64_t operations; /* of each thread; 0: each record once, or any number in a time */
    uint64_t sync;
    uint64_t advice; /* index of advice_values */
    uint64_t stride; /* records */
    bool fsync;
    bool close;
    bool direct;
    bool shared_file;
    bool preallocate;
    bool verify;
    bool cold;
    bool same_record;
    bool registered;
    bool steady_state; /* end each test before its time when its rate is steady */
};

/* Set by the option table, read by the whole sweep. */
extern struct sweep_settings sweep_settings;
extern const struct option_table sweep_options;

/* The argument of posix_fadvise() for each advice; -1: no call. */
extern const int advice_values[];

/* Whether a test may end before it has moved each record, or go through its records several times. */
static inline bool sweep_is_limited(void)
{
    return sweep_settings.seconds > 0 || sweep_settings.operations;
}

/* Whether this pair of sizes can be measured: records larger than the file are skipped. */
bool sweep_fits(uint64_t file_size, uint64_t record_size);

/* Whether the options are consistent; prints all faults on stderr. */
bool sweep_check(void);

#endif
