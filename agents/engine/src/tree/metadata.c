#include "tree/metadata.h"

#include "tree/archive.h"
#include "tree/flat.h"
#include "tree/generate.h"
#include "tree/source_tests.h"
#include "tree/stages.h"
#include "tree/tar_read.h"

#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_ENTRIES 100000000U
#define MAX_SOURCE_FILES 1000000U
#define MAX_SPLIT 10000U
#define MAX_FILE (UINT64_C(1) << 36)
#define INODE_ROOM 1024U     /* bytes on the disk for an empty file: its inode and its name */
#define DIRECTORY_ROOM 4096U /* … for a directory */
#define BLOCK 4096U

/* The entries that can exist between the tests. */
enum { FILES = 1, DIRECTORIES = 2, DATA = 4, SOURCE = 8 };

struct metadata_settings metadata_settings = {
    .files = 100000,
    .directories = 100000,
    .split = 1,
    .data_files = 10000,
    .data_size = 48 << 10,
    .block_size = 128 << 10,
};

static uint64_t source_files = 20000;
static uint64_t source_median = 4096;
static bool control_files;
static const char *tar_name;
static int tar_file = -1;
static struct source source;

static const uint64_t one = 1;
static const uint64_t empty = 0;
static const struct flat files = {"files", &metadata_settings.files, &one, &empty};
static const struct flat directories = {"directories", &metadata_settings.directories, &metadata_settings.split, NULL};
static const struct flat data = {"data", &metadata_settings.data_files, &one, &metadata_settings.data_size};

static const struct stage tests[] = {
    {"file_create", flat_prepare_create, flat_create, NULL, &files, 0, FILES, 0},
    {"file_walk", NULL, flat_walk, NULL, &files, FILES, 0, 0},
    {"file_remove", NULL, flat_remove, flat_finish_remove, &files, FILES, 0, FILES},
    {"directory_create", flat_prepare_create, flat_create, NULL, &directories, 0, DIRECTORIES, 0},
    {"directory_walk", NULL, flat_walk, NULL, &directories, DIRECTORIES, 0, 0},
    {"directory_remove", NULL, flat_remove, flat_finish_remove, &directories, DIRECTORIES, 0, DIRECTORIES},
    {"data_create", flat_prepare_create, flat_create, NULL, &data, 0, DATA, 0},
    {"data_remove", NULL, flat_remove, flat_finish_remove, &data, DATA, 0, DATA},
    {"source_unpack", source_prepare_unpack, source_unpack, source_finish_unpack, NULL, 0, SOURCE, 0},
    {"source_read", NULL, source_read, NULL, NULL, SOURCE, 0, 0},
    {"source_stat", NULL, source_stat, NULL, NULL, SOURCE, 0, 0},
    {"source_archive", source_prepare_archive, source_archive, source_finish_archive, NULL, SOURCE, 0, 0},
    {"source_remove", NULL, source_remove, source_finish_remove, NULL, SOURCE, 0, SOURCE},
};

enum { TESTS_COUNT = sizeof tests / sizeof tests[0] };

static const char *const test_names[] = {
    "file_create",      "file_walk",   "file_remove",   "directory_create", "directory_walk",
    "directory_remove", "data_create", "data_remove",   "source_unpack",    "source_read",
    "source_stat",      "source_archive", "source_remove", NULL,
};

static struct list chosen = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, TESTS_COUNT};

/* Bits of the entries that the chosen tests use. */
static unsigned groups(void)
{
    unsigned bits = 0;

    for (size_t i = 0; i < chosen.count; i++)
        bits |= tests[chosen.at[i]].needs | tests[chosen.at[i]].makes;
    return bits;
}

