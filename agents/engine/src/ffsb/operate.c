/* The kinds of operation on files. */
#include "ffsb/operation.h"
#include "ffsb/task.h"
#include "ffsb/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char maker(const struct ffsb_task *task)
{
    return task->to_add ? 'a' : 't';
}

static uint64_t rounded(uint64_t size)
{
    return (size + FFSB_UNIT - 1) / FFSB_UNIT * FFSB_UNIT;
}

/* Choose a random file among the shared ones and the thread's own. There must be one. */
static void choose(struct ffsb_operation *operation)
{
    const struct ffsb_pool *shared = &operation->fileset->initial;
    struct ffsb_pool *own = &operation->share->files;
    size_t shared_count = operation->fileset->owned || operation->task->to_add ? 0 : shared->count;
    size_t index = random_below(&operation->worker->random, shared_count + own->count);

    operation->own = index < shared_count ? NULL : &own->files[index - shared_count];
    operation->file = operation->own ? *operation->own : shared->files[index];
    ffsb_file_name(operation->name, &operation->file, maker(operation->task), operation->thread->number);
}

static bool open_file(const struct ffsb_operation *operation, int flags, struct ffsb_transfer *transfer)
{
    const struct ffsb_task *task = operation->task;

    *transfer = (struct ffsb_transfer){
        .worker = operation->worker,
        .counter = operation->thread->counters[operation->kind],
        .name = operation->name,
        .writes = flags & (O_WRONLY | O_RDWR),
        .aligned = task->profile->alignio,
        .allowance = &operation->thread->allowance,
    };
    flags |= O_NOFOLLOW | O_CLOEXEC | (task->profile->directio ? O_DIRECT : 0);
    transfer->file = openat(operation->fileset->data, operation->name, flags, 0600);
    return transfer->file >= 0 || worker_fail(operation->worker, "open", operation->name, 0);
}

static bool syncs(const struct ffsb_operation *operation)
{
    return ffsb_kind_syncs(operation->kind) ||
           (operation->thread->group->fsync_file && ffsb_kind_writes_blocks(operation->kind));
}

/* Transfer a part of a file, in one piece or in scattered blocks. */
static bool transfer_part(struct ffsb_operation *operation, bool writes)
{
    const struct ffsb_group *group = operation->thread->group;
    uint64_t size = writes ? group->write_size : group->read_size;
    uint64_t block = writes ? group->write_blocksize : group->read_blocksize;
    uint64_t skip = !writes && group->read_skip ? group->read_skipsize : 0;
    struct ffsb_transfer transfer;
    bool ok;

    choose(operation);
    if (!open_file(operation, writes ? O_WRONLY : O_RDONLY, &transfer))
        return false;
    if (writes ? group->write_random : group->read_random) {
        ffsb_enter(operation, size);
        ok = ffsb_scattered(&transfer, operation->file.size, size, block);
    } else {
        /* With read_skip, FFSB begins at the start of the file. */
        uint64_t offset = skip ? 0 : ffsb_draw_offset(&transfer, operation->file.size - size);

        ffsb_enter(operation, offset);
        ok = (!offset || ffsb_seek(&transfer, offset)) && ffsb_sequential(&transfer, offset, size, block, skip);
    }
    return ffsb_transfer_end(&transfer, ok, syncs(operation));
}

static bool transfer_all(struct ffsb_operation *operation, bool writes)
{
    const struct ffsb_group *group = operation->thread->group;
    uint64_t block = writes ? group->write_blocksize : group->read_blocksize;
    struct ffsb_transfer transfer;
    bool ok;

    choose(operation);
    ffsb_enter(operation, operation->file.size);
    if (!open_file(operation, writes ? O_WRONLY : O_RDONLY, &transfer))
        return false;
    ok = ffsb_sequential(&transfer, 0, operation->file.size, block, 0);
    return ffsb_transfer_end(&transfer, ok, syncs(operation));
}

/* Write a new file, or append to one. */
static bool grow(struct ffsb_operation *operation, uint64_t size, int flags)
{
    uint64_t block = operation->thread->group->write_blocksize;
    uint64_t before = rounded(operation->own->size);
    struct ffsb_transfer transfer;
    bool ok;

    ffsb_enter(operation, size);
    if (!open_file(operation, flags, &transfer))
        return false;
    transfer.space = &operation->task->space;
    ok = ffsb_sequential(&transfer, operation->own->size, size, block, 0);
    operation->own->size += transfer.moved;
    operation->thread->added += rounded(operation->own->size) - before;
    return ffsb_transfer_end(&transfer, ok, syncs(operation));
}

