/* Removes trees, outside any measurement. */
#ifndef FSLOAD_REMOVE_H
#define FSLOAD_REMOVE_H

#include "failure.h"

#include <stdbool.h>

/* Remove everything in a directory, following no link. False, with a failure, if something stays behind. */
bool remove_contents(int directory, struct failure *failure);

/* Remove a file or a tree below a directory; a missing one counts as removed. */
bool remove_tree(int directory, const char *name, struct failure *failure);

#endif
