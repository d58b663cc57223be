#include "histogram.h"

/* External definitions for calls that the compiler does not inline. */
extern inline unsigned histogram_bucket(uint64_t value);
extern inline void histogram_add(struct histogram *histogram, uint64_t value);

/* The middle of a bucket. */
static uint64_t value_of(unsigned bucket)
{
    unsigned shift;
    uint64_t low;

    if (bucket < 2 * HISTOGRAM_SUB_BUCKETS)
        return bucket;
    shift = bucket / HISTOGRAM_SUB_BUCKETS - 1;
    low = (uint64_t)(bucket % HISTOGRAM_SUB_BUCKETS + HISTOGRAM_SUB_BUCKETS) << shift;
    return low + (UINT64_C(1) << shift) / 2;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
    into->count += from->count;
    into->sum += from->sum;
    if (from->max > into->max)
        into->max = from->max;
}

uint64_t histogram_value(const struct histogram *histogram, unsigned bucket)
{
    uint64_t value = value_of(bucket);

    return value < histogram->max ? value : histogram->max;
}

uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_myriad)
{
    uint64_t wanted = histogram->count / 10000 * per_myriad + (histogram->count % 10000 * per_myriad + 9999) / 10000;
    uint64_t seen = 0;

    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen >= wanted && seen > 0)
            return histogram_value(histogram, i);
    }
    return 0;
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}
