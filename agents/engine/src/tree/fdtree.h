#ifndef FSLOAD_TREE_FDTREE_H
#define FSLOAD_TREE_FDTREE_H

#include "command.h"

/* fsload tree: what fdtree does. */
extern const struct command tree_command;

#endif
