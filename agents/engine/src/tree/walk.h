/* Goes through a tree as find, tar and rm do: opendir and readdir from each directory's own descriptor. */
#ifndef FSLOAD_TREE_WALK_H
#define FSLOAD_TREE_WALK_H

#include "crew.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum walk_event {
    WALK_FILE,  /* anything but a directory; symlinks are not followed */
    WALK_ENTER, /* a directory, before its entries */
    WALK_LEAVE, /* a directory, after its entries */
};

struct walk {
    struct worker *worker;
    /* Called for each entry, with its open directory and its name. False, with a failure, ends the walk. */
    bool (*visit)(struct walk *walk, enum walk_event event, int directory, const char *name);
    void *context;
    size_t length;
    char path[PATH_MAX]; /* of the entry, beginning with the name of the tree */
};

/*
 * Visit everything in the directory `name` of the open directory `parent`, but not the directory itself. Holds one file
 * open per level of the tree. False if it was stopped or a call failed; the worker has the failure.
 */
bool walk_tree(struct walk *walk, int parent, const char *name);

/* A visitor that removes each entry, and counts it as an operation of kind 0, without bytes. */
bool walk_remove(struct walk *walk, enum walk_event event, int directory, const char *name);

/* A visitor that calls fstatat for each entry, as find does, and counts it likewise. */
bool walk_stat(struct walk *walk, enum walk_event event, int directory, const char *name);

#endif
