/* The engine's own directory inside the given one. The engine writes nowhere else. */
#ifndef FSLOAD_WORKSPACE_H
#define FSLOAD_WORKSPACE_H

#include "failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct workspace {
    int parent;          /* the given directory */
    int top;             /* fsload.XXXXXX */
    int directory;       /* fsload.XXXXXX/work, where commands make their files */
    char path[PATH_MAX]; /* of fsload.XXXXXX */
    bool keep;           /* leave it behind at the end */
};

/* Make the directory. False, with errno and the failed call, if that is impossible. */
bool workspace_open(struct workspace *workspace, const char *directory, const char **call);

/* Bytes that may be written here; UINT64_MAX if the file system does not report the number. */
uint64_t workspace_free_bytes(const struct workspace *workspace);

/* Files and directories that may be made here; UINT64_MAX if the file system makes inodes as needed. */
uint64_t workspace_free_inodes(const struct workspace *workspace);

/* Remove everything that commands made. False, with a message on stderr, if something stays behind. */
bool workspace_clear(const struct workspace *workspace);

/* Remove the directory and its contents unless `keep` is set. False, with a message, if something stays behind. */
bool workspace_remove(struct workspace *workspace);

#endif
