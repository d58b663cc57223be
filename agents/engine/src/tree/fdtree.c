#include "tree/fdtree.h"

#include "tree/make.h"
#include "tree/stages.h"

#include "common.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LEVELS 100U
#define MAX_NUMBER 1000000U
#define MAX_DIRECTORIES (UINT64_C(1) << 32)
#define MAX_FILE (UINT64_C(1) << 50)
#define PATH_LENGTH ((MAX_LEVELS + 2) * sizeof "/L100D1000000")

enum { DIRECTORIES = 1, FILES = 2 };

static struct {
    uint64_t levels, directories, files, file_size, block_size, threads;
    bool fsync;
} settings = {.levels = 4, .directories = 10, .files = 10, .file_size = 40960, .block_size = 4096, .threads = 1};

/* One thread's position in its own tree: the path of its directory, and the number of levels below. */
struct place {
    struct worker *worker;
    int directory; /* where the paths begin */
    size_t length;
    char path[PATH_LENGTH];
};

typedef bool (*action)(struct place *place, unsigned level);

static struct place place_of(struct worker *worker)
{
    const int *directory = stage_task(worker);
    struct place place = {.worker = worker, .directory = *directory};

    place.length = (size_t)snprintf(place.path, sizeof place.path, "LEVEL0.%u", worker->index);
    return place;
}

/* Go to an entry of the directory, and back from it. The levels count down, as in fdtree. */
static void enter(struct place *place, unsigned level, char letter, unsigned number)
{
    worker_sequence(place->worker, (uint64_t)level << 8 | (unsigned char)letter, number);
    snprintf(place->path + place->length, sizeof place->path - place->length, "/L%u%c%u", level, letter, number);
}

static void leave(struct place *place)
{
    place->path[place->length] = '\0';
}

/* Count an operation on the current entry, which succeeded or failed. */
static bool counted(const struct place *place, bool ok, const char *call, uint64_t bytes)
{
    if (!ok)
        return worker_fail(place->worker, call, place->path, 0);
    worker_count(place->worker, 0, bytes);
    return true;
}

static bool make_directory(const struct place *place)
{
    return worker_goes_on(place->worker) &&
           counted(place, !mkdirat(place->directory, place->path, 0777), "mkdir", 0);
}

static bool remove_directory(const struct place *place)
{
    return worker_goes_on(place->worker) &&
           counted(place, !unlinkat(place->directory, place->path, AT_REMOVEDIR), "rmdir", 0);
}

/* Do the action in each subdirectory. */
static bool descend(struct place *place, unsigned level, action act)
{
    size_t length = place->length;
    bool ok = true;

    for (unsigned number = (unsigned)settings.directories; number > 0 && level > 0 && ok; number--) {
        enter(place, level, 'D', number);
        place->length = strlen(place->path);
        ok = act(place, level - 1);
        place->length = length;
        leave(place);
    }
    return ok;
}

static bool make_directories(struct place *place, unsigned level)
{
    for (unsigned number = (unsigned)settings.directories; number > 0 && level > 0; number--) {
        enter(place, level, 'D', number);
        if (!make_directory(place))
            return false;
        leave(place);
    }
    return descend(place, level, make_directories);
}

static bool make_files(struct place *place, unsigned level)
{
    for (unsigned number = (unsigned)settings.files; number > 0; number--) {
        enter(place, level, 'F', number);
        if (!worker_goes_on(place->worker) || !make_file(place->worker, place->directory, place->path,
                                                         settings.file_size, settings.block_size, settings.fsync))
            return false;
        counted(place, true, "open", settings.file_size);
        leave(place);
    }
    return descend(place, level, make_files);
}

static bool remove_files(struct place *place, unsigned level)
{
    for (unsigned number = (unsigned)settings.files; number > 0; number--) {
        enter(place, level, 'F', number);
        if (!worker_goes_on(place->worker) ||
            !counted(place, !unlinkat(place->directory, place->path, 0), "unlink", 0))
            return false;
        leave(place);
    }
    return descend(place, level, remove_files);
}

static bool remove_directories(struct place *place, unsigned level)
{
    if (!descend(place, level, remove_directories))
        return false;
    for (unsigned number = (unsigned)settings.directories; number > 0 && level > 0; number--) {
        enter(place, level, 'D', number);
        if (!remove_directory(place))
            return false;
        leave(place);
    }
    return true;
}

static bool directory_create(struct worker *worker)
{
    struct place place = place_of(worker);

    return make_directory(&place) && make_directories(&place, (unsigned)settings.levels);
}

