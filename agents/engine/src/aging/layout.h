/* The location of the blocks of every regular file of a tree, by FIEMAP. */
#ifndef FSLOAD_AGING_LAYOUT_H
#define FSLOAD_AGING_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Directories deeper than this are skipped with their contents, because each level needs an open file. */
#define MAX_LAYOUT_DEPTH 200U

/* Sums over all files; nothing is kept per file, so the memory does not grow. */
struct layout {
    uint64_t block;       /* bytes */
    uint64_t files;       /* regular files on this file system; one with several names counts with each */
    uint64_t bytes;       /* their sizes */
    uint64_t measured;    /* files that have blocks of their own, and known ones */
    uint64_t empty;       /* files without blocks: nothing written, or small enough for the inode */
    uint64_t skipped;     /* files that could not be opened, or whose blocks have no known place (compressed) */
    uint64_t directories_skipped; /* not readable, or too deep */
    uint64_t fragmented;  /* measured files with more than one extent */
    uint64_t extents;     /* of the measured files; adjacent ones on the disk count as one */
    uint64_t allocated;   /* bytes of these extents */
    uint64_t pairs;       /* blocks that have a predecessor in their file … */
    uint64_t adjacent;    /* … and those that follow it on the disk */
    const char *reason;   /* why only files and bytes are known; NULL: all is known */
};

/*
 * Measure all regular files below an open directory, on its file system only, following no link. Dirty data of each
 * file are written back first, because they have no place before that. Changes nothing else. False if a signal stopped
 * the measurement. Files that disappear meanwhile do not count.
 */
bool layout_measure(struct layout *layout, int directory);

#endif
