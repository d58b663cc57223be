/* The kinds of operation, file sizes, and the output of a profile. */
#include "ffsb/profile.h"

#include "json.h"

#include <inttypes.h>
#include <stdio.h>

const char *const ffsb_kind_names[FFSB_KINDS] = {
    "read",      "readall",  "write",          "create",     "append",      "delete",       "metaop",       "createdir",
    "stat",      "writeall", "writeall_fsync", "open_close", "write_fsync", "create_fsync", "append_fsync",
};

bool ffsb_kind_creates(enum ffsb_kind kind)
{
    return kind == FFSB_CREATE || kind == FFSB_CREATE_FSYNC;
}

bool ffsb_kind_owns(enum ffsb_kind kind)
{
    return kind == FFSB_DELETE || kind == FFSB_APPEND || kind == FFSB_APPEND_FSYNC;
}

bool ffsb_kind_needs_file(enum ffsb_kind kind)
{
    return !ffsb_kind_creates(kind) && kind != FFSB_METAOP && kind != FFSB_CREATEDIR;
}

bool ffsb_kind_reads_blocks(enum ffsb_kind kind)
{
    return kind == FFSB_READ || kind == FFSB_READALL;
}

bool ffsb_kind_writes_blocks(enum ffsb_kind kind)
{
    return kind == FFSB_WRITE || kind == FFSB_CREATE || kind == FFSB_APPEND || kind == FFSB_WRITEALL ||
           ffsb_kind_syncs(kind);
}

bool ffsb_kind_syncs(enum ffsb_kind kind)
{
    return kind == FFSB_WRITEALL_FSYNC || kind == FFSB_WRITE_FSYNC || kind == FFSB_CREATE_FSYNC ||
           kind == FFSB_APPEND_FSYNC;
}

uint64_t ffsb_smallest_file(const struct ffsb_filesystem *filesystem)
{
    uint64_t smallest = UINT64_MAX;

    if (!filesystem->sizes_sum)
        return filesystem->min_filesize;
    for (unsigned i = 0; i < filesystem->sizes_count; i++)
        if (filesystem->sizes[i].weight && filesystem->sizes[i].size < smallest)
            smallest = filesystem->sizes[i].size;
    return smallest;
}

uint64_t ffsb_largest_file(const struct ffsb_filesystem *filesystem)
{
    uint64_t largest = 0;

    if (!filesystem->sizes_sum)
        return filesystem->max_filesize;
    for (unsigned i = 0; i < filesystem->sizes_count; i++)
        if (filesystem->sizes[i].weight && filesystem->sizes[i].size > largest)
            largest = filesystem->sizes[i].size;
    return largest;
}

uint64_t ffsb_draw_size(const struct ffsb_profile *profile, const struct ffsb_filesystem *filesystem, uint64_t number)
{
    uint64_t unit = profile->directio ? FFSB_SECTOR : 1; /* O_DIRECT cannot write a part of a sector */
    uint64_t choice;
    unsigned i = 0;

    if (!filesystem->sizes_sum)
        return filesystem->min_filesize +
               number % ((filesystem->max_filesize - filesystem->min_filesize) / unit + 1) * unit;
    for (choice = number % filesystem->sizes_sum; choice >= filesystem->sizes[i].weight; i++)
        choice -= filesystem->sizes[i].weight;
    return filesystem->sizes[i].size;
}

static void print_number(const char *name, uint64_t value)
{
    if (value)
        printf(",\"%s\":%" PRIu64, name, value);
}

static void print_switch(const char *name, bool value)
{
    if (value)
        printf(",\"%s\":true", name);
}

static void print_group(const struct ffsb_group *group)
{
    const char *comma = "";

    printf("{\"threads\":%" PRIu64 ",\"weights\":{", group->threads);
    for (unsigned kind = 0; kind < FFSB_KINDS; kind++) {
        if (!group->weights[kind])
            continue;
        printf("%s\"%s\":%" PRIu64, comma, ffsb_kind_names[kind], group->weights[kind]);
        comma = ",";
    }
    putchar('}');
    print_number("read_size", group->read_size);
    print_number("read_blocksize", group->read_blocksize);
    print_switch("read_random", group->read_random);
    print_number("read_skipsize", group->read_skip ? group->read_skipsize : 0);
    print_number("write_size", group->write_size);
    print_number("write_blocksize", group->write_blocksize);
    print_switch("write_random", group->write_random);
    print_switch("fsync_file", group->fsync_file);
    print_number("op_delay", group->op_delay);
    if (group->bound >= 0)
        printf(",\"bound_to\":\"fs%d\"", group->bound);
    putchar('}');
}

static void print_filesystem(const struct ffsb_filesystem *filesystem, unsigned number)
{
    printf("{\"directory\":\"fs%u\",\"location\":", number);
    json_string(stdout, filesystem->location);
    printf(",\"num_files\":%" PRIu64 ",\"num_dirs\":%" PRIu64, filesystem->num_files, filesystem->num_dirs);
    if (filesystem->sizes_sum) {
        printf(",\"size_weights\":[");
        for (unsigned i = 0; i < filesystem->sizes_count; i++)
            printf("%s[%" PRIu64 ",%" PRIu64 "]", i ? "," : "", filesystem->sizes[i].size,
                   filesystem->sizes[i].weight);
        putchar(']');
    } else {
        printf(",\"min_filesize\":%" PRIu64 ",\"max_filesize\":%" PRIu64, filesystem->min_filesize,
               filesystem->max_filesize);
    }
    print_number("init_size", filesystem->init_size);
    if (filesystem->init_util > 0)
        printf(",\"init_util\":%.15g", filesystem->init_util);
    if (filesystem->agefs) {
        printf(",\"desired_util\":%.15g,\"aging\":", filesystem->desired_util);
        print_group(&filesystem->aging);
    }
    putchar('}');
}

void ffsb_profile_print(const struct ffsb_profile *profile)
{
    printf("\"mix\":{\"time\":%" PRIu64 ",\"directio\":%s,\"alignio\":%s,\"filesystems\":[", profile->seconds,
           profile->directio ? "true" : "false", profile->alignio ? "true" : "false");
    for (unsigned i = 0; i < profile->filesystem_count; i++) {
        fputs(i ? "," : "", stdout);
        print_filesystem(&profile->filesystems[i], i);
    }
    fputs("],\"groups\":[", stdout);
    for (unsigned i = 0; i < profile->group_count; i++) {
        fputs(i ? "," : "", stdout);
        print_group(&profile->groups[i]);
    }
    fputs("]}", stdout);
}
