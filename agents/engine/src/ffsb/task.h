/* The state that the threads of a mix share, and the state of each thread. */
#ifndef FSLOAD_FFSB_TASK_H
#define FSLOAD_FFSB_TASK_H

#include "crew.h"
#include "ffsb/fileset.h"
#include "ffsb/profile.h"
#include "space.h"

#include <stdatomic.h>

/* A thread's own files and directories in one file system. */
struct ffsb_share {
    struct ffsb_pool files;       /* that only this thread works on */
    struct ffsb_pool directories; /* for metaop: only the numbers matter */
    uint32_t next_file;
    uint32_t next_directory;
};

struct ffsb_thread {
    const struct ffsb_group *group;
    const unsigned *counters; /* the number of each kind's counter */
    uint64_t weights;         /* of all kinds */
    unsigned number;
    uint64_t done;      /* operations, each a whole file or transfer */
    uint64_t allowance; /* of space */
    uint64_t added;     /* bytes that its new files take, in steps of 4 KiB */
    uint64_t removed;   /* bytes that it has freed */
    struct ffsb_share shares[FFSB_MAX_FILESYSTEMS];
};

struct ffsb_task {
    const struct ffsb_profile *profile;
    struct ffsb_fileset *filesets;
    struct ffsb_thread *threads;
    struct space space;
    uint64_t operations; /* of each thread; 0: until the time ends */
    uint64_t to_add;     /* bytes, by each thread, if this is aging; else 0 */
    atomic_uint running;
};

/* Do one operation. False: it failed, or was stopped in the middle. */
bool ffsb_operate(struct worker *worker, struct ffsb_task *task, enum ffsb_kind kind, unsigned number);

/* A job's `run`: random operations until the mix ends; the last thread writes back the cache. */
bool ffsb_run(struct worker *worker);

/* Threads for these groups. NULL: not enough memory. */
struct ffsb_thread *ffsb_threads_make(const struct ffsb_group *groups, unsigned count,
                                      unsigned counters[][FFSB_KINDS]);
void ffsb_threads_free(struct ffsb_thread *threads, unsigned count);

/* Give each thread its share of the initial files. False: not enough memory. */
bool ffsb_threads_deal(struct ffsb_thread *threads, unsigned count, const struct ffsb_fileset *filesets,
                       unsigned fileset_count);

/* Fill a file system to the fullness in its profile. False, with a failure, or if stopped. */
bool ffsb_age(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *filesets,
              unsigned number, struct failure *failure);

/* The largest block that a group reads or writes. */
uint64_t ffsb_largest_block(const struct ffsb_group *group);

#endif
