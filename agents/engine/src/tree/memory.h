/* How much memory a page cache can have here. */
#ifndef FSLOAD_TREE_MEMORY_H
#define FSLOAD_TREE_MEMORY_H

#include <stdint.h>

/* Bytes: the smallest limit of the control groups that we are in, or the machine's memory if that is less. */
uint64_t memory_bytes(void);

#endif
