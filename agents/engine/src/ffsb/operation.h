/* The current operation of a thread. */
#ifndef FSLOAD_FFSB_OPERATION_H
#define FSLOAD_FFSB_OPERATION_H

#include "ffsb/task.h"

#define FFSB_UNIT UINT64_C(4096) /* unit of the space that files take */

struct ffsb_operation {
    struct worker *worker;
    struct ffsb_task *task;
    struct ffsb_thread *thread;
    struct ffsb_fileset *fileset;
    struct ffsb_share *share;
    enum ffsb_kind kind;
    unsigned number;       /* of the file system */
    struct ffsb_file *own; /* the file, if it is the thread's own */
    struct ffsb_file file;
    char name[FFSB_NAME_LENGTH];
};

/* Enter the operation into the digest of the sequence. */
static inline void ffsb_enter(const struct ffsb_operation *operation, uint64_t where)
{
    uint64_t what = (uint64_t)operation->file.number << 32 | (operation->file.place & FFSB_MADE) |
                    operation->number << 8 | (uint64_t)operation->kind;

    worker_sequence(operation->worker, what, where);
}

/* metaop is as in FFSB: make two directories, remove one, rename one. createdir makes one beside the files. */
bool ffsb_change_directories(struct ffsb_operation *operation);

#endif
