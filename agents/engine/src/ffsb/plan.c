/* Plans the initial files of a profile from the seed and, if the profile says so, the file system's fullness. */
#include "common.h"
#include "ffsb/fileset.h"
#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/statvfs.h>

/* The least space that a file takes, and the step in which it grows: right for most file systems. */
#define UNIT UINT64_C(4096)
/* More than any disk has; sums of larger numbers could overflow. */
#define MAX_BYTES (UINT64_C(1) << 58)

/* The real file system, in bytes. */
struct fill {
    uint64_t total;
    uint64_t used;
};

static uint64_t rounded(uint64_t size)
{
    return size / UNIT * UNIT + UNIT;
}

/* The bytes missing to a share of the whole. */
static uint64_t missing(const struct fill *fill, double share)
{
    uint64_t wanted = (uint64_t)((double)fill->total * share);

    return wanted > fill->used ? wanted - fill->used : 0;
}

static bool refuse(struct session *session, unsigned number, const char *why)
{
    return session_refuse(session, "file system %u: %s", number, why);
}

static bool uses(const struct ffsb_group *group, unsigned number)
{
    return group->bound < 0 || group->bound == (int)number;
}

static bool owns(const struct ffsb_group *group)
{
    for (enum ffsb_kind kind = 0; kind < FFSB_KINDS; kind++)
        if (group->weights[kind] && ffsb_kind_owns(kind))
            return true;
    return false;
}

static bool creates(const struct ffsb_group *group)
{
    return group->weights[FFSB_CREATE] || group->weights[FFSB_CREATE_FSYNC];
}

static bool needs_files(const struct ffsb_group *group)
{
    for (enum ffsb_kind kind = 0; kind < FFSB_KINDS; kind++)
        if (group->weights[kind] && ffsb_kind_needs_file(kind))
            return true;
    return false;
}

/* Draw files until their number and total size are those of the profile. */
static bool draw(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *fileset,
                 unsigned number, struct fill *fill)
{
    const struct ffsb_filesystem *settings = fileset->settings;
    struct random random = {random_mix(common.seed, UINT64_C(0xff5b0000) + number)};
    uint64_t to_fill = missing(fill, settings->init_util);
    uint64_t filled = 0;

    while (fileset->initial.count < settings->num_files || fileset->initial_bytes < settings->init_size ||
           filled < to_fill) {
        struct ffsb_file file = {.size = ffsb_draw_size(profile, settings, random_next(&random)),
                                 .number = (uint32_t)fileset->initial.count,
                                 .place = (uint32_t)random_below(&random, settings->num_dirs + 1)};

        if (!ffsb_pool_add(&fileset->initial, file))
            return refuse(session, number, "more than 16777216 files, or more than there is memory for");
        fileset->initial_bytes += file.size;
        filled += rounded(file.size);
        if (filled > MAX_BYTES)
            return refuse(session, number, "files of more than 2^58 bytes");
    }
    fill->used += filled;
    return true;
}

/* Whether each thread that needs its own file gets one. */
static bool suffices(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *fileset,
                     unsigned number)
{
    bool lacks = false;

    for (unsigned i = 0; i < profile->group_count; i++) {
        const struct ffsb_group *group = &profile->groups[i];

        if (!uses(group, number))
            continue;
        fileset->users += (unsigned)group->threads;
        fileset->owned = fileset->owned || owns(group);
        lacks = lacks || (needs_files(group) && !creates(group));
    }
    if (!lacks || !fileset->owned || fileset->initial.count >= fileset->users)
        return true;
    return refuse(session, number,
                  "fewer files than threads; where files are appended to or deleted, each thread needs its own");
}

bool ffsb_plan(struct session *session, const struct ffsb_profile *profile, struct ffsb_fileset *filesets)
{
    struct statvfs status;
    struct fill fill = {0};
    uint64_t files = 0;
    uint64_t used;

    if (!fstatvfs(session->workspace.directory, &status)) {
        fill.total = (uint64_t)status.f_blocks * status.f_frsize;
        fill.used = (uint64_t)(status.f_blocks - status.f_bfree) * status.f_frsize;
    }
    used = fill.used;
    for (unsigned i = 0; i < profile->filesystem_count; i++) {
        struct ffsb_fileset *fileset = &filesets[i];

        *fileset = (struct ffsb_fileset){.settings = &profile->filesystems[i], .data = -1, .meta = -1};
        if (fileset->settings->agefs)
            fileset->aging_bytes = missing(&fill, fileset->settings->desired_util);
        fill.used += fileset->aging_bytes;
        if (!draw(session, profile, fileset, i, &fill) || !suffices(session, profile, fileset, i))
            return false;
        files += fileset->initial.count;
    }
    return session_room(session, fill.used - used, files);
}
