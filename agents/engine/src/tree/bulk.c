#include "tree/bulk.h"

#include "tree/make.h"
#include "tree/stages.h"
#include "tree/walk.h"

#include "common.h"
#include "memory.h"
#include "size.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define ROOT "bulk"
#define FLUSH_FILE "flush"
#define FLUSH_BLOCK (UINT64_C(1) << 20)
#define MAX_FILE (UINT64_C(1) << 50)
#define MAX_FILES 100000000U
#define MAX_CACHE (UINT64_C(1) << 50)
#define MAX_MULTIPLE 100U
#define TMPFS_NUMBER 0x01021994
#define PATH_LENGTH 64U

enum { FILES = 1, FLUSHED = 2 };

static struct {
    uint64_t total_size, file_size, files_per_directory, block_size, controller_cache;
    double flush_multiple;
    bool fsync, keep;
} settings = {.file_size = 1 << 20, .files_per_directory = 1000, .block_size = 128 << 10, .flush_multiple = 2.0};

/* The task of the stages. */
struct bulk {
    int directory; /* of the workspace */
    uint64_t flush_bytes;
};

static uint64_t count_files(void)
{
    return settings.total_size / settings.file_size;
}

static uint64_t count_directories(void)
{
    return (count_files() + settings.files_per_directory - 1) / settings.files_per_directory;
}

static bool prepare_create(struct worker *worker)
{
    const struct bulk *bulk = stage_task(worker);

    return !mkdirat(bulk->directory, ROOT, 0777) || worker_fail(worker, "mkdir", ROOT, 0);
}

/* Create the files. A directory is made before its first file: inside the time, but not in that file's latency. */
static bool create(struct worker *worker)
{
    const struct bulk *bulk = stage_task(worker);
    char path[PATH_LENGTH];

    for (uint64_t number = 0; number < count_files(); number++) {
        uint64_t directory = number / settings.files_per_directory;

        if (number % settings.files_per_directory == 0) {
            snprintf(path, sizeof path, ROOT "/%" PRIu64, directory);
            if (mkdirat(bulk->directory, path, 0777))
                return worker_fail(worker, "mkdir", path, 0);
            worker_begin(worker);
        }
        snprintf(path, sizeof path, ROOT "/%" PRIu64 "/%" PRIu64, directory, number % settings.files_per_directory);
        worker_sequence(worker, directory, number);
        if (!worker_goes_on(worker) || !make_file(worker, bulk->directory, path, settings.file_size,
                                                  settings.block_size, settings.fsync))
            return false;
        worker_count(worker, 0, settings.file_size);
    }
    return true;
}

/* Displace the files from memory and from the controller's cache by writing other data through both. */
static bool flush(struct worker *worker)
{
    const struct bulk *bulk = stage_task(worker);

    if (!bulk->flush_bytes)
        return true;
    return make_file(worker, bulk->directory, FLUSH_FILE, bulk->flush_bytes, FLUSH_BLOCK, true) &&
           (!unlinkat(bulk->directory, FLUSH_FILE, 0) || worker_fail(worker, "unlink", FLUSH_FILE, 0));
}

/* Remove an entry. Only files count as operations. */
static bool visit_delete(struct walk *walk, enum walk_event event, int directory, const char *name)
{
    if (event == WALK_FILE) {
        if (unlinkat(directory, name, 0))
            return worker_fail(walk->worker, "unlink", walk->path, 0);
        worker_count(walk->worker, 0, 0);
    } else if (event == WALK_LEAVE) {
        if (unlinkat(directory, name, AT_REMOVEDIR))
            return worker_fail(walk->worker, "rmdir", walk->path, 0);
        worker_begin(walk->worker);
    }
    return true;
}

static bool delete(struct worker *worker)
{
    const struct bulk *bulk = stage_task(worker);
    struct walk walk = {.worker = worker, .visit = visit_delete};

    return walk_tree(&walk, bulk->directory, ROOT) &&
           (!unlinkat(bulk->directory, ROOT, AT_REMOVEDIR) || worker_fail(worker, "rmdir", ROOT, 0));
}

static const struct stage stages_table[] = {
    {.test = "create", .prepare = prepare_create, .run = create, .makes = FILES},
    {.run = flush, .needs = FILES, .makes = FLUSHED},
    {.test = "delete", .run = delete, .needs = FILES | FLUSHED, .takes = FILES | FLUSHED},
};

static bool in_memory(int directory)
{
    struct statfs status;

    return !fstatfs(directory, &status) && status.f_type == TMPFS_NUMBER;
}

