/* The settings of an FFSB profile, in the syntax of FFSB 5.1 or 6.0. */
#ifndef FSLOAD_FFSB_PROFILE_H
#define FSLOAD_FFSB_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#define FFSB_MAX_FILESYSTEMS 16U
#define FFSB_MAX_GROUPS 16U
#define FFSB_MAX_SIZES 64U
#define FFSB_MAX_TEXT 256U
#define FFSB_SECTOR 512U /* the least that O_DIRECT moves */
#define FFSB_MAX_KEYS 48U

enum ffsb_kind {
    FFSB_READ,
    FFSB_READALL,
    FFSB_WRITE,
    FFSB_CREATE,
    FFSB_APPEND,
    FFSB_DELETE,
    FFSB_METAOP,
    FFSB_CREATEDIR,
    FFSB_STAT,
    FFSB_WRITEALL,
    FFSB_WRITEALL_FSYNC,
    FFSB_OPEN_CLOSE,
    FFSB_WRITE_FSYNC,
    FFSB_CREATE_FSYNC,
    FFSB_APPEND_FSYNC,
    FFSB_KINDS
};

/* A section of the file: its first line, and the line of each of its keys (0: absent). */
struct ffsb_section {
    unsigned line;
    unsigned lines[FFSB_MAX_KEYS];
};

struct ffsb_group {
    struct ffsb_section section;
    uint64_t threads;
    uint64_t weights[FFSB_KINDS];
    uint64_t read_size;
    uint64_t read_blocksize;
    uint64_t read_skipsize;
    uint64_t write_size;
    uint64_t write_blocksize;
    uint64_t op_delay; /* in milliseconds, after each operation */
    bool read_random;
    bool read_skip;
    bool write_random;
    bool fsync_file;
    char bindfs[FFSB_MAX_TEXT]; /* as written; empty: all file systems */
    int bound;                  /* index of the file system; -1: all */
};

struct ffsb_size_weight {
    uint64_t size;
    uint64_t weight;
};

struct ffsb_filesystem {
    struct ffsb_section section;
    char location[FFSB_MAX_TEXT]; /* reported, and referred to by `clone` and `bindfs`; never opened */
    char clone[FFSB_MAX_TEXT];
    uint64_t num_files;
    uint64_t num_dirs;
    uint64_t min_filesize;
    uint64_t max_filesize;
    uint64_t init_size;
    uint64_t create_blocksize;
    double init_util; /* share of the whole real file system, 0 … 1 */
    double desired_util;
    bool reuse;
    bool agefs;
    struct ffsb_size_weight sizes[FFSB_MAX_SIZES];
    unsigned sizes_count;
    uint64_t sizes_sum; /* of the weights */
    struct ffsb_group aging;
    bool has_aging_group;
};

struct ffsb_profile {
    struct ffsb_section section;
    uint64_t seconds;
    uint64_t num_filesystems;
    uint64_t num_threadgroups;
    bool directio;
    bool alignio;
    struct ffsb_filesystem filesystems[FFSB_MAX_FILESYSTEMS];
    unsigned filesystem_count;
    struct ffsb_group groups[FFSB_MAX_GROUPS];
    unsigned group_count;
    unsigned threads; /* of all groups */
};

/* A kind's name: "writeall_fsync". */
extern const char *const ffsb_kind_names[FFSB_KINDS];

/* Read a profile. False after printing all its faults on stderr, each with its line. */
bool ffsb_profile_read(const char *path, struct ffsb_profile *profile);

/* Print the settings on stdout, as `"mix":{…}`. */
void ffsb_profile_print(const struct ffsb_profile *profile);

/* The size of a new file, from a random number. */
uint64_t ffsb_draw_size(const struct ffsb_profile *profile, const struct ffsb_filesystem *filesystem, uint64_t number);

/* The smallest and largest possible size. */
uint64_t ffsb_smallest_file(const struct ffsb_filesystem *filesystem);
uint64_t ffsb_largest_file(const struct ffsb_filesystem *filesystem);

/* Whether a kind makes files, appends or deletes, needs an existing file, reads or writes blocks, ends with fsync. */
bool ffsb_kind_creates(enum ffsb_kind kind);
bool ffsb_kind_owns(enum ffsb_kind kind);
bool ffsb_kind_needs_file(enum ffsb_kind kind);
bool ffsb_kind_reads_blocks(enum ffsb_kind kind);
bool ffsb_kind_writes_blocks(enum ffsb_kind kind);
bool ffsb_kind_syncs(enum ffsb_kind kind);

#endif