static bool file_create(struct worker *worker)
{
    struct place place = place_of(worker);

    return make_files(&place, (unsigned)settings.levels);
}

static bool file_remove(struct worker *worker)
{
    struct place place = place_of(worker);

    return remove_files(&place, (unsigned)settings.levels);
}

static bool directory_remove(struct worker *worker)
{
    struct place place = place_of(worker);

    return remove_directories(&place, (unsigned)settings.levels) && remove_directory(&place);
}

static const struct stage phases[] = {
    {.test = "directory_create", .run = directory_create, .makes = DIRECTORIES},
    {.test = "file_create", .run = file_create, .needs = DIRECTORIES, .makes = FILES},
    {.test = "file_remove", .run = file_remove, .needs = FILES, .takes = FILES},
    {.test = "directory_remove", .run = directory_remove, .needs = DIRECTORIES, .takes = DIRECTORIES},
};

/* Directories of one tree, with its root; MAX_DIRECTORIES + 1 for more than that. */
static uint64_t count_directories(void)
{
    uint64_t count = 1;

    for (uint64_t level = 0; level < settings.levels && count <= MAX_DIRECTORIES; level++)
        count = 1 + settings.directories * count;
    return count <= MAX_DIRECTORIES ? count : MAX_DIRECTORIES + 1;
}

static bool check(void)
{
    if (count_directories() > MAX_DIRECTORIES)
        return options_complain("too large a tree", "more than 4294967296 directories");
    return true;
}

/* Bytes for all threads' trees, at most UINT64_MAX. */
static uint64_t room(uint64_t directories)
{
    uint64_t files = directories * settings.files;
    uint64_t bytes;

    if (__builtin_mul_overflow(files, stages_file_room(settings.file_size), &bytes) ||
        __builtin_add_overflow(bytes, directories * ENTRY_ROOM, &bytes) ||
        __builtin_mul_overflow(bytes, settings.threads, &bytes))
        return UINT64_MAX;
    return bytes;
}

static void run(struct session *session)
{
    static struct crew crew;
    uint64_t directories = count_directories();
    struct stages stages = {.session = session, .crew = &crew, .table = phases,
                            .count = sizeof phases / sizeof phases[0], .task = &session->workspace.directory};

    if (!session_room(session, room(directories), directories * (1 + settings.files) * settings.threads) ||
        !session_hire(session, &crew, settings.threads, 1, settings.block_size))
        return;
    session->total = (unsigned)((settings.files ? stages.count : stages.count - 2) * common.repetitions);
    for (size_t i = 0; i < stages.count && session_goes_on(session); i++) {
        const struct cell cell = {.test = phases[i].test};

        if (settings.files || !((phases[i].makes | phases[i].takes) & FILES))
            stages_run(&stages, &phases[i], &cell);
    }
    crew_dismiss(&crew);
}

static const struct option_spec options[] = {
    {.name = "levels", .kind = OPTION_NUMBER, .number = &settings.levels, .max = MAX_LEVELS, .value = "L",
     .help = "levels of directories below the tree's root (4)"},
    {.name = "directories", .kind = OPTION_NUMBER, .number = &settings.directories, .min = 1, .max = MAX_NUMBER,
     .value = "D", .help = "directories in each directory, but for the last level (10)"},
    {.name = "files", .kind = OPTION_NUMBER, .number = &settings.files, .max = MAX_NUMBER, .value = "F",
     .help = "files in each directory (10)"},
    {.name = "file-size", .kind = OPTION_SIZE, .number = &settings.file_size, .max = MAX_FILE, .value = "SIZE",
     .help = "of each file (40K)"},
    {.name = "block-size", .kind = OPTION_SIZE, .number = &settings.block_size, .min = 1, .max = MAX_RECORD,
     .value = "SIZE", .help = "that one write writes (4K)"},
    {.name = "threads", .kind = OPTION_NUMBER, .number = &settings.threads, .min = 1, .max = MAX_THREADS,
     .value = "N", .help = "threads, each with a tree of its own (1)"},
    {.name = "fsync", .kind = OPTION_FLAG, .flag = &settings.fsync, .help = "fsync each file before it is closed"},
};

static const struct option_table option_table = {options, sizeof options / sizeof options[0]};

const struct command tree_command = {
    .name = "tree",
    .summary = "creates and removes a tree of directories and files, as fdtree does",
    .options = &option_table,
    .check = check,
    .run = run,
};
