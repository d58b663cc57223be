#include "aging/aging.h"

#include "file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
/* How often everything is written back while the bytes of one budget are written. */
#define SYNCS_PER_BUDGET 16U

static void enter(struct worker *worker, struct aging *aging, enum aging_kind kind, const struct aged_file *file)
{
    uint64_t where = file->number << 20 | file->directory;

    worker_sequence(worker, kind, where);
    aging->digest = random_mix(random_mix(aging->digest, (uint64_t)kind << 32 | file->size), where);
}

/*
 * Write the data and send them to the disk at once. With delayed allocation, they have no blocks before that, and a
 * file that is removed early would leave no trace: a millisecond here is half a minute on a machine in use.
 */
static bool put(struct worker *worker, struct aging *aging, int file, const char *path, uint64_t size)
{
    struct failure failure;

    if (!size)
        return true;
    if (aging->fallocate)
        return !fallocate(file, 0, 0, (off_t)size) || worker_fail(worker, "fallocate", path, 0);
    if (!file_fill(file, path, size, AGING_RECORD, &worker->data, &failure))
        return worker_pass_on(worker, &failure);
    return !sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE) || worker_fail(worker, "sync_file_range", path, 0);
}

static bool create(struct worker *worker, struct aging *aging, struct aged_file *wanted)
{
    const struct profile *profile = aging->population.profile;
    uint64_t size = profile->sizes.at[wanted->size].value;
    char path[AGED_PATH_LENGTH];
    int file;
    bool done;

    enter(worker, aging, AGING_CREATE, wanted);
    directories_file_path(&aging->directories, wanted->directory, wanted->number, path);
    file = openat(aging->directory, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return worker_fail(worker, "open", path, 0);
    done = put(worker, aging, file, path, size);
    if (close(file) && done)
        done = worker_fail(worker, "close", path, 0);
    if (!done)
        return false;
    if (!population_add(&aging->population, wanted))
        return worker_fail(worker, "realloc", path, 0);
    worker_count(worker, AGING_CREATE, size);
    return true;
}

static bool delete(struct worker *worker, struct aging *aging)
{
    struct aged_file file = population_take(&aging->population);
    char path[AGED_PATH_LENGTH];

    enter(worker, aging, AGING_DELETE, &file);
    directories_file_path(&aging->directories, file.directory, file.number, path);
    if (unlinkat(aging->directory, path, 0))
        return worker_fail(worker, "unlink", path, 0);
    worker_count(worker, AGING_DELETE, 0);
    return true;
}

/*
 * Write everything back if it is due. Blocks of deleted files are free only after the journal's next commit, every few
 * seconds. A sync after a fixed number of written bytes makes this independent of the machine's speed.
 */
static bool sync_all(struct worker *worker, struct aging *aging)
{
    const struct population *population = &aging->population;

    if (population->written < aging->next_sync)
        return true;
    aging->next_sync = population->written + population->budget / SYNCS_PER_BUDGET;
    if (syncfs(aging->directory))
        return worker_fail(worker, "syncfs", "", 0);
    worker_begin(worker);
    return true;
}

static void progress(struct aging *aging)
{
    const struct population *population = &aging->population;
    uint64_t now = clock_now_ns();
    double seconds = (double)(now - aging->start_ns) / (double)SECOND;

    if (now < aging->next_progress_ns || population->made <= aging->start)
        return;
    aging->next_progress_ns = now + SECOND;
    fprintf(stderr, "aging: %.1f %% of all overwrites, %" PRIu64 " files, %.0f s left\n",
            100 * (double)population->made / (double)population->horizon, population->live,
            seconds * (double)(population->horizon - population->made) / (double)(population->made - aging->start));
}

static void decide_next(struct aging *aging)
{
    struct population *population = &aging->population;

    if (aging->has_next)
        return;
    aging->next = population_next(population);
    aging->next.directory = directories_choose(
        &aging->directories, population->profile->depths.at[aging->next.depth].value, &population->random);
    aging->has_next = true;
}

static bool create_next(struct worker *worker, struct aging *aging)
{
    aging->has_next = false;
    progress(aging);
    return create(worker, aging, &aging->next) && sync_all(worker, aging);
}

static bool start(struct worker *worker)
{
    struct aging *aging = worker->task;

    aging->start_ns = clock_now_ns();
    aging->next_progress_ns = aging->start_ns + SECOND;
    aging->start = aging->population.made;
    return true;
}

/* Make the directories, before the time. Each one comes after its parent. */
static bool make_directories(struct worker *worker)
{
    struct aging *aging = worker->task;
    char path[AGED_PATH_LENGTH];

    for (uint32_t i = 1; i <= directories_count(&aging->directories); i++) {
        directories_path(&aging->directories, i, path);
        if (mkdirat(aging->directory, path, 0700))
            return worker_fail(worker, "mkdir", path, 0);
    }
    return start(worker);
}

static bool fill(struct worker *worker)
{
    struct aging *aging = worker->task;

    while (worker_goes_on(worker)) {
        decide_next(aging);
        if (population_done(&aging->population) || !population_fits(&aging->population, &aging->next))
            return true;
        if (!create_next(worker, aging))
            return false;
    }
    return false;
}

static bool churn(struct worker *worker)
{
    struct aging *aging = worker->task;

    while (worker_goes_on(worker)) {
        if (population_done(&aging->population))
            return true;
        decide_next(aging);
        while (!population_fits(&aging->population, &aging->next))
            if (!delete (worker, aging))
                return false;
        if (!create_next(worker, aging))
            return false;
    }
    return false;
}

const struct job aging_fill = {.kinds = AGING_KINDS, .prepare = make_directories, .run = fill};
const struct job aging_churn = {.kinds = AGING_KINDS, .prepare = start, .run = churn};
