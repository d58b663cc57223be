/* Makes the files that a profile begins with: one thread, one file after another. */
#include "ffsb/fileset.h"
#include "file.h"
#include "stop.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool ffsb_fileset_make_directories(struct ffsb_fileset *fileset, unsigned number, int directory,
                                   struct failure *failure)
{
    char name[FFSB_NAME_LENGTH];
    int base;

    snprintf(name, sizeof name, "fs%u", number);
    base = directory_make(directory, name, failure);
    if (base < 0)
        return false;
    fileset->data = directory_make(base, "data", failure);
    if (fileset->data >= 0)
        fileset->meta = directory_make(base, "meta", failure);
    close(base);
    for (uint64_t i = 0; fileset->meta >= 0 && i < fileset->settings->num_dirs; i++) {
        snprintf(name, sizeof name, "d%u", (unsigned)i);
        if (mkdirat(fileset->data, name, 0700))
            return failure_set(failure, "mkdir", name, 0);
        if (stop_requested())
            return false;
    }
    return fileset->meta >= 0;
}

bool ffsb_fileset_make_files(const struct ffsb_fileset *fileset, bool direct, struct data *data,
                             struct failure *failure)
{
    for (size_t i = 0; i < fileset->initial.count; i++) {
        const struct ffsb_file *entry = &fileset->initial.files[i];
        char name[FFSB_NAME_LENGTH];

        ffsb_file_name(name, entry, 'f', 0);
        if (stop_requested() || !file_make(fileset->data, name, direct ? O_DIRECT : 0, entry->size,
                                           fileset->settings->create_blocksize, data, failure))
            return false;
    }
    return true;
}

void ffsb_fileset_close(struct ffsb_fileset *fileset)
{
    if (fileset->data >= 0)
        close(fileset->data);
    if (fileset->meta >= 0)
        close(fileset->meta);
    fileset->data = fileset->meta = -1;
    ffsb_pool_free(&fileset->initial);
}
