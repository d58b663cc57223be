/* The kinds of operation on directories. Each thread has its own directories, beside those of the others. */
#include "ffsb/operation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void name_directory(struct ffsb_operation *operation, uint32_t number)
{
    snprintf(operation->name, sizeof operation->name, "%c%u.%u", operation->kind == FFSB_METAOP ? 'm' : 'c',
             operation->thread->number, number);
}

static bool make_directory(struct ffsb_operation *operation, int parent)
{
    struct ffsb_file entry = {.number = operation->share->next_directory++};

    name_directory(operation, entry.number);
    if (operation->kind == FFSB_METAOP && !ffsb_pool_add(&operation->share->directories, entry))
        return worker_fail_error(operation->worker, "mkdir", ENOMEM, "the list of directories", 0);
    return mkdirat(parent, operation->name, 0700) == 0 ||
           worker_fail(operation->worker, "mkdir", operation->name, 0);
}

/* Rename one of the thread's directories. */
static bool rename_directory(struct ffsb_operation *operation, int parent)
{
    struct ffsb_pool *pool = &operation->share->directories;
    struct ffsb_file *entry = &pool->files[random_below(&operation->worker->random, pool->count)];
    char old[FFSB_NAME_LENGTH];

    name_directory(operation, entry->number);
    snprintf(old, sizeof old, "%s", operation->name);
    entry->number = operation->share->next_directory++;
    name_directory(operation, entry->number);
    return renameat(parent, old, parent, operation->name) == 0 ||
           worker_fail(operation->worker, "rename", old, 0);
}

static bool remove_directory(struct ffsb_operation *operation, int parent)
{
    struct ffsb_pool *pool = &operation->share->directories;
    size_t index = random_below(&operation->worker->random, pool->count);

    name_directory(operation, pool->files[index].number);
    ffsb_pool_remove(pool, index);
    return unlinkat(parent, operation->name, AT_REMOVEDIR) == 0 ||
           worker_fail(operation->worker, "rmdir", operation->name, 0);
}

bool ffsb_change_directories(struct ffsb_operation *operation)
{
    struct ffsb_task *task = operation->task;
    int meta = operation->fileset->meta;
    bool ok;

    ffsb_enter(operation, operation->share->next_directory);
    if (!space_take(&task->space, &operation->thread->allowance, FFSB_UNIT))
        return true;
    if (operation->kind == FFSB_CREATEDIR)
        ok = make_directory(operation, operation->fileset->data);
    else
        ok = make_directory(operation, meta) && make_directory(operation, meta) && remove_directory(operation, meta) &&
             rename_directory(operation, meta);
    if (ok)
        worker_count(operation->worker, operation->thread->counters[operation->kind], 0);
    return ok;
}
