/* Goes through a tree as find, tar and rm do: opendir and readdir from each directory's own descriptor. */
#ifndef FSLOAD_TREE_WALK_H
#define FSLOAD_TREE_WALK_H

#include "crew.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum walk_event {
    WALK_FILE,  /* anything that is no directory; symlinks are not followed */
    WALK_ENTER, /* a directory, before what is in it */
    WALK_LEAVE, /* a directory, after what is in it */
};

struct walk {
    struct worker *worker;
    /* One entry: its directory, open, and its name in there. False, with a failure, ends the walk. */
    bool (*visit)(struct walk *walk, enum walk_event event, int directory, const char *name);
    void *context;
    size_t length;
    char path[PATH_MAX]; /* of the entry, beginning with the name of the tree */
};

/*
 * Visit all that is in the directory `name` of the open directory `parent`, but not itself. It holds as many files open
 * as the tree is deep. False if it was stopped or a call failed; the worker has the failure.
 */
bool walk_tree(struct walk *walk, int parent, const char *name);

/* A visitor: removes what it meets. It counts each as an operation of kind 0, without bytes. */
bool walk_remove(struct walk *walk, enum walk_event event, int directory, const char *name);

/* A visitor: fstatat of each, as find does; counted as above. */
bool walk_stat(struct walk *walk, enum walk_event event, int directory, const char *name);

#endif
