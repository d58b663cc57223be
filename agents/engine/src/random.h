/* Seeded randomness: the same seed gives the same numbers on every machine. Not for secrets. */
#ifndef FSLOAD_RANDOM_H
#define FSLOAD_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A number that depends on both arguments in every bit. */
uint64_t random_mix(uint64_t seed, uint64_t value);

/* Fill memory with bytes that do not compress. size is a multiple of 8. */
void random_fill(unsigned char *memory, size_t size, uint64_t seed);

/* A permutation of 0 … count-1 that needs no memory, so that it serves files of any size. */
struct permutation {
    uint64_t count;
    uint64_t mask;
    unsigned half_bits;
    uint64_t multipliers[3];
};

struct permutation permutation_make(uint64_t count, uint64_t seed);
uint64_t permutation_at(const struct permutation *permutation, uint64_t index);

#endif
