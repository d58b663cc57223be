/* Writes a tar archive as tar does: ustar headers, pax ones if a name or number does not fit, records of 10 KiB. */
#ifndef FSLOAD_TREE_ARCHIVE_H
#define FSLOAD_TREE_ARCHIVE_H

#include "tree/links.h"
#include "tree/tar_format.h"

#include <stdbool.h>
#include <sys/stat.h>

/* All zero except for the file: an archive without entries. */
struct archive {
    int file;
    const char *call;  /* the call that failed, with errno */
    uint64_t written;  /* bytes of whole records */
    size_t used;       /* bytes in the record that is not full */
    struct links links;
    unsigned char record[TAR_RECORD];
};

/*
 * Add the entry `name` of an open directory, under `path`, which has no slash at its ends. Symlinks are not followed.
 * False, with archive->call and errno, if a call failed; errno is 0 if a file became shorter meanwhile.
 */
bool archive_add(struct archive *archive, int directory, const char *name, const char *path, const struct stat *status);

/* Write the two empty blocks of the end, and fill the last record. */
bool archive_end(struct archive *archive);

void archive_free(struct archive *archive);

#endif
