#include "ffsb/keys.h"

#include "common.h"

#include <string.h>

#define MAX_NUMBER UINT32_MAX
#define MAX_SIZE (UINT64_C(1) << 50)
#define MAX_DIRECTORIES (UINT64_C(1) << 20)
#define MAX_FILES (UINT64_C(1) << 24)

#define GLOBAL(field) offsetof(struct ffsb_profile, field)
#define FILESYSTEM(field) offsetof(struct ffsb_filesystem, field)
#define GROUP(field) offsetof(struct ffsb_group, field)

static const struct ffsb_key global_rows[] = {
    {"num_filesystems", VALUE_NUMBER, GLOBAL(num_filesystems), FFSB_MAX_FILESYSTEMS, NULL},
    {"num_threadgroups", VALUE_NUMBER, GLOBAL(num_threadgroups), FFSB_MAX_GROUPS, NULL},
    {"time", VALUE_NUMBER, GLOBAL(seconds), MAX_NUMBER, NULL},
    {"directio", VALUE_SWITCH, GLOBAL(directio), 0, NULL},
    {"alignio", VALUE_SWITCH, GLOBAL(alignio), 0, NULL},
    {"alignedio", VALUE_SWITCH, GLOBAL(alignio), 0, NULL},
    {"bufferio", VALUE_REFUSED_SWITCH, 0, 0, "reading and writing through the C library's buffers is not done"},
    {"bufferedio", VALUE_REFUSED_SWITCH, 0, 0, "reading and writing through the C library's buffers is not done"},
    {"verbose", VALUE_NO_SWITCH, 0, 0, NULL},
    {"callout", VALUE_REFUSED, 0, 0, "no other program is started"},
};

static const struct ffsb_key filesystem_rows[] = {
    {"location", VALUE_TEXT, FILESYSTEM(location), 0, NULL},
    {"clone", VALUE_TEXT, FILESYSTEM(clone), 0, NULL},
    {"num_files", VALUE_NUMBER, FILESYSTEM(num_files), MAX_FILES, NULL},
    {"num_dirs", VALUE_NUMBER, FILESYSTEM(num_dirs), MAX_DIRECTORIES, NULL},
    {"min_filesize", VALUE_SIZE, FILESYSTEM(min_filesize), MAX_SIZE, NULL},
    {"max_filesize", VALUE_SIZE, FILESYSTEM(max_filesize), MAX_SIZE, NULL},
    {"size_weight", VALUE_SIZE_WEIGHT, 0, MAX_SIZE, NULL},
    {"init_size", VALUE_SIZE, FILESYSTEM(init_size), MAX_SIZE, NULL},
    {"init_util", VALUE_SHARE, FILESYSTEM(init_util), 0, NULL},
    {"create_blocksize", VALUE_SIZE, FILESYSTEM(create_blocksize), MAX_RECORD, NULL},
    {"age_blocksize", VALUE_NO_SIZE, 0, MAX_RECORD, NULL},
    {"desired_util", VALUE_SHARE, FILESYSTEM(desired_util), 0, NULL},
    {"agefs", VALUE_SWITCH, FILESYSTEM(agefs), 0, NULL},
    {"reuse", VALUE_SWITCH, FILESYSTEM(reuse), 0, NULL},
};

