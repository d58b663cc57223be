#include "sweep/settings.h"

#include "common.h"
#include "memory.h"
#include "steady.h"
#include "sweep/operations.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

struct sweep_settings sweep_settings = {.threads = 1, .stride = 17, .depth = 1, .batch = 1};

static const char *const methods[] = {"read_write", "positional", "mmap", NULL};
static const char *const engines[] = {"sync", "io_uring", NULL};
static const char *const arrivals[] = {"even", "poisson", NULL};
static const char *const syncs[] = {"none", "dsync", "sync", NULL};
static const char *const advices[] = {"none", "normal", "sequential", "random", "noreuse", "willneed", "dontneed", NULL};
const int advice_values[] = {-1,
                             POSIX_FADV_NORMAL,
                             POSIX_FADV_SEQUENTIAL,
                             POSIX_FADV_RANDOM,
                             POSIX_FADV_NOREUSE,
                             POSIX_FADV_WILLNEED,
                             POSIX_FADV_DONTNEED};

#define MAX_DEPTH 16384U
#define MAX_RATE 10000000U

#define SET(field) &sweep_settings.field

static const struct option_spec rows[] = {
    {.name = "file-sizes", .kind = OPTION_SIZES, .list = SET(file_sizes), .min = 1, .required = true, .value = "LIST",
     .help = "for example 64M,1G"},
    {.name = "record-sizes", .kind = OPTION_SIZES, .list = SET(record_sizes), .min = 1, .max = MAX_RECORD,
     .required = true, .value = "LIST", .help = "for example 4K,1M; a file size must be a multiple of them"},
    {.name = "tests", .kind = OPTION_NAMES, .list = SET(tests), .choices = operation_names, .value = "LIST",
     .help = "which, in which order (all)"},
    {.name = "threads", .kind = OPTION_NUMBER, .number = SET(threads), .min = 1, .max = MAX_THREADS, .value = "N",
     .help = "threads, each on a file of its own (1)"},
    {.name = "shared-file", .kind = OPTION_FLAG, .flag = SET(shared_file),
     .help = "one file for all threads, a part of it each"},
    {.name = "method", .kind = OPTION_CHOICE, .number = SET(method), .choices = methods, .value = "WORD",
     .help = "how data move, but for the f… tests (read_write)"},
    {.name = "engine", .kind = OPTION_CHOICE, .number = SET(engine), .choices = engines, .value = "WORD",
     .help = "sync: one call for each record, by the method; io_uring: several records in flight (sync)"},
    {.name = "depth", .kind = OPTION_NUMBER, .number = SET(depth), .min = 1, .max = MAX_DEPTH, .value = "N",
     .help = "records of each thread in flight, with io_uring (1)"},
    {.name = "batch", .kind = OPTION_NUMBER, .number = SET(batch), .min = 1, .max = MAX_DEPTH, .value = "N",
     .help = "records that one call of io_uring submits and waits for, up to the depth (1)"},
    {.name = "registered", .kind = OPTION_FLAG, .flag = SET(registered),
     .help = "register the file and the memory with io_uring before the time"},
    {.name = "rate", .kind = OPTION_REAL, .real = SET(rate), .max = MAX_RATE, .value = "R",
     .help = "operations that arrive per second at each thread (0: each follows the previous one)"},
    {.name = "arrivals", .kind = OPTION_CHOICE, .number = SET(arrivals), .choices = arrivals, .value = "WORD",
     .help = "in equal intervals, or at random as in a Poisson process (even)"},
    {.name = "seconds", .kind = OPTION_REAL, .real = SET(seconds), .max = MAX_SECONDS, .value = "S",
     .help = "with a rate or io_uring: end each test after S seconds (0: after each record)"},
    {.name = "operations", .kind = OPTION_NUMBER, .number = SET(operations), .max = MAX_OPERATIONS, .value = "N",
     .help = "with a rate or io_uring: end each test after N operations of each thread (0: after each record)"},
    {.name = "steady-state", .kind = OPTION_FLAG, .flag = SET(steady_state),
     .help = "with --seconds: end each test earlier when the rate of operations is steady"},
    {.name = "stride", .kind = OPTION_NUMBER, .number = SET(stride), .min = 2, .max = UINT32_MAX, .value = "N",
     .help = "records from one of strided_read to the next (17)"},
    {.name = "fsync", .kind = OPTION_FLAG, .flag = SET(fsync), .help = "fsync inside the time of the tests that write"},
    {.name = "close", .kind = OPTION_FLAG, .flag = SET(close), .help = "close inside the time"},
    {.name = "direct", .kind = OPTION_FLAG, .flag = SET(direct), .help = "open with O_DIRECT"},
    {.name = "sync", .kind = OPTION_CHOICE, .number = SET(sync), .choices = syncs, .value = "WORD",
     .help = "open with O_DSYNC or O_SYNC for writing (none)"},
    {.name = "advice", .kind = OPTION_CHOICE, .number = SET(advice), .choices = advices, .value = "WORD",
     .help = "for posix_fadvise() on the whole file, before the time (none)"},
    {.name = "preallocate", .kind = OPTION_FLAG, .flag = SET(preallocate),
     .help = "reserve the space of a new file before the time"},
    {.name = "verify", .kind = OPTION_FLAG, .flag = SET(verify),
     .help = "write a pattern and check what is read; the speeds are those of both"},
    {.name = "cold", .kind = OPTION_FLAG, .flag = SET(cold),
     .help = "empty the machine's page cache before each test; only root may"},
    {.name = "same-record", .kind = OPTION_FLAG, .flag = SET(same_record),
     .help = "write one record again and again, as iozone does"},
};

