#include "tree/generate.h"

#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FILES_PER_DIRECTORY 15U /* as in Linux 2.6 */
#define MAX_DEPTH 8U
#define FILE_MODE 0644U
#define DIRECTORY_MODE 0755U
#define MTIME 1201996800 /* 2008-02-03, the day of the article that this tree imitates */

/* The purposes of random numbers, so that one choice does not depend on the number of others. */
enum choice { CHOICE_SIZE, CHOICE_PARENT = 16, CHOICE_FILE = 32 };

struct directory {
    unsigned depth;
    unsigned files;
    unsigned directories;
    char path[MAX_DEPTH * sizeof "dir4294967295/"];
};

struct generator {
    const struct generate_settings *settings;
    struct source *source;
    struct directory *directories;
    unsigned count;
};

static uint64_t choose(const struct generator *generator, enum choice choice, unsigned draw, uint64_t index)
{
    return random_mix(random_mix(generator->settings->seed, (uint64_t)choice + draw), index);
}

static unsigned choose_below(const struct generator *generator, enum choice choice, unsigned draw, uint64_t index,
                             unsigned limit)
{
    return (unsigned)(choose(generator, choice, draw, index) % limit);
}

/* 2 to the power of x / 65536, times `times`; a parabola between whole powers, with an error of at most 0.3 %. */
static uint64_t times_power_of_two(uint64_t times, int64_t x)
{
    int64_t whole = x >= 0 ? x / 65536 : -((65535 - x) / 65536);
    uint64_t part = (uint64_t)(x - whole * 65536);
    uint64_t power = 65536 + (part * (43005 + (22531 * part >> 16)) >> 16);

    return whole >= 0 ? (times * power >> 16) << whole : (times * power >> 16) >> -whole;
}

/*
 * A size whose logarithm is normal with a standard deviation of 1.48, which makes the mean three times the median. The
 * normal number is the sum of twelve uniform ones: whole numbers only, so that all machines make the same tree.
 */
static uint64_t choose_size(const struct generator *generator, uint64_t index)
{
    int64_t sum = 0;

    for (unsigned draw = 0; draw < 3; draw++)
        for (uint64_t number = choose(generator, CHOICE_SIZE, draw, index), i = 0; i < 4; i++, number >>= 16)
            sum += (int64_t)(number & 65535);
    return times_power_of_two(generator->settings->median_size, (sum - 6 * INT64_C(65535)) * 140114 / 65536);
}

/* The shallower of two random directories; otherwise, half of the tree would be at the greatest depth. */
static struct directory *choose_parent(const struct generator *generator, unsigned number)
{
    struct directory *a = &generator->directories[choose_below(generator, CHOICE_PARENT, 0, number, number)];
    struct directory *b = &generator->directories[choose_below(generator, CHOICE_PARENT, 1, number, number)];
    struct directory *parent = a->depth <= b->depth ? a : b;

    return parent->depth < MAX_DEPTH ? parent : &generator->directories[0];
}

static const char *add(const struct generator *generator, enum source_kind kind, const char *path, uint64_t size)
{
    return source_add(generator->source,
                      &(struct source_entry){.path = path, .size = size, .mtime = MTIME, .kind = kind,
                                             .mode = kind == SOURCE_FILE ? FILE_MODE : DIRECTORY_MODE});
}

/* Write the path of a name in a directory. */
static void join(char path[SOURCE_PATH_LENGTH], const struct directory *directory, const char *name)
{
    snprintf(path, SOURCE_PATH_LENGTH, "%s%s%s", directory->path, directory->path[0] ? "/" : "", name);
}

static const char *add_directory(struct generator *generator)
{
    struct directory *made = &generator->directories[generator->count];
    struct directory *parent;
    char name[SOURCE_PATH_LENGTH];
    int length;

    *made = (struct directory){0};
    if (generator->count++ == 0)
        return NULL; /* the root, which exists */
    parent = choose_parent(generator, generator->count - 1);
    made->depth = parent->depth + 1;
    snprintf(name, sizeof name, "dir%u", parent->directories++);
    length = snprintf(made->path, sizeof made->path, "%s%s%s", parent->path, parent->path[0] ? "/" : "", name);
    return length < (int)sizeof made->path ? add(generator, SOURCE_DIRECTORY, made->path, 0) : "a path is too long";
}

/* Add a file. A few directories get many files: the probability falls with the directory's number. */
static const char *add_file(struct generator *generator, uint64_t index)
{
    unsigned below = choose_below(generator, CHOICE_FILE, 0, index, generator->count) + 1;
    struct directory *directory = &generator->directories[choose_below(generator, CHOICE_FILE, 1, index, below)];
    uint64_t size = choose_size(generator, index);
    char name[64];
    char path[SOURCE_PATH_LENGTH];
    const char *fault;

    snprintf(name, sizeof name, "file%u.c", directory->files);
    join(path, directory, name);
    fault = add(generator, SOURCE_FILE, path, size);
    if (!fault && generator->settings->control_files) {
        snprintf(name, sizeof name, ".svn/text-base/file%u.c.svn-base", directory->files);
        join(path, directory, name);
        fault = add(generator, SOURCE_FILE, path, size);
    }
    directory->files++;
    return fault;
}

/* Add Subversion's files, with some 200 bytes in `entries` and some 150 in `all-wcprops` for each file. */
static const char *add_control_files(const struct generator *generator, const struct directory *directory)
{
    const struct {
        const char *name;
        uint64_t size; /* 0: a directory */
    } all[] = {
        {".svn/props", 0},
        {".svn/prop-base", 0},
        {".svn/tmp", 0},
        {".svn/text-base", 0},
        {".svn/format", 2},
        {".svn/entries", 300 + 200 * (uint64_t)directory->files + 60 * (uint64_t)directory->directories},
        {".svn/all-wcprops", 100 + 150 * (uint64_t)directory->files},
    };
    char path[SOURCE_PATH_LENGTH];
    const char *fault = NULL;

    for (size_t i = 0; i < sizeof all / sizeof all[0] && !fault; i++) {
        join(path, directory, all[i].name);
        fault = add(generator, all[i].size ? SOURCE_FILE : SOURCE_DIRECTORY, path, all[i].size);
    }
    return fault;
}

const char *source_generate(struct source *source, const struct generate_settings *settings)
{
    unsigned directories = (unsigned)(settings->files / FILES_PER_DIRECTORY) + 1;
    struct generator generator = {.settings = settings, .source = source};
    const char *fault = NULL;

    generator.directories = calloc(directories, sizeof *generator.directories);
    if (!generator.directories)
        return "there is not enough memory for the tree";
    while (generator.count < directories && !fault)
        fault = add_directory(&generator);
    for (uint64_t index = 0; index < settings->files && !fault; index++)
        fault = add_file(&generator, index);
    for (unsigned i = 0; i < directories && settings->control_files && !fault; i++)
        fault = add_control_files(&generator, &generator.directories[i]);
    free(generator.directories);
    return fault;
}
