#include "histogram.h"

#include <string.h>

static unsigned highest_bit(uint64_t value)
{
    return 63U - (unsigned)__builtin_clzll(value);
}

static unsigned bucket_of(uint64_t ns)
{
    unsigned shift;

    if (ns < HISTOGRAM_SUB_BUCKETS)
        return (unsigned)ns;
    if (ns >> HISTOGRAM_MAX_BITS)
        return HISTOGRAM_BUCKETS - 1;
    shift = highest_bit(ns) - HISTOGRAM_SUB_BITS;
    return shift * HISTOGRAM_SUB_BUCKETS + (unsigned)(ns >> shift);
}

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

void histogram_clear(struct histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
}

void histogram_add(struct histogram *histogram, uint64_t ns)
{
    histogram->buckets[bucket_of(ns)]++;
    histogram->count++;
    histogram->sum += ns;
    if (ns > histogram->max)
        histogram->max = ns;
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

uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_mille)
{
    uint64_t wanted = histogram->count / 1000 * per_mille + (histogram->count % 1000 * per_mille + 999) / 1000;
    uint64_t seen = 0;

    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen >= wanted && seen > 0)
            return value_of(i) < histogram->max ? value_of(i) : histogram->max;
    }
    return 0;
}

uint64_t histogram_mean(const struct histogram *histogram)
{
    return histogram->count ? (histogram->sum + histogram->count / 2) / histogram->count : 0;
}
