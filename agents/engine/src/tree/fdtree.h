#ifndef FSLOAD_TREE_FDTREE_H
#define FSLOAD_TREE_FDTREE_H

#include "command.h"

/* fsload tree: the tests of fdtree. */
extern const struct command tree_command;

#endif
