#include "ffsb/fileset.h"

#include <stdio.h>
#include <stdlib.h>

#define FIRST_ROOM 64U

bool ffsb_pool_add(struct ffsb_pool *pool, struct ffsb_file file)
{
    if (pool->count == FFSB_MAX_FILES)
        return false;
    if (pool->count == pool->room) {
        size_t room = pool->room ? pool->room * 2 : FIRST_ROOM;
        struct ffsb_file *files = realloc(pool->files, room * sizeof *files);

        if (!files)
            return false;
        pool->files = files;
        pool->room = room;
    }
    pool->files[pool->count++] = file;
    return true;
}

void ffsb_pool_remove(struct ffsb_pool *pool, size_t index)
{
    pool->files[index] = pool->files[--pool->count];
}

void ffsb_pool_free(struct ffsb_pool *pool)
{
    free(pool->files);
    *pool = (struct ffsb_pool){0};
}

void ffsb_file_name(char name[FFSB_NAME_LENGTH], const struct ffsb_file *file, char maker, unsigned thread)
{
    unsigned place = file->place & ~FFSB_MADE;
    int length = place ? snprintf(name, FFSB_NAME_LENGTH, "d%u/", place - 1) : 0;

    if (file->place & FFSB_MADE)
        snprintf(name + length, FFSB_NAME_LENGTH - (size_t)length, "%c%u.%u", maker, thread, file->number);
    else
        snprintf(name + length, FFSB_NAME_LENGTH - (size_t)length, "f%u", file->number);
}
