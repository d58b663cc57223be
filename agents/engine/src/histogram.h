/* Latencies in buckets of constant relative width: fixed size, at most 0.4 % error, no allocation while measuring. */
#ifndef FSLOAD_HISTOGRAM_H
#define FSLOAD_HISTOGRAM_H

#include <stdint.h>

/* Each power of two is cut into 128 buckets; up to 256 ns every nanosecond has its own. */
#define HISTOGRAM_SUB_BITS 7
#define HISTOGRAM_SUB_BUCKETS (1U << HISTOGRAM_SUB_BITS)
/* Up to 2^46 ns, 19 hours; what takes longer is counted in the last bucket. */
#define HISTOGRAM_MAX_BITS 46
#define HISTOGRAM_BUCKETS ((HISTOGRAM_MAX_BITS - HISTOGRAM_SUB_BITS + 1U) * HISTOGRAM_SUB_BUCKETS)

struct histogram {
    uint64_t count;
    uint64_t sum;
    uint64_t max;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_clear(struct histogram *histogram);
void histogram_add(struct histogram *histogram, uint64_t ns);
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The latency that this share (per mille) of the operations did not exceed; 0 where nothing was counted. */
uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_mille);
uint64_t histogram_mean(const struct histogram *histogram);

#endif