/* Plan how much to write to flush the caches. False, with a refusal, if there is too little room for that. */
static bool plan_flush(struct session *session, uint64_t data_room, struct bulk *bulk)
{
    uint64_t caches = memory_bytes() + settings.controller_cache;
    uint64_t wanted = settings.keep ? 0 : (uint64_t)(settings.flush_multiple * (double)caches);
    uint64_t least = wanted < caches ? wanted : caches;
    uint64_t free_bytes = workspace_free_bytes(&session->workspace);
    uint64_t taken = common.min_free + data_room; /* session_room() has checked both */
    uint64_t room = free_bytes > taken ? free_bytes - taken : 0;
    bool cut = room < wanted;
    char text[3][SIZE_TEXT_LENGTH];

    bulk->flush_bytes = cut ? room : wanted;
    size_print(text[0], wanted >> 20 << 20);
    size_print(text[1], room >> 20 << 20);
    size_print(text[2], caches >> 20 << 20);
    if (wanted && in_memory(session->workspace.directory)) {
        fputs("fsload: nothing is flushed: this file system is in memory\n", stderr);
        bulk->flush_bytes = 0;
    } else if (cut && room < least) {
        session_refuse(session, "flushing the caches takes %s or more, and only %s are free for it; "
                       "--flush-multiple 0 does without", text[2], text[1]);
    } else if (cut) {
        fprintf(stderr, "fsload: the caches (%s) are flushed with %s instead of %s: no more is free\n", text[2],
                text[1], text[0]);
    }
    return !session->refused;
}

static void run_stages(struct stages *stages, const struct bulk *bulk)
{
    char facts[64];
    struct cell created = {.test = "create"};
    struct cell deleted = {.test = "delete", .facts = facts};

    snprintf(facts, sizeof facts, "\"flush_bytes\":%" PRIu64, bulk->flush_bytes);
    stages_run(stages, &stages_table[0], &created);
    if (settings.keep)
        stages->session->workspace.keep = session_goes_on(stages->session);
    else if (session_goes_on(stages->session))
        stages_run(stages, &stages_table[2], &deleted);
}

static void run(struct session *session)
{
    static struct crew crew;
    struct bulk bulk = {.directory = session->workspace.directory};
    struct stages stages = {.session = session, .crew = &crew, .table = stages_table,
                            .count = sizeof stages_table / sizeof stages_table[0], .task = &bulk};
    uint64_t entries = count_files() + count_directories();
    uint64_t room = count_files() * stages_file_room(settings.file_size) + count_directories() * ENTRY_ROOM;

    session->total = (unsigned)((settings.keep ? 1 : 2) * common.repetitions);
    if (!session_room(session, room, entries) || !plan_flush(session, room, &bulk) ||
        !session_hire(session, &crew, 1, 1, settings.block_size > FLUSH_BLOCK ? settings.block_size : FLUSH_BLOCK))
        return;
    run_stages(&stages, &bulk);
    crew_dismiss(&crew);
}

static bool check(void)
{
    if (settings.total_size % settings.file_size)
        return options_complain("--total-size", "is no whole number of files");
    if (count_files() > MAX_FILES)
        return options_complain("--total-size", "that is more than 100000000 files");
    if (settings.keep && common.repetitions > 1)
        return options_complain("--keep", "of --repetitions only one can be kept");
    return true;
}

static void describe(void)
{
    printf(",\"memory_bytes\":%" PRIu64, memory_bytes());
}

static const struct option_spec options[] = {
    {.name = "total-size", .kind = OPTION_SIZE, .number = &settings.total_size, .min = 1, .max = MAX_FILE,
     .value = "SIZE", .help = "of all files together", .required = true},
    {.name = "file-size", .kind = OPTION_SIZE, .number = &settings.file_size, .min = 1, .max = MAX_FILE,
     .value = "SIZE", .help = "of each file (1M)"},
    {.name = "files-per-directory", .kind = OPTION_NUMBER, .number = &settings.files_per_directory, .min = 1,
     .max = MAX_FILES, .value = "N", .help = "files in each directory (1000)"},
    {.name = "block-size", .kind = OPTION_SIZE, .number = &settings.block_size, .min = 1, .max = MAX_RECORD,
     .value = "SIZE", .help = "that one write writes (128K)"},
    {.name = "fsync", .kind = OPTION_FLAG, .flag = &settings.fsync, .help = "fsync each file before it is closed"},
    {.name = "flush-multiple", .kind = OPTION_REAL, .real = &settings.flush_multiple, .max = MAX_MULTIPLE,
     .value = "X", .help = "write X times the caches' size before deleting; 0: do not flush them (2.0)"},
    {.name = "controller-cache", .kind = OPTION_SIZE, .number = &settings.controller_cache, .max = MAX_CACHE,
     .value = "SIZE", .help = "of the RAID controller, beside this machine's memory (0)"},
    {.name = "keep", .kind = OPTION_FLAG, .flag = &settings.keep,
     .help = "delete nothing and leave the files behind: the last line says where"},
};

static const struct option_table option_table = {options, sizeof options / sizeof options[0]};

const struct command bulk_command = {
    .name = "bulk",
    .summary = "directories full of files of one size: created, and deleted from cold caches",
    .options = &option_table,
    .check = check,
    .run = run,
    .describe = describe,
};