const struct option_table sweep_options = {rows, sizeof rows / sizeof rows[0]};

bool sweep_fits(uint64_t file_size, uint64_t record_size)
{
    return record_size <= file_size;
}

static bool check_pair(uint64_t file_size, uint64_t record_size)
{
    if (file_size % record_size) {
        fprintf(stderr, "fsload: a file of %" PRIu64 " bytes is no whole number of records of %" PRIu64 " bytes\n",
                file_size, record_size);
        return false;
    }
    if (sweep_settings.shared_file && file_size / record_size < sweep_settings.threads) {
        fprintf(stderr, "fsload: %" PRIu64 " threads cannot share a file of %" PRIu64 " records\n",
                sweep_settings.threads, file_size / record_size);
        return false;
    }
    return true;
}

/* Whether the engine can do the test: stdio's calls are not among io_uring's. */
static bool can_do(const struct operation *operation)
{
    return sweep_settings.engine == ENGINE_SYNC || !operation->stdio;
}

/* All tests that the engine can do, if none are named. */
static bool choose_tests(void)
{
    struct list *tests = &sweep_settings.tests;
    bool right = true;

    for (size_t i = 0; i < tests->count; i++)
        if (!can_do(&operations[tests->at[i]]))
            right = options_complain("not a test for io_uring", operations[tests->at[i]].name);
    if (tests->count)
        return right;
    for (size_t i = 0; i < operations_count; i++)
        if (can_do(&operations[i]))
            tests->at[tests->count++] = i;
    return true;
}

static bool check_engine(void)
{
    const struct sweep_settings *given = &sweep_settings;
    bool ring = given->engine == ENGINE_IO_URING;
    bool right = true;

    if (ring && given->method != METHOD_READ_WRITE)
        right = options_complain("--method", "chooses the calls of --engine sync");
    if (!ring && (given->depth > 1 || given->batch > 1 || given->registered))
        right = options_complain("--depth, --batch, --registered", "need --engine io_uring");
    if (given->batch > given->depth)
        right = options_complain("--batch", "cannot be greater than --depth");
    if (given->arrivals != ARRIVALS_EVEN && given->rate <= 0)
        right = options_complain("--arrivals", "needs --rate");
    if (!ring && given->rate <= 0 && sweep_is_limited())
        right = options_complain("--seconds, --operations", "need --rate or --engine io_uring");
    if (given->steady_state && given->seconds <= 0)
        right = options_complain("--steady-state", "needs --seconds, the longest time of a test");
    if (given->steady_state && !steady_check(given->seconds))
        right = false;
    if (given->rate > 0 && given->method == METHOD_MMAP)
        right = options_complain("--rate", "cannot be had with --method mmap");
    return right;
}

bool sweep_check(void)
{
    const struct list *files = &sweep_settings.file_sizes;
    const struct list *records = &sweep_settings.record_sizes;
    bool right = choose_tests();
    size_t pairs = 0;

    right = check_engine() && right;
    for (size_t f = 0; f < files->count; f++)
        for (size_t r = 0; r < records->count; r++)
            if (sweep_fits(files->at[f], records->at[r])) {
                right = check_pair(files->at[f], records->at[r]) && right;
                pairs++;
            }
    if (!pairs)
        right = options_complain("nothing to measure", "every record is larger than every file");
    if (sweep_settings.cold && !memory_may_drop_caches())
        right = options_complain("--cold", "only root may empty the page cache");
    if (sweep_settings.method == METHOD_MMAP && (sweep_settings.direct || sweep_settings.sync))
        right = options_complain("--method mmap", "moves data in memory: --direct and --sync cannot be had with it");
    return right;
}
