/* The threads of a mix: their preparation, and the loop that each runs. */
#include "ffsb/task.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NAP_MS 50U
#define PATIENCE 1000U

struct ffsb_thread *ffsb_threads_make(const struct ffsb_group *groups, unsigned count,
                                      unsigned counters[][FFSB_KINDS])
{
    struct ffsb_thread *threads;
    unsigned total = 0;
    unsigned made = 0;

    for (unsigned i = 0; i < count; i++)
        total += (unsigned)groups[i].threads;
    threads = calloc(total, sizeof *threads);
    for (unsigned i = 0; threads && i < count; i++) {
        uint64_t weights = 0;

        for (unsigned kind = 0; kind < FFSB_KINDS; kind++)
            weights += groups[i].weights[kind];
        for (uint64_t thread = 0; thread < groups[i].threads; thread++, made++)
            threads[made] = (struct ffsb_thread){
                .group = &groups[i], .counters = counters[i], .weights = weights, .number = made};
    }
    return threads;
}

void ffsb_threads_free(struct ffsb_thread *threads, unsigned count)
{
    for (unsigned i = 0; threads && i < count; i++)
        for (unsigned share = 0; share < FFSB_MAX_FILESYSTEMS; share++) {
            ffsb_pool_free(&threads[i].shares[share].files);
            ffsb_pool_free(&threads[i].shares[share].directories);
        }
    free(threads);
}

static bool uses(const struct ffsb_thread *thread, unsigned number)
{
    return thread->group->bound < 0 || thread->group->bound == (int)number;
}

/* Deal the files of one fileset in turn to the threads that use it. */
static bool deal(struct ffsb_thread *threads, unsigned count, const struct ffsb_fileset *fileset, unsigned number)
{
    unsigned user = 0;

    for (unsigned i = 0; i < count; i++) {
        if (!uses(&threads[i], number))
            continue;
        for (size_t file = user++; file < fileset->initial.count; file += fileset->users)
            if (!ffsb_pool_add(&threads[i].shares[number].files, fileset->initial.files[file]))
                return false;
    }
    return true;
}

bool ffsb_threads_deal(struct ffsb_thread *threads, unsigned count, const struct ffsb_fileset *filesets,
                       unsigned fileset_count)
{
    for (unsigned i = 0; i < fileset_count; i++)
        if (filesets[i].owned && !deal(threads, count, &filesets[i], i))
            return false;
    return true;
}

static bool possible(const struct ffsb_task *task, const struct ffsb_thread *thread, enum ffsb_kind kind,
                     unsigned number)
{
    const struct ffsb_fileset *fileset = &task->filesets[number];
    bool shares = !fileset->owned && !task->to_add;

    return !ffsb_kind_needs_file(kind) || thread->shares[number].files.count > 0 ||
           (shares && fileset->initial.count > 0);
}

static bool anything_possible(const struct ffsb_task *task, const struct ffsb_thread *thread)
{
    for (unsigned number = 0; number < task->profile->filesystem_count; number++)
        for (enum ffsb_kind kind = 0; kind < FFSB_KINDS; kind++)
            if (uses(thread, number) && thread->group->weights[kind] && possible(task, thread, kind, number))
                return true;
    return false;
}

/*
 * Choose by weight among the kinds, then among the file systems. If the kind finds no file there, choose again: deletes
 * have to wait for creates.
 */
static bool draw(struct worker *worker, const struct ffsb_task *task, const struct ffsb_thread *thread,
                 enum ffsb_kind *kind, unsigned *number)
{
    const struct ffsb_group *group = thread->group;

    for (unsigned tries = 1;; tries++) {
        uint64_t choice = random_below(&worker->random, thread->weights);

        for (*kind = 0; choice >= group->weights[*kind]; ++*kind)
            choice -= group->weights[*kind];
        *number = group->bound >= 0 ? (unsigned)group->bound
                                    : (unsigned)random_below(&worker->random, task->profile->filesystem_count);
        if (possible(task, thread, *kind, *number))
            return true;
        if (tries % PATIENCE == 0 && !anything_possible(task, thread))
            return worker_fail_error(worker, ffsb_kind_names[*kind], ENOENT, "no file is left", 0);
    }
}

/* Wait for the profile's op_delay, at most until the time ends. */
static void rest(struct worker *worker, uint64_t milliseconds)
{
    for (; milliseconds && worker_goes_on(worker); worker_begin(worker)) {
        uint64_t nap = milliseconds < NAP_MS ? milliseconds : NAP_MS;
        struct timespec time = {.tv_nsec = (long)nap * 1000000};

        nanosleep(&time, NULL);
        milliseconds -= nap;
    }
}

static bool goes_on(const struct worker *worker, const struct ffsb_task *task, const struct ffsb_thread *thread)
{
    if (task->to_add && thread->added >= thread->removed + task->to_add)
        return false;
    return worker_goes_on(worker) && !space_over(&task->space) &&
           (!task->operations || thread->done < task->operations);
}

bool ffsb_run(struct worker *worker)
{
    struct ffsb_task *task = worker->task;
    struct ffsb_thread *thread = &task->threads[worker->index];
    bool ok = true;
    enum ffsb_kind kind;
    unsigned number;

    while (ok && goes_on(worker, task, thread)) {
        ok = draw(worker, task, thread, &kind, &number) && ffsb_operate(worker, task, kind, number);
        thread->done++;
        rest(worker, thread->group->op_delay);
    }
    ok = ok && !stop_requested() && atomic_load(&worker->crew->first_failed) < 0;
    /* FFSB's time ends when all data are on the disk: FFSB calls sync(), fsload syncs this file system only. */
    if (atomic_fetch_sub(&task->running, 1) == 1 && ok && syncfs(task->filesets[0].data))
        return worker_fail(worker, "syncfs", "", 0);
    return ok;
}
