/*
 * Latencies in buckets of constant relative width: fixed size, at most 0.4 % error, no allocation while measuring.
 * The unit is the caller's: ticks of the clock.
 */
#ifndef FSLOAD_HISTOGRAM_H
#define FSLOAD_HISTOGRAM_H

#include <stdint.h>

/* Each power of two is divided into 128 buckets; up to 256, every number has its own. */
#define HISTOGRAM_SUB_BITS 7
#define HISTOGRAM_SUB_BUCKETS (1U << HISTOGRAM_SUB_BITS)
/* Up to 2^46: in ns, or in ticks of 0.25 ns, more than 4 hours; longer times are counted in the last bucket. */
#define HISTOGRAM_MAX_BITS 46
#define HISTOGRAM_BUCKETS ((HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1U) * HISTOGRAM_SUB_BUCKETS)

struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t max;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

inline unsigned histogram_bucket(uint64_t value)
{
    unsigned shift;

    if (value < HISTOGRAM_SUB_BUCKETS)
        return (unsigned)value;
    if (value >> HISTOGRAM_MAX_BITS)
        return HISTOGRAM_BUCKETS - 1;
    shift = 63U - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return shift * HISTOGRAM_SUB_BUCKETS + (unsigned)(value >> shift);
}

inline void histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->buckets[histogram_bucket(value)]++;
    histogram->count++;
    histogram->sum += value;
    if (value > histogram->max)
        histogram->max = value;
}

void histogram_merge(struct histogram *into, const struct histogram *from);

/* The middle of a bucket, but at most the greatest latency. */
uint64_t histogram_value(const struct histogram *histogram, unsigned bucket);

/* The latency that this share (in 1/10000) of the operations did not exceed; 0 if nothing was counted. */
uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_myriad);
double histogram_mean(const struct histogram *histogram);

#endif
