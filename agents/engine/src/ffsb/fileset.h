/* The files of a profile's file system, which here is a directory fs0, fs1, …; `location` is not used. */
#ifndef FSLOAD_FFSB_FILESET_H
#define FSLOAD_FFSB_FILESET_H

#include "data.h"
#include "failure.h"
#include "ffsb/profile.h"
#include "session.h"

#include <stddef.h>

#define FFSB_MAX_FILES (UINT64_C(1) << 24)
#define FFSB_NAME_LENGTH 48

struct ffsb_file {
    uint64_t size;
    uint32_t number; /* unique among the files of its maker */
    uint32_t place;  /* 0: the main directory; n: its subdirectory n - 1; FFSB_MADE: made by its thread */
};

#define FFSB_MADE (UINT32_C(1) << 31)

/* A list of files in no particular order. */
struct ffsb_pool {
    struct ffsb_file *files;
    size_t count;
    size_t room;
};

/* Add a file. False: not enough memory, or the list has FFSB_MAX_FILES. */
bool ffsb_pool_add(struct ffsb_pool *pool, struct ffsb_file file);
void ffsb_pool_remove(struct ffsb_pool *pool, size_t index);
void ffsb_pool_free(struct ffsb_pool *pool);

struct ffsb_fileset {
    const struct ffsb_filesystem *settings;
    struct ffsb_pool initial;
    uint64_t initial_bytes;
    uint64_t aging_bytes; /* that the aging has to add */
    unsigned users;       /* number of threads that work on it */
    bool owned;           /* each thread has its own files, because some append or delete */
    int data;             /* directories; -1: not open */
    int meta;
};

/*
 * Decide which files to make and how much the aging adds. False, with the session refused, if there is not enough room
 * or memory.
 */
bool ffsb_plan(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *filesets);

/* Make the directories of a planned fileset below this one, and its files. False, with a failure, or if stopped. */
bool ffsb_fileset_make_directories(struct ffsb_fileset *fileset, unsigned number, int directory,
                                   struct failure *failure);
bool ffsb_fileset_make_files(const struct ffsb_fileset *fileset, bool direct, struct data *data,
                             struct failure *failure);

/* Close a fileset and free its plan; the files stay. */
void ffsb_fileset_close(struct ffsb_fileset *fileset);

/* A file's name below `data`. */
void ffsb_file_name(char name[FFSB_NAME_LENGTH], const struct ffsb_file *file, char maker, unsigned thread);

#endif
