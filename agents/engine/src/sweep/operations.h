/* iozone's tests, one row each. To add one, add a row. */
#ifndef FSLOAD_SWEEP_OPERATIONS_H
#define FSLOAD_SWEEP_OPERATIONS_H

#include "sweep/order.h"

#include <stdbool.h>

/* The file that a test needs before the time begins. */
enum before {
    WANTS_NONE,  /* none: an old one is removed, and the test makes a new one */
    WANTS_OLD,   /* a completely written one */
    TAKES_EITHER /* any: overwrites it or makes a new one, as iozone's fwrite does */
};

struct operation {
    const char *name;
    enum before before;
    bool writes;
    bool stdio; /* through a FILE with a buffer of one record, whatever the method */
    enum pattern pattern;
};

extern const struct operation operations[];

/* The names in the same order, ending with NULL, for the option table. */
extern const char *const operation_names[];
extern const size_t operations_count;

#endif