static bool read_tar(void)
{
    tar_file = open(tar_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a FIFO would block */
    if (tar_file < 0)
        return options_complain(tar_name, strerror(errno));
    return tar_read(&source, tar_file, tar_name);
}

static bool generate(void)
{
    const struct generate_settings settings = {common.seed, source_files, source_median, control_files};
    const char *fault = source_generate(&source, &settings);

    return !fault || options_complain("the source tree", fault);
}

static bool check(void)
{
    bool right = true;

    if (metadata_settings.keep && common.repetitions > 1)
        right = options_complain("--keep", "only where there is one repetition");
    if (tar_name && control_files)
        right = options_complain("--control-files", "only where there is no --tar");
    if (!right || !(groups() & SOURCE))
        return right;
    return tar_name ? read_tar() : generate();
}

static void describe(void)
{
    if (groups() & SOURCE)
        printf(",\"source_entries\":%zu", source.count);
}

/* Whether there is room for the bytes and entries that all chosen tests need together. */
static bool has_room(struct session *session)
{
    const struct metadata_settings *set = &metadata_settings;
    unsigned bits = groups();
    uint64_t bytes = 0;
    uint64_t entries = 0;

    if (bits & FILES) {
        bytes += set->files * INODE_ROOM;
        entries += set->files;
    }
    if (bits & DIRECTORIES) {
        bytes += set->directories * DIRECTORY_ROOM;
        entries += set->directories + set->split;
    }
    if (bits & DATA) {
        bytes += set->data_files * (INODE_ROOM + (set->data_size + BLOCK - 1) / BLOCK * BLOCK);
        entries += set->data_files;
    }
    if (bits & SOURCE) {
        bytes += 2 * source.room; /* once more for the archive */
        entries += source.count;
    }
    return session_room(session, bytes, entries);
}

static void run(struct session *session)
{
    static struct crew crew;
    static struct archive archive;
    struct metadata metadata = {session->workspace.directory, -1, tar_file, &source, &archive};
    struct stages stages = {.session = session, .crew = &crew, .table = tests, .count = TESTS_COUNT, .task = &metadata};
    uint64_t record = metadata_settings.block_size > TAR_RECORD ? metadata_settings.block_size : TAR_RECORD;

    session->workspace.keep = metadata_settings.keep;
    session->total = (unsigned)(chosen.count * common.repetitions);
    if (!has_room(session) || !session_hire(session, &crew, 1, 1, record))
        return;
    for (size_t i = 0; i < chosen.count && session_goes_on(session); i++) {
        const struct stage *test = &tests[chosen.at[i]];
        const struct cell cell = {.test = test->test};

        stages_run(&stages, test, &cell);
    }
    crew_dismiss(&crew);
}

static const struct option_spec options[] = {
    {.name = "tests", .kind = OPTION_NAMES, .list = &chosen, .choices = test_names, .value = "LIST",
     .help = "of the tests, in this order (all)"},
    {.name = "files", .kind = OPTION_NUMBER, .number = &metadata_settings.files, .min = 1, .max = MAX_ENTRIES,
     .value = "N", .help = "empty files in one directory (100000)"},
    {.name = "directories", .kind = OPTION_NUMBER, .number = &metadata_settings.directories, .min = 1,
     .max = MAX_ENTRIES, .value = "N", .help = "empty directories (100000)"},
    {.name = "split", .kind = OPTION_NUMBER, .number = &metadata_settings.split, .min = 1, .max = MAX_SPLIT,
     .value = "N", .help = "directories that those are in; ext2 needs 4 (1)"},
    {.name = "data-files", .kind = OPTION_NUMBER, .number = &metadata_settings.data_files, .min = 1,
     .max = MAX_ENTRIES, .value = "N", .help = "files with data in one directory (10000)"},
    {.name = "data-size", .kind = OPTION_SIZE, .number = &metadata_settings.data_size, .min = 1, .max = MAX_FILE,
     .value = "SIZE", .help = "of each of them (48K)"},
    {.name = "block-size", .kind = OPTION_SIZE, .number = &metadata_settings.block_size, .min = 1, .max = MAX_RECORD,
     .value = "SIZE", .help = "that one write to them writes (128K)"},
    {.name = "tar", .kind = OPTION_TEXT, .text = &tar_name, .value = "FILE",
     .help = "an uncompressed tar file: the source tree (one made from the seed)"},
    {.name = "source-files", .kind = OPTION_NUMBER, .number = &source_files, .min = 1, .max = MAX_SOURCE_FILES,
     .value = "N", .help = "files in a tree made from the seed (20000)"},
    {.name = "source-median", .kind = OPTION_SIZE, .number = &source_median, .min = 1, .max = GENERATE_MAX_MEDIAN,
     .value = "SIZE", .help = "their median; the mean is three times that (4K)"},
    {.name = "control-files", .kind = OPTION_FLAG, .flag = &control_files,
     .help = "with what Subversion 1.4 keeps in each of its directories"},
    {.name = "fsync", .kind = OPTION_FLAG, .flag = &metadata_settings.fsync,
     .help = "fsync each file before it is closed"},
    {.name = "keep", .kind = OPTION_FLAG, .flag = &metadata_settings.keep, .help = "leave behind what is not removed"},
};

static const struct option_table option_table = {options, sizeof options / sizeof options[0]};

const struct command metadata_command = {
    .name = "metadata",
    .summary = "many files, many directories and a source tree: created, walked, read, removed",
    .options = &option_table,
    .check = check,
    .run = run,
    .describe = describe,
};
