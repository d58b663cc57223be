/* iozone's tests, one row each. To add one, add a row. */
#ifndef FSLOAD_SWEEP_OPERATIONS_H
#define FSLOAD_SWEEP_OPERATIONS_H

#include "sweep/order.h"

#include <stdbool.h>

/* What a test wants of its file before the time begins. */
enum before {
    WANTS_NONE,  /* the old one is removed: it makes a new one */
    WANTS_OLD,   /* one that was written to its end */
    TAKES_EITHER /* writes over what is there, or makes a new one, as iozone's fwrite does */
};

struct operation {
    const char *name;
    enum before before;
    bool writes;
    bool stdio; /* through a FILE with a buffer of one record, whatever the method */
    enum pattern pattern;
};

extern const struct operation operations[];

/* The names in the same order, with a NULL behind them: for the option table. */
extern const char *const operation_names[];
extern const size_t operations_count;

#endif
