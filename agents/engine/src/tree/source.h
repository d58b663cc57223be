/* A source tree to unpack: its entries in the order of their creation, from a tar file or from a seed. */
#ifndef FSLOAD_TREE_SOURCE_H
#define FSLOAD_TREE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOURCE_MAX_ENTRIES 4000000U
#define SOURCE_MAX_DEPTH 64U /* names in a path: a walk keeps one directory open for each */
#define SOURCE_PATH_LENGTH 4096U

enum source_kind { SOURCE_DIRECTORY, SOURCE_FILE, SOURCE_SYMLINK, SOURCE_HARD_LINK };

struct source_entry {
    const char *path;   /* below the tree's root: neither absolute nor with "." or ".." in it */
    const char *target; /* a symlink's text, or the path of the earlier file to which a hard link refers */
    uint64_t size;      /* bytes of a file */
    uint64_t offset;    /* of the data in the tar file */
    int64_t mtime;      /* seconds */
    unsigned mode;      /* permissions */
    enum source_kind kind;
};

/* All zero: a tree without entries. It exists until the program ends. */
struct source {
    struct source_entry *entries;
    size_t count;
    size_t capacity;
    uint32_t *slots; /* entries by their paths: open addressing, 0 is free, else the index + 1 */
    size_t slots_count;
    uint64_t room; /* bytes that the tree needs on a disk of 4 KiB blocks */
};

/*
 * Add a copy of an entry whose path may still contain "./" and "//", and its parent directories if missing. NULL, or
 * the entry's fault. Parents that are not directories are refused, so that making these entries in an empty directory
 * cannot follow a symlink.
 */
const char *source_add(struct source *source, const struct source_entry *entry);

#endif
