/* Seeded randomness: the same seed gives the same numbers on every machine. Not for secrets. */
#ifndef FSLOAD_RANDOM_H
#define FSLOAD_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A number that depends on both arguments in every bit. */
uint64_t random_mix(uint64_t seed, uint64_t value);

/* Fill memory with bytes that do not compress. size is a multiple of 8. */
void random_fill(unsigned char *memory, size_t size, uint64_t seed);

/* A stream of numbers: SplitMix64. Any state is a good start. */
struct random {
    uint64_t state;
};

uint64_t random_next(struct random *random);

/* 0 … count-1; count > 0. Deviates from uniform by less than count / 2^64. */
uint64_t random_below(struct random *random, uint64_t count);

/* 0 ≤ number < 1, in steps of 2^-53. */
double random_real(struct random *random);

/* A permutation of 0 … count-1 that needs no memory, and so works for files of any size. */
struct permutation {
    uint64_t count;
    uint64_t mask;
    unsigned half_bits;
    uint64_t multipliers[3];
};

struct permutation permutation_make(uint64_t count, uint64_t seed);
uint64_t permutation_at(const struct permutation *permutation, uint64_t index);

#endif
