/* A fileset on disk: its tree of directories, its files' names and sizes, and the threads that own them. */
#ifndef FSLOAD_FILEBENCH_FILESET_H
#define FSLOAD_FILEBENCH_FILESET_H

#include "data.h"
#include "failure.h"
#include "filebench/pick.h"
#include "filebench/wml.h"

#include <stddef.h>

struct wml_entry {
    const char *name; /* below the fileset's directory */
    uint64_t size;    /* planned size in bytes, without appended data */
};

struct wml_set {
    const struct wml_fileset *fileset;
    int directory; /* -1: not made yet */
    int flags;     /* for opening its files */
    struct wml_entry *entries;
    struct wml_share *shares;
    unsigned share_count;
    uint64_t bytes; /* of all entries */
    char *names;    /* of directories and entries, each with a NUL */
    size_t names_size;
    size_t names_room;
    size_t *directories; /* the positions of their names, parents before children */
    size_t directory_count;
    size_t directory_room;
};

/*
 * Plan the tree and draw the sizes, without touching the disk. The tree is Filebench's: the top holds as many
 * directories as needed; below, each has about `dirwidth` entries, down to about the depth at which trees of that
 * width hold all files. False: not enough memory.
 */
bool wml_tree_plan(struct wml_set *set, uint64_t seed);

/* Divide the entries among the threads, and choose those that exist. False: not enough memory. */
bool wml_set_share(struct wml_set *set, uint64_t seed);

/* Make the directories, and the files that are to exist. False, with a failure, or if stopped. */
bool wml_set_make(struct wml_set *set, int parent, struct data *data, struct failure *failure);

/* Close and free. Files are removed with the workspace. */
void wml_set_free(struct wml_set *set);

#endif
