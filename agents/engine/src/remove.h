/* Removes trees, outside any measurement. */
#ifndef FSLOAD_REMOVE_H
#define FSLOAD_REMOVE_H

#include "failure.h"

#include <stdbool.h>

/* Remove all that is in a directory, following no link. False, with a failure, where something stays behind. */
bool remove_contents(int directory, struct failure *failure);

/* Remove a file or a tree below a directory; one that is not there is as good as removed. */
bool remove_tree(int directory, const char *name, struct failure *failure);

#endif
