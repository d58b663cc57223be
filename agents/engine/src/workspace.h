/* The engine's own directory inside the one it was given. All that it makes is made in there. */
#ifndef FSLOAD_WORKSPACE_H
#define FSLOAD_WORKSPACE_H

#include "failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct workspace {
    int parent;          /* the directory given */
    int top;             /* our own, fsload.XXXXXX */
    int directory;       /* "work" in our own: what commands make is made in here */
    char path[PATH_MAX]; /* of our own */
    bool keep;           /* leave it behind at the end, as requested */
};

/* Make the directory. False, with errno and the call that failed, where that is impossible. */
bool workspace_open(struct workspace *workspace, const char *directory, const char **call);

/* Bytes that may be written here; UINT64_MAX where the file system does not say. */
uint64_t workspace_free_bytes(const struct workspace *workspace);

/* Files and directories that may be made here; UINT64_MAX where the file system makes inodes as it needs them. */
uint64_t workspace_free_inodes(const struct workspace *workspace);

/* Remove all that commands made. False, with a message on stderr, where something stays behind. */
bool workspace_clear(const struct workspace *workspace);

/* Remove it with all that is in it, unless it is to be kept. False, with a message, where something stays behind. */
bool workspace_remove(struct workspace *workspace);

#endif