static const struct ffsb_key group_rows[] = {
    {"num_threads", VALUE_NUMBER, GROUP(threads), MAX_THREADS, NULL},
    {"bindfs", VALUE_TEXT, GROUP(bindfs), 0, NULL},
    {"read_random", VALUE_SWITCH, GROUP(read_random), 0, NULL},
    {"read_skip", VALUE_SWITCH, GROUP(read_skip), 0, NULL},
    {"read_size", VALUE_SIZE, GROUP(read_size), MAX_SIZE, NULL},
    {"read_blocksize", VALUE_SIZE, GROUP(read_blocksize), MAX_RECORD, NULL},
    {"read_skipsize", VALUE_SIZE, GROUP(read_skipsize), MAX_SIZE, NULL},
    {"write_random", VALUE_SWITCH, GROUP(write_random), 0, NULL},
    {"write_size", VALUE_SIZE, GROUP(write_size), MAX_SIZE, NULL},
    {"write_blocksize", VALUE_SIZE, GROUP(write_blocksize), MAX_RECORD, NULL},
    {"fsync_file", VALUE_SWITCH, GROUP(fsync_file), 0, NULL},
    {"op_delay", VALUE_NUMBER, GROUP(op_delay), MAX_NUMBER, NULL},
    {"read_weight", VALUE_WEIGHT, FFSB_READ, MAX_NUMBER, NULL},
    {"readall_weight", VALUE_WEIGHT, FFSB_READALL, MAX_NUMBER, NULL},
    {"write_weight", VALUE_WEIGHT, FFSB_WRITE, MAX_NUMBER, NULL},
    {"create_weight", VALUE_WEIGHT, FFSB_CREATE, MAX_NUMBER, NULL},
    {"append_weight", VALUE_WEIGHT, FFSB_APPEND, MAX_NUMBER, NULL},
    {"delete_weight", VALUE_WEIGHT, FFSB_DELETE, MAX_NUMBER, NULL},
    {"metaop_weight", VALUE_WEIGHT, FFSB_METAOP, MAX_NUMBER, NULL},
    {"meta_weight", VALUE_WEIGHT, FFSB_METAOP, MAX_NUMBER, NULL},
    {"createdir_weight", VALUE_WEIGHT, FFSB_CREATEDIR, MAX_NUMBER, NULL},
    {"stat_weight", VALUE_WEIGHT, FFSB_STAT, MAX_NUMBER, NULL},
    {"writeall_weight", VALUE_WEIGHT, FFSB_WRITEALL, MAX_NUMBER, NULL},
    {"writeall_fsync_weight", VALUE_WEIGHT, FFSB_WRITEALL_FSYNC, MAX_NUMBER, NULL},
    {"open_close_weight", VALUE_WEIGHT, FFSB_OPEN_CLOSE, MAX_NUMBER, NULL},
    {"write_fsync_weight", VALUE_WEIGHT, FFSB_WRITE_FSYNC, MAX_NUMBER, NULL},
    {"create_fsync_weight", VALUE_WEIGHT, FFSB_CREATE_FSYNC, MAX_NUMBER, NULL},
    {"append_fsync_weight", VALUE_WEIGHT, FFSB_APPEND_FSYNC, MAX_NUMBER, NULL},
};

static const struct ffsb_key stats_rows[] = {
    {"enable_stats", VALUE_NO_SWITCH, 0, 0, NULL},
    {"enable_range", VALUE_NO_SWITCH, 0, 0, NULL},
    {"ignore", VALUE_NO_TEXT, 0, 0, NULL},
    {"msec_range", VALUE_NO_RANGE, 0, 0, NULL},
};

#define KEYS(rows) {rows, sizeof rows / sizeof rows[0]}

const struct ffsb_keys ffsb_global_keys = KEYS(global_rows);
const struct ffsb_keys ffsb_filesystem_keys = KEYS(filesystem_rows);
const struct ffsb_keys ffsb_group_keys = KEYS(group_rows);
const struct ffsb_keys ffsb_stats_keys = KEYS(stats_rows);

_Static_assert(sizeof group_rows / sizeof group_rows[0] <= FFSB_MAX_KEYS, "a line for each key");

bool ffsb_key_is_list(const struct ffsb_key *key)
{
    return key->value == VALUE_SIZE_WEIGHT || key->value == VALUE_NO_RANGE || key->value == VALUE_NO_TEXT;
}

unsigned ffsb_key_line(const struct ffsb_keys *keys, const struct ffsb_section *section, const char *name)
{
    for (unsigned i = 0; i < keys->count; i++)
        if (!strcmp(keys->rows[i].name, name))
            return section->lines[i];
    return 0;
}
