/* A fileset as it is on disk: its tree of directories, its files' names and sizes, and the threads that own them. */
#ifndef FSLOAD_FILEBENCH_FILESET_H
#define FSLOAD_FILEBENCH_FILESET_H

#include "data.h"
#include "failure.h"
#include "filebench/pick.h"
#include "filebench/wml.h"

#include <stddef.h>

struct wml_entry {
    const char *name; /* below the fileset's directory */
    uint64_t size;    /* bytes it was meant to have; what was appended is not in it */
};

struct wml_set {
    const struct wml_fileset *fileset;
    int directory; /* -1: not made yet */
    int flags;     /* to open its files with */
    struct wml_entry *entries;
    struct wml_share *shares;
    unsigned share_count;
    uint64_t bytes; /* of all entries */
    char *names;    /* of directories and entries, each with a NUL */
    size_t names_size;
    size_t names_room;
    size_t *directories; /* where their names are, parents before children */
    size_t directory_count;
    size_t directory_room;
};

/*
 * Lay out the tree and draw the sizes, without touching the disk. The tree is Filebench's: the top holds as many
 * directories as it takes; below, each has about `dirwidth` entries, down to about the depth at which trees of that
 * width hold all files. False: not enough memory.
 */
bool wml_tree_plan(struct wml_set *set, uint64_t seed);

/* Share the entries out and say which are there. False: not enough memory. */
bool wml_set_share(struct wml_set *set, uint64_t seed);

/* Make the directories, and those files that are to be there. False, with a failure, or when stopped. */
bool wml_set_make(struct wml_set *set, int parent, struct data *data, struct failure *failure);

/* Close and free. Files are removed with the workspace. */
void wml_set_free(struct wml_set *set);

#endif
