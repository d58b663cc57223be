#include "sweep/order.h"

struct order order_make(enum pattern pattern, uint64_t count, uint64_t stride, uint64_t seed)
{
    return (struct order){
        .pattern = pattern, .count = count, .stride = stride, .permutation = permutation_make(count, seed)};
}

bool order_seeks(enum pattern pattern)
{
    return pattern != PATTERN_FORWARD;
}
