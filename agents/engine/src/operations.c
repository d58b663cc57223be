#include "operations.h"

#include <string.h>

const struct operation operations[] = {
    {"write", .creates = true, .writes = true, .random = false},
    {"rewrite", .creates = false, .writes = true, .random = false},
    {"read", .creates = false, .writes = false, .random = false},
    {"reread", .creates = false, .writes = false, .random = false},
    {"random_read", .creates = false, .writes = false, .random = true},
    {"random_write", .creates = false, .writes = true, .random = true},
};
const size_t operations_count = sizeof operations / sizeof operations[0];

const struct operation *operation_find(const char *name, size_t length)
{
    for (size_t i = 0; i < operations_count; i++)
        if (strlen(operations[i].name) == length && !memcmp(operations[i].name, name, length))
            return &operations[i];
    return NULL;
}
