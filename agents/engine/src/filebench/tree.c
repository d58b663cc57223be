#include "filebench/fileset.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Depths are drawn at random; this bounds a path to some 300 characters. */
#define MAX_DEPTH 30U
#define NAME_LENGTH 9U /* "/00000001" */

struct tree {
    struct wml_set *set;
    struct random random;
    double mean_depth;
    uint64_t files;
    size_t *places; /* positions of the entries' names, because their memory moves while it grows */
    char path[NAME_LENGTH * (MAX_DEPTH + 2)];
};

static bool add_name(struct wml_set *set, const char *name, size_t *place)
{
    size_t size = strlen(name) + 1;

    if (set->names_size + size > set->names_room) {
        size_t room = set->names_room * 2 + 4096;
        char *names = realloc(set->names, room);

        if (!names)
            return false;
        set->names = names;
        set->names_room = room;
    }
    *place = set->names_size;
    memcpy(set->names + *place, name, size);
    set->names_size += size;
    return true;
}

static bool add_directory(struct wml_set *set, const char *path)
{
    if (set->directory_count == set->directory_room) {
        size_t room = set->directory_room * 2 + 64;
        size_t *directories = realloc(set->directories, room * sizeof *directories);

        if (!directories)
            return false;
        set->directories = directories;
        set->directory_room = room;
    }
    return add_name(set, path, &set->directories[set->directory_count++]);
}

static bool add_file(struct tree *tree)
{
    struct wml_set *set = tree->set;
    struct wml_entry *entry = &set->entries[tree->files];

    entry->size = wml_draw(&set->fileset->size, &tree->random);
    set->bytes += entry->size;
    return add_name(set, tree->path, &tree->places[tree->files++]);
}

/* A width or depth, varied by dirgamma; never 0. */
static double scatter(struct tree *tree, double mean)
{
    double shape = (double)tree->set->fileset->directory_gamma / 1000;
    double drawn = shape > 0 && mean > 0 ? wml_gamma(&tree->random, shape, mean / shape) : mean;

    return drawn > 0 ? drawn : 1;
}

static bool fill(struct tree *tree, size_t length, unsigned depth);

/* Add an entry to a directory: a file in a leaf, a directory elsewhere. */
static bool fill_one(struct tree *tree, size_t length, unsigned depth, unsigned number, bool leaf)
{
    int added = snprintf(tree->path + length, sizeof tree->path - length, "%s%08u", length ? "/" : "", number);

    if (leaf)
        return add_file(tree);
    return add_directory(tree->set, tree->path) && fill(tree, length + (size_t)added, depth + 1);
}

/* Fill a directory. The recursion is as deep as the tree. */
static bool fill(struct tree *tree, size_t length, unsigned depth)
{
    const struct wml_fileset *fileset = tree->set->fileset;
    double leaf_depth = floor(scatter(tree, tree->mean_depth));
    double width = scatter(tree, (double)fileset->directory_width);
    bool top = depth == 1;
    bool leaf = !top && (depth >= leaf_depth || depth > MAX_DEPTH);
    bool right = true;

    for (unsigned i = 1; right && (top || i < width + 1) && tree->files < fileset->entries; i++)
        right = fill_one(tree, length, depth, i, leaf);
    return right;
}

bool wml_tree_plan(struct wml_set *set, uint64_t seed)
{
    const struct wml_fileset *fileset = set->fileset;
    struct tree tree = {.set = set, .random = {seed}};
    bool right;

    if (fileset->directory_width > 1)
        tree.mean_depth = log((double)fileset->entries) / log((double)fileset->directory_width);
    set->entries = calloc(fileset->entries, sizeof *set->entries);
    tree.places = calloc(fileset->entries, sizeof *tree.places);
    right = set->entries && tree.places && fill(&tree, 0, 1);
    for (uint64_t i = 0; right && i < fileset->entries; i++)
        set->entries[i].name = set->names + tree.places[i];
    free(tree.places);
    return right;
}