static bool append(struct ffsb_operation *operation)
{
    choose(operation);
    return grow(operation, operation->thread->group->write_size, O_WRONLY | O_APPEND);
}

static bool create(struct ffsb_operation *operation)
{
    const struct ffsb_filesystem *settings = operation->fileset->settings;
    struct random *random = &operation->worker->random;
    struct ffsb_pool *pool = &operation->share->files;
    uint64_t size = ffsb_draw_size(operation->task->profile, settings, random_next(random));

    operation->file = (struct ffsb_file){
        .number = operation->share->next_file++,
        .place = FFSB_MADE | (uint32_t)random_below(random, operation->task->to_add ? 1 : settings->num_dirs + 1),
    };
    if (!ffsb_pool_add(pool, operation->file))
        return worker_fail_error(operation->worker, "create", ENOMEM, "the list of files", 0);
    operation->own = &pool->files[pool->count - 1];
    ffsb_file_name(operation->name, &operation->file, maker(operation->task), operation->thread->number);
    if (!space_take(&operation->task->space, &operation->thread->allowance, FFSB_UNIT)) { /* for inode and name */
        pool->count--;
        return true;
    }
    operation->thread->added += FFSB_UNIT;
    return grow(operation, size, O_WRONLY | O_CREAT | O_EXCL);
}

static bool delete(struct ffsb_operation *operation)
{
    struct ffsb_pool *pool = &operation->share->files;
    uint64_t freed;

    choose(operation);
    ffsb_enter(operation, 0);
    if (unlinkat(operation->fileset->data, operation->name, 0))
        return worker_fail(operation->worker, "unlink", operation->name, 0);
    freed = rounded(operation->file.size) + FFSB_UNIT;
    operation->thread->removed += freed;
    space_give(&operation->task->space, &operation->thread->allowance, freed);
    ffsb_pool_remove(pool, (size_t)(operation->own - pool->files));
    worker_count(operation->worker, operation->thread->counters[operation->kind], 0);
    return true;
}

static bool look(struct ffsb_operation *operation)
{
    struct ffsb_transfer transfer;
    struct stat status;

    choose(operation);
    ffsb_enter(operation, 0);
    if (operation->kind == FFSB_OPEN_CLOSE)
        return open_file(operation, O_RDONLY, &transfer) && ffsb_transfer_end(&transfer, true, false);
    if (fstatat(operation->fileset->data, operation->name, &status, AT_SYMLINK_NOFOLLOW))
        return worker_fail(operation->worker, "stat", operation->name, 0);
    worker_count(operation->worker, operation->thread->counters[operation->kind], 0);
    return true;
}

bool ffsb_operate(struct worker *worker, struct ffsb_task *task, enum ffsb_kind kind, unsigned number)
{
    struct ffsb_thread *thread = &task->threads[worker->index];
    struct ffsb_operation operation = {.worker = worker,
                                  .task = task,
                                  .thread = thread,
                                  .fileset = &task->filesets[number],
                                  .share = &thread->shares[number],
                                  .kind = kind,
                                  .number = number};

    switch (kind) {
    case FFSB_READ:
        return transfer_part(&operation, false);
    case FFSB_READALL:
        return transfer_all(&operation, false);
    case FFSB_WRITE:
    case FFSB_WRITE_FSYNC:
        return transfer_part(&operation, true);
    case FFSB_WRITEALL:
    case FFSB_WRITEALL_FSYNC:
        return transfer_all(&operation, true);
    case FFSB_CREATE:
    case FFSB_CREATE_FSYNC:
        return create(&operation);
    case FFSB_APPEND:
    case FFSB_APPEND_FSYNC:
        return append(&operation);
    case FFSB_DELETE:
        return delete (&operation);
    case FFSB_STAT:
    case FFSB_OPEN_CLOSE:
        return look(&operation);
    case FFSB_METAOP:
    case FFSB_CREATEDIR:
        return ffsb_change_directories(&operation);
    case FFSB_KINDS:
        break;
    }
    return false;
}
