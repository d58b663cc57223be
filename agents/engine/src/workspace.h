/* The engine's own directory inside the one it was given, and one file in it for each thread. */
#ifndef FSLOAD_WORKSPACE_H
#define FSLOAD_WORKSPACE_H

#include "failure.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct workspace {
    int parent;           /* the directory given */
    int directory;        /* our own, fsload.XXXXXX, with nothing in it but our files */
    char path[PATH_MAX];  /* of our own */
    unsigned files;
    uint64_t file_size;   /* bytes in each file; 0 where there are none, or only pieces of them */
};

/* Make the directory. False, with errno and the call that failed, where that is impossible. */
bool workspace_open(struct workspace *workspace, const char *directory, unsigned files, const char **call);

/* Bytes that may be written here; UINT64_MAX where the file system does not say. */
uint64_t workspace_free_bytes(const struct workspace *workspace);

/* Open the file of a thread; flags as of open(2). -1 with the failure filled in. */
int workspace_open_file(const struct workspace *workspace, unsigned file, int flags, struct failure *failure);

/* The name of a thread's file in the directory. */
void workspace_file_name(char name[FAILURE_FILE_LENGTH], unsigned file);

/* Remove all files. */
void workspace_clear(struct workspace *workspace);

/* Remove files and directory. False, with a message on stderr, where something stays behind. */
bool workspace_remove(struct workspace *workspace);

#endif
