#include "filebench/fileset.h"
#include "file.h"
#include "stop.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK (1U << 20)

bool wml_set_share(struct wml_set *set, uint64_t seed)
{
    const struct wml_fileset *fileset = set->fileset;
    bool own = fileset->changes || fileset->written;

    set->share_count = own && fileset->users && fileset->entries >= fileset->users ? fileset->users : 1;
    set->shares = calloc(set->share_count, sizeof *set->shares);
    for (unsigned i = 0; set->shares && i < set->share_count; i++)
        if (!wml_share_make(&set->shares[i], fileset->entries, i, set->share_count, fileset->preallocated,
                            fileset->changes, random_mix(seed, i)))
            return false;
    return set->shares != NULL;
}

bool wml_set_make(struct wml_set *set, int parent, struct data *data, struct failure *failure)
{
    uint64_t chunk = data->pool_size < CHUNK ? data->pool_size : CHUNK;

    set->directory = directory_make(parent, set->fileset->name, failure);
    if (set->directory < 0)
        return false;
    for (size_t i = 0; i < set->directory_count; i++) {
        const char *path = set->names + set->directories[i];

        if (stop_requested())
            return false;
        if (mkdirat(set->directory, path, 0700))
            return failure_set(failure, "mkdir", path, 0);
    }
    for (uint64_t i = 0; i < set->fileset->entries; i++) {
        if (stop_requested())
            return false;
        if (wml_share_has(&set->shares[i % set->share_count], i) &&
            !file_make(set->directory, set->entries[i].name, 0, set->entries[i].size, chunk, data, failure))
            return false;
    }
    return true;
}

void wml_set_free(struct wml_set *set)
{
    if (set->directory >= 0)
        close(set->directory);
    for (unsigned i = 0; set->shares && i < set->share_count; i++)
        wml_share_free(&set->shares[i]);
    free(set->shares);
    free(set->entries);
    free(set->names);
    free(set->directories);
    *set = (struct wml_set){.directory = -1};
}
