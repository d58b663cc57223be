/* How much memory there is for us and for the page cache. */
#ifndef FSLOAD_MEMORY_H
#define FSLOAD_MEMORY_H

#include <stdint.h>

/* Bytes: the smallest limit of the control groups that we are in, or the machine's memory if that is less. */
uint64_t memory_bytes(void);

#endif
