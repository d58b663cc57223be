#include "options.h"

#include "size.h"
#include "version.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: fsload --directory DIR --file-sizes LIST --record-sizes LIST [options]\n"
    "\n"
    "Measures reading and writing files. Results are JSON lines on stdout, progress is on stderr.\n"
    "\n"
    "  --directory DIR      where to work; everything is done in a directory of its own below it\n"
    "  --file-sizes LIST    for example 64M,1G; K, M, G and T are powers of 1024\n"
    "  --record-sizes LIST  for example 4K,1M; a file size must be a multiple of them\n"
    "  --tests LIST         write,rewrite,read,reread,random_read,random_write (all, in this order)\n"
    "  --threads N          threads, each on a file of its own (1)\n"
    "  --repetitions N      how often everything is measured (1)\n"
    "  --seed N             of the data and of the random order (1)\n"
    "  --fsync              fsync inside the measured time of the tests that write\n"
    "  --direct             open with O_DIRECT\n"
    "  --min-free SIZE      refuse to start if less would stay free (64M)\n"
    "  --version  --help\n"
    "\n"
    "Exit status: 0 done, 1 a test failed, 2 wrong usage, 3 refused to start, 128 + N ended by signal N.\n";

enum { DIRECTORY = 256, FILE_SIZES, RECORD_SIZES, TESTS, THREADS, REPETITIONS, SEED, FSYNC, DIRECT, MIN_FREE, VERSION_ };

static const struct option long_options[] = {
    {"directory", required_argument, NULL, DIRECTORY},
    {"file-sizes", required_argument, NULL, FILE_SIZES},
    {"record-sizes", required_argument, NULL, RECORD_SIZES},
    {"tests", required_argument, NULL, TESTS},
    {"threads", required_argument, NULL, THREADS},
    {"repetitions", required_argument, NULL, REPETITIONS},
    {"seed", required_argument, NULL, SEED},
    {"fsync", no_argument, NULL, FSYNC},
    {"direct", no_argument, NULL, DIRECT},
    {"min-free", required_argument, NULL, MIN_FREE},
    {"version", no_argument, NULL, VERSION_},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool complain(const char *what, const char *value)
{
    fprintf(stderr, "fsload: %s: %s\n", what, value);
    return false;
}

/* The next word of a comma-separated list; moves *list behind it. NULL at the end. */
static const char *next_word(const char **list, size_t *length)
{
    const char *word = *list;

    if (!word)
        return NULL;
    *length = strcspn(word, ",");
    *list = word[*length] ? word + *length + 1 : NULL;
    return word;
}

static bool parse_sizes(struct sizes *sizes, const char *list, uint64_t max)
{
    const char *rest = list;
    const char *word;
    size_t length;

    sizes->count = 0;
    while ((word = next_word(&rest, &length))) {
        uint64_t size;

        if (!size_parse(word, length, &size) || size == 0 || size > max)
            return complain("not a list of sizes", list);
        if (sizes->count == MAX_LIST)
            return complain("more than 64 sizes", list);
        for (size_t i = 0; i < sizes->count; i++)
            if (sizes->at[i] == size)
                return complain("a size is in the list twice", list);
        sizes->at[sizes->count++] = size;
    }
    return true;
}

static bool parse_tests(struct options *options, const char *list)
{
    const char *rest = list;
    const char *word;
    size_t length;

    options->tests_count = 0;
    while ((word = next_word(&rest, &length))) {
        const struct operation *operation = operation_find(word, length);

        if (!operation)
            return complain("not a list of tests", list);
        for (size_t i = 0; i < options->tests_count; i++)
            if (options->tests[i] == operation)
                return complain("a test is in the list twice", list);
        options->tests[options->tests_count++] = operation;
    }
    return true;
}

static bool parse_count(unsigned *count, const char *text, unsigned max)
{
    uint64_t number;

    if (!number_parse(text, max, &number) || number == 0)
        return complain("not a number from 1 to its limit", text);
    *count = (unsigned)number;
    return true;
}

static bool set(struct options *options, int option, const char *value)
{
    switch (option) {
    case DIRECTORY:
        options->directory = value;
        return *value != '\0' || complain("--directory", "is empty");
    case FILE_SIZES:
        return parse_sizes(&options->file_sizes, value, UINT64_C(1) << 62);
    case RECORD_SIZES:
        return parse_sizes(&options->record_sizes, value, MAX_RECORD);
    case TESTS:
        return parse_tests(options, value);
    case THREADS:
        return parse_count(&options->threads, value, MAX_THREADS);
    case REPETITIONS:
        return parse_count(&options->repetitions, value, MAX_REPETITIONS);
    case SEED:
        return number_parse(value, UINT64_MAX, &options->seed) || complain("not a seed", value);
    case MIN_FREE:
        return size_parse(value, strlen(value), &options->min_free) || complain("not a size", value);
    case FSYNC:
        options->fsync = true;
        return true;
    case DIRECT:
        options->direct = true;
        return true;
    default:
        return false; /* getopt has said what is wrong */
    }
}

bool options_fits(uint64_t file_size, uint64_t record_size)
{
    return record_size <= file_size;
}

static bool check_pair(uint64_t file_size, uint64_t record_size)
{
    if (file_size % record_size == 0)
        return true;
    fprintf(stderr, "fsload: a file of %" PRIu64 " bytes is no whole number of records of %" PRIu64 " bytes\n",
            file_size, record_size);
    return false;
}

static bool check(const struct options *options)
{
    size_t pairs = 0;

    if (!options->directory)
        return complain("missing", "--directory");
    if (!options->file_sizes.count)
        return complain("missing", "--file-sizes");
    if (!options->record_sizes.count)
        return complain("missing", "--record-sizes");
    for (size_t f = 0; f < options->file_sizes.count; f++) {
        for (size_t r = 0; r < options->record_sizes.count; r++) {
            if (!options_fits(options->file_sizes.at[f], options->record_sizes.at[r]))
                continue;
            if (!check_pair(options->file_sizes.at[f], options->record_sizes.at[r]))
                return false;
            pairs++;
        }
    }
    return pairs > 0 || complain("nothing to measure", "every record is larger than every file");
}

enum parsed options_parse(struct options *options, int argc, char **argv)
{
    int option;

    *options = (struct options){.threads = 1, .repetitions = 1, .seed = 1, .min_free = UINT64_C(64) << 20};
    for (size_t i = 0; i < operations_count; i++)
        options->tests[options->tests_count++] = &operations[i];
    while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (option == 'h' || option == VERSION_) {
            fputs(option == 'h' ? usage : "fsload " FSLOAD_VERSION "\n", stdout);
            return PARSED_HELP;
        }
        if (!set(options, option, optarg))
            return PARSED_ERROR;
    }
    if (optind < argc) {
        complain("not an option", argv[optind]);
        return PARSED_ERROR;
    }
    return check(options) ? PARSED_OPTIONS : PARSED_ERROR;
}
