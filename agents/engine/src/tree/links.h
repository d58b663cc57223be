/* Files with several names, found by their inode, so that an archive holds their data once. */
#ifndef FSLOAD_TREE_LINKS_H
#define FSLOAD_TREE_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: an empty table. */
struct links {
    struct link {
        uint64_t inode;
        char *path; /* NULL: free */
    } * slots;
    size_t slots_count;
    size_t count;
};

/* The path under which this inode was added before. NULL if it is new; it is then added with the given path. */
const char *links_meet(struct links *links, uint64_t inode, const char *path, bool *no_memory);

void links_free(struct links *links);

#endif
