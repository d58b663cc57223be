#include "tree/flat.h"

#include "tree/make.h"
#include "tree/metadata.h"
#include "tree/stages.h"
#include "tree/walk.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_LENGTH 64U

static void top_name(char name[NAME_LENGTH], const struct flat *flat, uint64_t top)
{
    snprintf(name, NAME_LENGTH, "%s.%" PRIu64, flat->name, top);
}

bool flat_prepare_create(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);
    const struct flat *flat = stage_argument(worker);
    char name[NAME_LENGTH];

    for (uint64_t top = 0; top < *flat->split; top++) {
        top_name(name, flat, top);
        if (mkdirat(metadata->directory, name, 0777))
            return worker_fail(worker, "mkdir", name, 0);
    }
    return true;
}

static bool create_one(struct worker *worker, const char *path)
{
    const struct metadata *metadata = stage_task(worker);
    const struct flat *flat = stage_argument(worker);

    if (!flat->size)
        return !mkdirat(metadata->directory, path, 0777) || worker_fail(worker, "mkdir", path, 0);
    return make_file(worker, metadata->directory, path, *flat->size, metadata_settings.block_size,
                     metadata_settings.fsync);
}

/* Create the entries first … end-1, in one directory. */
static bool create_part(struct worker *worker, uint64_t top, uint64_t first, uint64_t end)
{
    const struct flat *flat = stage_argument(worker);
    char path[NAME_LENGTH];

    for (uint64_t number = first; number < end; number++) {
        snprintf(path, sizeof path, "%s.%" PRIu64 "/%" PRIu64, flat->name, top, number);
        worker_sequence(worker, top, number);
        if (!worker_goes_on(worker) || !create_one(worker, path))
            return false;
        worker_count(worker, 0, flat->size ? *flat->size : 0);
    }
    return true;
}

bool flat_create(struct worker *worker)
{
    const struct flat *flat = stage_argument(worker);
    uint64_t count = *flat->count;
    uint64_t split = *flat->split;
    bool ok = true;

    for (uint64_t top = 0; top < split && ok; top++)
        ok = create_part(worker, top, count * top / split, count * (top + 1) / split);
    return ok;
}

static bool walk_all(struct worker *worker, bool (*visit)(struct walk *, enum walk_event, int, const char *))
{
    const struct metadata *metadata = stage_task(worker);
    const struct flat *flat = stage_argument(worker);
    struct walk walk = {.worker = worker, .visit = visit};
    char name[NAME_LENGTH];

    for (uint64_t top = 0; top < *flat->split; top++) {
        top_name(name, flat, top);
        if (!walk_tree(&walk, metadata->directory, name))
            return false;
    }
    return true;
}

bool flat_walk(struct worker *worker)
{
    return walk_all(worker, walk_stat);
}

bool flat_remove(struct worker *worker)
{
    return walk_all(worker, walk_remove);
}

bool flat_finish_remove(struct worker *worker)
{
    const struct metadata *metadata = stage_task(worker);
    const struct flat *flat = stage_argument(worker);
    char name[NAME_LENGTH];

    for (uint64_t top = 0; top < *flat->split && !failed(&worker->failure) && worker->complete; top++) {
        top_name(name, flat, top);
        if (unlinkat(metadata->directory, name, AT_REMOVEDIR))
            return worker_fail(worker, "rmdir", name, 0);
    }
    return true;
}
