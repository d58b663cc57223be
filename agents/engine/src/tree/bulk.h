#ifndef FSLOAD_TREE_BULK_H
#define FSLOAD_TREE_BULK_H

#include "command.h"

/* fsload bulk: directories full of files of one size, created by dd's writes and deleted as by rm -R. */
extern const struct command bulk_command;

#endif
