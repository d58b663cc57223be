/* FIEMAP lists the extents of a file, so a file that takes all free space shows the extents of the free space. */
#include "aging/free_space_probe.h"

#include "aging/extents.h"
#include "stop.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PROBE "free-space"
/* 16 MiB of memory. */
#define MAX_EXTENTS (UINT64_C(1) << 20)
/* The probe stops if not even this size is available at once; other processes need the smaller pieces. */
#define LEAST_PIECE (UINT64_C(64) << 10)

struct piece {
    uint64_t start;
    uint64_t length;
};

struct pieces {
    struct piece *at;
    uint64_t count;
    uint64_t room;
    bool whole;
};

static bool take(void *context, const struct extent *extent)
{
    struct pieces *pieces = context;

    if (pieces->count == pieces->room) {
        uint64_t room = pieces->room ? pieces->room * 2 : 1024;
        struct piece *at = room <= MAX_EXTENTS ? realloc(pieces->at, room * sizeof *at) : NULL;

        pieces->whole = at != NULL;
        if (!at)
            return false;
        pieces->at = at;
        pieces->room = room;
    }
    pieces->at[pieces->count++] = (struct piece){extent->start, extent->length};
    return true;
}

static int by_start(const void *a, const void *b)
{
    uint64_t first = ((const struct piece *)a)->start;
    uint64_t second = ((const struct piece *)b)->start;

    return first < second ? -1 : first > second;
}

/* Enter all extents, merging adjacent ones: these need not be adjacent in the file. */
static void add_all(struct free_space *space, struct pieces *pieces)
{
    uint64_t length = 0;

    qsort(pieces->at, pieces->count, sizeof *pieces->at, by_start);
    for (uint64_t i = 0; i < pieces->count; i++) {
        length += pieces->at[i].length;
        if (i + 1 < pieces->count && pieces->at[i].start + pieces->at[i].length == pieces->at[i + 1].start)
            continue;
        free_space_add(space, length);
        length = 0;
    }
}

/* Allocate all free space except `leave` bytes, in the largest available pieces. */
static bool fill(int file, uint64_t leave)
{
    struct statvfs status;
    uint64_t size = 0;
    uint64_t piece = UINT64_C(1) << 40;

    while (piece >= LEAST_PIECE && !stop_requested()) {
        uint64_t available;

        if (fstatvfs(file, &status))
            return false;
        available = (uint64_t)status.f_bavail * status.f_frsize;
        available = available > leave ? (available - leave) / LEAST_PIECE * LEAST_PIECE : 0;
        piece = piece < available ? piece : available;
        if (!piece)
            break;
        if (!fallocate(file, 0, (off_t)size, (off_t)piece))
            size += piece;
        else if (errno == ENOSPC)
            piece = piece / 2 / LEAST_PIECE * LEAST_PIECE;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

static const char *see(struct free_space *space, int file, uint64_t leave)
{
    struct pieces pieces = {.whole = true};
    const char *reason = NULL;

    if (!extents_each(file, take, &pieces)) /* before anything is allocated in vain */
        reason = "the file system has neither GETFSMAP nor FIEMAP";
    else if (!fill(file, leave))
        reason = "the file system has no GETFSMAP, and fallocate failed";
    else if (!extents_each(file, take, &pieces))
        reason = "FIEMAP failed on the probe file";
    else if (!pieces.whole)
        reason = "more free extents than the probe can hold";
    else
        add_all(space, &pieces);
    free(pieces.at);
    return reason;
}

bool free_space_probe(struct free_space *space, int directory, uint64_t leave)
{
    int file = openat(directory, PROBE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

    if (file < 0) {
        space->reason = "the probe file cannot be made";
        return true;
    }
    space->reason = see(space, file, leave);
    if (!space->reason)
        space->method = "fallocate";
    unlinkat(directory, PROBE, 0);
    close(file);
    syncfs(directory); /* so that the space is free again for the next operations */
    return !stop_requested();
}
