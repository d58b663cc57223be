/* The extended headers of pax archives, which describe the next entry. */
#ifndef FSLOAD_TREE_TAR_PAX_H
#define FSLOAD_TREE_TAR_PAX_H

#include "tree/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The facts about an entry in the headers before it. */
struct tar_override {
    char path[SOURCE_PATH_LENGTH];
    char target[SOURCE_PATH_LENGTH];
    uint64_t size;
    int64_t mtime;
    bool has_path, has_target, has_size, has_mtime;
};

/* Read the records "LENGTH KEYWORD=VALUE\n" of an extended header. NULL, or their fault. */
const char *tar_pax_read(struct tar_override *override, const char *text, size_t length);

/* Copy a long name, which may end with zeros. NULL, or its fault. */
const char *tar_long_name(char to[SOURCE_PATH_LENGTH], const char *text, size_t length);

#endif
