#include "sweep/order.h"

struct order order_make(enum pattern pattern, uint64_t count, uint64_t stride, uint64_t seed)
{
    return (struct order){
        .pattern = pattern, .count = count, .stride = stride, .permutation = permutation_make(count, seed)};
}

static uint64_t next_strided(struct order *order)
{
    uint64_t record = order->record;

    order->record += order->stride;
    if (order->record >= order->count)
        order->record = ++order->column;
    return record;
}

uint64_t order_next(struct order *order)
{
    uint64_t index = order->next++;

    switch (order->pattern) {
    case PATTERN_FORWARD:
        return index;
    case PATTERN_RANDOM:
        return permutation_at(&order->permutation, index);
    case PATTERN_BACKWARD:
        return order->count - 1 - index;
    case PATTERN_SAME:
        return 0;
    case PATTERN_STRIDED:
        return next_strided(order);
    }
    return index;
}

bool order_seeks(enum pattern pattern)
{
    return pattern != PATTERN_FORWARD;
}
