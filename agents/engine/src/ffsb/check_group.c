/* Checks whether groups of threads can do their operations. */
#include "ffsb/check.h"
#include "ffsb/keys.h"

#include <inttypes.h>
#include <stdio.h>

static unsigned line_of(const struct ffsb_group *group, const char *name)
{
    unsigned line = ffsb_key_line(&ffsb_group_keys, &group->section, name);

    return line ? line : group->section.line;
}

static unsigned line_of_weight(const struct ffsb_group *group, unsigned kind)
{
    char name[32];

    snprintf(name, sizeof name, "%s_weight", ffsb_kind_names[kind]);
    return line_of(group, name);
}

static bool is_partial(unsigned kind, bool writes)
{
    if (writes)
        return kind == FFSB_WRITE || kind == FFSB_WRITE_FSYNC;
    return kind == FFSB_READ;
}

static void need(struct faults *faults, const struct ffsb_group *group, unsigned kind, uint64_t value,
                 const char *name)
{
    if (!value)
        faults_add(faults, line_of_weight(group, kind), "%s needs %s", ffsb_kind_names[kind], name);
}

/* Kinds that transfer data need a block size; those that do not transfer the whole file also need a size. */
static void check_kind(struct faults *faults, const struct ffsb_group *group, unsigned kind)
{
    bool appends = kind == FFSB_APPEND || kind == FFSB_APPEND_FSYNC;

    if (ffsb_kind_reads_blocks(kind))
        need(faults, group, kind, group->read_blocksize, "read_blocksize");
    if (ffsb_kind_writes_blocks(kind))
        need(faults, group, kind, group->write_blocksize, "write_blocksize");
    if (is_partial(kind, false))
        need(faults, group, kind, group->read_size, "read_size");
    if (is_partial(kind, true) || appends)
        need(faults, group, kind, group->write_size, "write_size");
    if (is_partial(kind, false) && group->read_random && group->read_size < group->read_blocksize)
        faults_add(faults, line_of(group, "read_size"), "read_random with a read_size below a block reads nothing");
    if (is_partial(kind, true) && group->write_random && group->write_size < group->write_blocksize)
        faults_add(faults, line_of(group, "write_size"), "write_random with a write_size below a block writes nothing");
}

/* The length of the part of a file that a read covers, from its first byte to its last. */
static uint64_t read_span(const struct ffsb_group *group)
{
    uint64_t blocks;

    if (group->read_random)
        return group->read_blocksize;
    if (!group->read_skip || !group->read_blocksize)
        return group->read_size;
    blocks = (group->read_size + group->read_blocksize - 1) / group->read_blocksize;
    return blocks > UINT32_MAX ? UINT64_MAX : group->read_size + (blocks - 1) * group->read_skipsize;
}

static void check_span(struct faults *faults, const struct ffsb_group *group, const struct ffsb_profile *profile,
                       unsigned number, bool writes)
{
    const struct ffsb_filesystem *filesystem = &profile->filesystems[number];
    uint64_t smallest = ffsb_smallest_file(filesystem);
    uint64_t written = group->write_random ? group->write_blocksize : group->write_size;
    uint64_t span = writes ? written : read_span(group);

    if (span > smallest)
        faults_add(faults, line_of(group, writes ? "write_size" : "read_size"),
                   "%s goes over %" PRIu64 " bytes of a file; the smallest of file system %u has %" PRIu64,
                   writes ? "write" : "read", span, number, smallest);
}

static bool has_files(const struct ffsb_filesystem *filesystem)
{
    return filesystem->num_files || filesystem->init_size || filesystem->init_util > 0;
}

static void check_files(struct faults *faults, const struct ffsb_profile *profile, const struct ffsb_group *group,
                        unsigned number)
{
    bool creates = group->weights[FFSB_CREATE] || group->weights[FFSB_CREATE_FSYNC];

    if (group->weights[FFSB_READ])
        check_span(faults, group, profile, number, false);
    if (group->weights[FFSB_WRITE] || group->weights[FFSB_WRITE_FSYNC])
        check_span(faults, group, profile, number, true);
    for (unsigned kind = 0; kind < FFSB_KINDS; kind++)
        if (group->weights[kind] && ffsb_kind_needs_file(kind) && !creates && !has_files(&profile->filesystems[number]))
            faults_add(faults, line_of_weight(group, kind), "%s needs files, and file system %u has none",
                       ffsb_kind_names[kind], number);
}

static void check_direct(struct faults *faults, const struct ffsb_group *group)
{
    static const char *const names[] = {"read_size", "read_blocksize", "read_skipsize", "write_size",
                                        "write_blocksize"};
    const uint64_t values[] = {group->read_size, group->read_blocksize, group->read_skipsize, group->write_size,
                               group->write_blocksize};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (values[i] % FFSB_SECTOR)
            faults_add(faults, line_of(group, names[i]), "directio: %s is no multiple of 512", names[i]);
}

/* Check the rules for groups of either sort. False if the group has nothing to do. */
static bool check_any(struct faults *faults, const struct ffsb_profile *profile, const struct ffsb_group *group)
{
    uint64_t weights = 0;

    if (!group->threads)
        faults_add(faults, line_of(group, "num_threads"), "a group without threads");
    if (group->read_skip && group->read_random)
        faults_add(faults, line_of(group, "read_skip"), "read_skip and read_random exclude each other");
    if (group->read_skip && !group->read_skipsize)
        faults_add(faults, line_of(group, "read_skip"), "read_skip needs read_skipsize");
    if (profile->directio)
        check_direct(faults, group);
    for (unsigned kind = 0; kind < FFSB_KINDS; kind++) {
        weights += group->weights[kind];
        if (group->weights[kind])
            check_kind(faults, group, kind);
    }
    if (!weights)
        faults_add(faults, group->section.line, "a group without an operation that has a weight");
    return weights > 0;
}

void ffsb_check_group(struct faults *faults, const struct ffsb_profile *profile, const struct ffsb_group *group)
{
    if (!check_any(faults, profile, group))
        return;
    for (unsigned i = 0; i < profile->filesystem_count; i++)
        if (group->bound < 0 || group->bound == (int)i)
            check_files(faults, profile, group, i);
}

void ffsb_check_aging(struct faults *faults, const struct ffsb_profile *profile,
                      struct ffsb_filesystem *filesystem)
{
    const struct ffsb_group *group = &filesystem->aging;
    uint64_t creates = group->weights[FFSB_CREATE] + group->weights[FFSB_CREATE_FSYNC];

    filesystem->aging.bound = (int)(filesystem - profile->filesystems);
    if (*group->bindfs)
        faults_add(faults, line_of(group, "bindfs"), "bindfs: threads that age belong to their file system");
    if (!check_any(faults, profile, group))
        return;
    for (unsigned kind = 0; kind < FFSB_KINDS; kind++)
        if (group->weights[kind] && !ffsb_kind_creates(kind) && !ffsb_kind_owns(kind))
            faults_add(faults, line_of_weight(group, kind), "aging consists of create, append and delete; not of %s",
                       ffsb_kind_names[kind]);
    if (!creates || creates <= group->weights[FFSB_DELETE])
        faults_add(faults, line_of_weight(group, FFSB_CREATE), "aging needs more create than delete to fill anything");
}
