#include "random.h"

#include <string.h>

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15)

/* SplitMix64: Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += GOLDEN_GAMMA);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_mix(uint64_t seed, uint64_t value)
{
    uint64_t state = seed;

    state = next(&state) ^ value;
    return next(&state);
}

void random_fill(unsigned char *memory, size_t size, uint64_t seed)
{
    uint64_t state = seed;

    for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
        uint64_t word = next(&state);
        memcpy(memory + i, &word, sizeof word);
    }
}

uint64_t random_next(struct random *random)
{
    return next(&random->state);
}

uint64_t random_below(struct random *random, uint64_t count)
{
    __extension__ typedef unsigned __int128 wide; /* the upper half of a product: no division */

    return (uint64_t)((wide)next(&random->state) * count >> 64);
}

double random_real(struct random *random)
{
    return (double)(next(&random->state) >> 11) * 0x1p-53;
}

struct permutation permutation_make(uint64_t count, uint64_t seed)
{
    struct permutation permutation = {.count = count, .mask = 1, .half_bits = 1};
    unsigned bits = 1;

    while (permutation.mask < count - 1) {
        permutation.mask = permutation.mask << 1 | 1;
        bits++;
    }
    permutation.half_bits = (bits + 1) / 2;
    for (unsigned i = 0; i < 3; i++)
        permutation.multipliers[i] = random_mix(seed, i) | 1; /* odd factors are invertible modulo 2^bits */
    return permutation;
}

/*
 * Each step is invertible on numbers of `bits` bits, so the whole is a permutation of 0 … mask. Numbers not below count
 * are permuted again ("cycle walking"): at most half of them are, so two rounds are enough on average.
 */
uint64_t permutation_at(const struct permutation *permutation, uint64_t index)
{
    uint64_t x = index;

    do {
        for (unsigned i = 0; i < 3; i++) {
            x = (x + permutation->multipliers[i]) * permutation->multipliers[i] & permutation->mask;
            x ^= x >> permutation->half_bits;
        }
    } while (x >= permutation->count);
    return x;
}
