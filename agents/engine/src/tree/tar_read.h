/* The entries of a tar file: ustar, pax and GNU tar's long names. */
#ifndef FSLOAD_TREE_TAR_READ_H
#define FSLOAD_TREE_TAR_READ_H

#include "tree/source.h"

#include <stdbool.h>

/*
 * Fill an empty tree from an open tar file. False, with the first hundred faults and the number of the others on
 * stderr, if any entry cannot be unpacked safely; such a file is not used at all.
 */
bool tar_read(struct source *source, int file, const char *name);

#endif
