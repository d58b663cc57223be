#include "ffsb/check.h"

#include "common.h"
#include "ffsb/keys.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_BLOCK 4096U

/* The line of a key, or of its section if the key is missing. */
static unsigned line_of(const struct ffsb_keys *keys, const struct ffsb_section *section, const char *name)
{
    unsigned line = ffsb_key_line(keys, section, name);

    return line ? line : section->line;
}

static unsigned in_group(const struct ffsb_group *group, const char *name)
{
    return line_of(&ffsb_group_keys, &group->section, name);
}

static unsigned in_filesystem(const struct ffsb_filesystem *filesystem, const char *name)
{
    return line_of(&ffsb_filesystem_keys, &filesystem->section, name);
}

static int find_location(const struct ffsb_profile *profile, const char *location)
{
    for (unsigned i = 0; i < profile->filesystem_count; i++)
        if (!strcmp(profile->filesystems[i].location, location))
            return (int)i;
    return -1;
}

/* A clone takes everything from another file system but its location. */
static void resolve_clone(struct faults *faults, struct ffsb_profile *profile, struct ffsb_filesystem *filesystem)
{
    int original = *filesystem->clone ? find_location(profile, filesystem->clone) : -1;
    struct ffsb_filesystem copy;
    unsigned line = in_filesystem(filesystem, "clone");

    if (!*filesystem->clone)
        return;
    if (original < 0 || &profile->filesystems[original] == filesystem || *profile->filesystems[original].clone) {
        faults_add(faults, line, "clone: there is no other file system, itself no clone, with the location %s",
                   filesystem->clone);
        return;
    }
    for (unsigned i = 0; i < ffsb_filesystem_keys.count; i++) {
        const char *name = ffsb_filesystem_keys.rows[i].name;

        if (filesystem->section.lines[i] && strcmp(name, "clone") != 0 && strcmp(name, "location") != 0)
            faults_add(faults, filesystem->section.lines[i], "%s: a clone takes it from its original", name);
    }
    copy = profile->filesystems[original];
    copy.section.line = filesystem->section.line;
    memcpy(copy.location, filesystem->location, sizeof copy.location);
    memcpy(copy.clone, filesystem->clone, sizeof copy.clone);
    *filesystem = copy;
}

/* FFSB 6.0 binds by location, 5.1 by number. */
static void resolve_binding(struct faults *faults, const struct ffsb_profile *profile, struct ffsb_group *group)
{
    char *end;
    unsigned long number;

    group->bound = -1;
    if (!*group->bindfs)
        return;
    group->bound = find_location(profile, group->bindfs);
    if (group->bound >= 0)
        return;
    number = strtoul(group->bindfs, &end, 10);
    if (!*end && number < profile->filesystem_count)
        group->bound = (int)number;
    else
        faults_add(faults, in_group(group, "bindfs"), "bindfs: there is no file system %s", group->bindfs);
}

static void check_filesystem(struct faults *faults, struct ffsb_filesystem *filesystem, bool directio)
{
    bool fills = filesystem->init_size || filesystem->init_util > 0;

    if (!*filesystem->location)
        faults_add(faults, filesystem->section.line, "a file system without location");
    if (!filesystem->create_blocksize)
        filesystem->create_blocksize = DEFAULT_BLOCK;
    if (filesystem->min_filesize > filesystem->max_filesize)
        faults_add(faults, in_filesystem(filesystem, "min_filesize"), "min_filesize is more than max_filesize");
    if (filesystem->sizes_count && !filesystem->sizes_sum)
        faults_add(faults, in_filesystem(filesystem, "size_weight"), "all weights of sizes are 0");
    if (filesystem->sizes_sum && filesystem->max_filesize)
        faults_add(faults, in_filesystem(filesystem, "max_filesize"), "max_filesize beside size_weight: which is it?");
    if (fills && !ffsb_largest_file(filesystem))
        faults_add(faults, in_filesystem(filesystem, filesystem->init_size ? "init_size" : "init_util"),
                   "files without a size fill nothing: max_filesize or size_weight is missing");
    if (filesystem->agefs && !filesystem->has_aging_group)
        faults_add(faults, in_filesystem(filesystem, "agefs"), "agefs: a [threadgroup] that does it is missing");
    if (filesystem->agefs && !(filesystem->desired_util > 0))
        faults_add(faults, in_filesystem(filesystem, "agefs"), "agefs: desired_util is missing");
    if (!directio)
        return;
    if (filesystem->create_blocksize % FFSB_SECTOR)
        faults_add(faults, in_filesystem(filesystem, "create_blocksize"), "directio: not a multiple of 512");
    if (filesystem->min_filesize % FFSB_SECTOR || filesystem->max_filesize % FFSB_SECTOR)
        faults_add(faults, in_filesystem(filesystem, "min_filesize"), "directio: file sizes are no multiples of 512");
    for (unsigned i = 0; i < filesystem->sizes_count; i++)
        if (filesystem->sizes[i].size % FFSB_SECTOR)
            faults_add(faults, in_filesystem(filesystem, "size_weight"), "directio: %" PRIu64 " is no multiple of 512",
                       filesystem->sizes[i].size);
}

static void check_count(struct faults *faults, const struct ffsb_profile *profile, const char *name,
                        uint64_t said, unsigned found)
{
    unsigned line = ffsb_key_line(&ffsb_global_keys, &profile->section, name);

    if (line && said != found)
        faults_add(faults, line, "%s=%" PRIu64 ", but there are %u", name, said, found);
}

void ffsb_profile_check(struct faults *faults, struct ffsb_profile *profile)
{
    uint64_t threads = 0;

    if (!profile->filesystem_count)
        faults_add(faults, 0, "no [filesystem]");
    if (!profile->group_count)
        faults_add(faults, 0, "no [threadgroup]");
    check_count(faults, profile, "num_filesystems", profile->num_filesystems, profile->filesystem_count);
    check_count(faults, profile, "num_threadgroups", profile->num_threadgroups, profile->group_count);
    profile->alignio = profile->alignio || profile->directio;
    for (unsigned i = 0; i < profile->filesystem_count; i++)
        resolve_clone(faults, profile, &profile->filesystems[i]);
    for (unsigned i = 0; i < profile->filesystem_count; i++) {
        struct ffsb_filesystem *filesystem = &profile->filesystems[i];

        check_filesystem(faults, filesystem, profile->directio);
        if (filesystem->agefs)
            ffsb_check_aging(faults, profile, filesystem);
    }
    for (unsigned i = 0; i < profile->group_count; i++) {
        resolve_binding(faults, profile, &profile->groups[i]);
        ffsb_check_group(faults, profile, &profile->groups[i]);
        threads += profile->groups[i].threads;
    }
    if (threads > MAX_THREADS)
        faults_add(faults, 0, "%" PRIu64 " threads in all, more than %u", threads, MAX_THREADS);
    profile->threads = (unsigned)threads;
}
