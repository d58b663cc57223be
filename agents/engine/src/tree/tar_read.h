/* The entries of a tar file: ustar, pax and GNU tar's long names. */
#ifndef FSLOAD_TREE_TAR_READ_H
#define FSLOAD_TREE_TAR_READ_H

#include "tree/source.h"

#include <stdbool.h>

/*
 * Fill an empty tree from an open tar file. False, with every fault on stderr (the first hundred, and how many more),
 * where any entry cannot be unpacked safely: nothing of such a file is used.
 */
bool tar_read(struct source *source, int file, const char *name);

#endif
