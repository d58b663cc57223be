/* The tests, one row each. To add one, add a row. */
#ifndef FSLOAD_OPERATIONS_H
#define FSLOAD_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

struct operation {
    const char *name;
    bool creates; /* starts with a new file; the others want one that is there */
    bool writes;
    bool random; /* visits the records in a permuted order, with an lseek before each */
};

extern const struct operation operations[];
extern const size_t operations_count;

/* The row of a name; NULL where there is none. */
const struct operation *operation_find(const char *name, size_t length);

#endif
