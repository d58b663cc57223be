/* The order in which a test visits the records of a file. */
#ifndef FSLOAD_SWEEP_ORDER_H
#define FSLOAD_SWEEP_ORDER_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pattern {
    PATTERN_FORWARD,
    PATTERN_RANDOM,   /* each record once, in an order that depends on the seed */
    PATTERN_BACKWARD, /* last to first */
    PATTERN_SAME,     /* the first, as often as there are records */
    PATTERN_STRIDED   /* 0, s, 2s, … to the end, then 1, 1 + s, …: each record once */
};

struct order {
    enum pattern pattern;
    uint64_t count;
    uint64_t next;   /* the number of records so far */
    uint64_t stride; /* records */
    uint64_t column; /* strided order: the first record of the current pass */
    uint64_t record; /* strided order: the next record */
    struct permutation permutation;
};

struct order order_make(enum pattern pattern, uint64_t count, uint64_t stride, uint64_t seed);

/* The next record, from 0. Call at most `count` times. */
static inline uint64_t order_next(struct order *order)
{
    uint64_t index = order->next++;
    uint64_t record = order->record;

    if (order->pattern == PATTERN_FORWARD)
        return index;
    if (order->pattern == PATTERN_RANDOM)
        return permutation_at(&order->permutation, index);
    if (order->pattern == PATTERN_BACKWARD)
        return order->count - 1 - index;
    if (order->pattern == PATTERN_SAME)
        return 0;
    order->record += order->stride;
    if (order->record >= order->count)
        order->record = ++order->column;
    return record;
}

/* Whether the order is not sequential, so that each record needs a seek. */
bool order_seeks(enum pattern pattern);

#endif
