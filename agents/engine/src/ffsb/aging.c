/* FFSB's aging: threads create, append and delete until the file system is as full as the profile says. */
#include "common.h"
#include "ffsb/task.h"

#include <errno.h>

uint64_t ffsb_largest_block(const struct ffsb_group *group)
{
    return group->read_blocksize > group->write_blocksize ? group->read_blocksize : group->write_blocksize;
}

/*
 * FFSB checks the fullness of the file system each second. Here each thread adds its part of the missing bytes, so
 * that the same seed makes the same files.
 */
bool ffsb_age(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *filesets,
              unsigned number, struct failure *failure)
{
    static unsigned counters[1][FFSB_KINDS]; /* one for all kinds: not reported */
    const struct ffsb_group *group = &filesets[number].settings->aging;
    unsigned count = (unsigned)group->threads;
    struct ffsb_task task = {.profile = profile, .filesets = filesets, .running = count};
    struct job job = {.kinds = 1, .run = ffsb_run, .task = &task};
    struct measurement measurement = {.outcome = OUTCOME_STOPPED};
    struct crew crew;

    task.to_add = filesets[number].aging_bytes / count;
    if (!task.to_add)
        return true;
    if (!session_hire(session, &crew, count, 1, ffsb_largest_block(group)))
        return false;
    task.threads = ffsb_threads_make(group, 1, counters);
    space_open(&task.space, &session->workspace, 0, count);
    crew.seed = random_mix(common.seed, UINT64_C(0xa9e00000) + number);
    if (task.threads)
        crew_run(&crew, &job, &measurement);
    else
        failure_set_error(failure, "calloc", ENOMEM, "", 0);
    if (measurement.outcome == OUTCOME_FAILED)
        *failure = measurement.failure;
    ffsb_threads_free(task.threads, count);
    crew_dismiss(&crew);
    return measurement.outcome == OUTCOME_OK;
}
