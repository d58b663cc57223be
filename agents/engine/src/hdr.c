#include "hdr.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/*
 * The encoding V2 (org.HdrHistogram.AbstractHistogram, encodeIntoByteBuffer): a header of big-endian numbers, then the
 * count of each bucket as ZigZag LEB128, where a negative number -n stands for n empty buckets.
 */
#define COOKIE 0x1c849313U
#define HEADER_BYTES 40U
#define DIGITS 3U
#define ONE_AS_DOUBLE UINT64_C(0x3ff0000000000000)
#define HOUR_NS UINT64_C(3600000000000)
/* Three digits: each power of two is divided into 1024 buckets; up to 2048, every number has its own. */
#define SUB_BITS 10U
#define NUMBER_BYTES 9U

struct bytes {
    size_t length;
    unsigned char data[HEADER_BYTES + 2 * NUMBER_BYTES * HISTOGRAM_BUCKETS];
};

static uint64_t bucket_of(uint64_t ns)
{
    unsigned shift = ns >> SUB_BITS ? 63U - (unsigned)__builtin_clzll(ns) - SUB_BITS : 0;

    return ((uint64_t)shift << SUB_BITS) + (ns >> shift);
}

static void put_big_endian(struct bytes *bytes, uint64_t number, unsigned width)
{
    while (width--)
        bytes->data[bytes->length++] = (unsigned char)(number >> (8 * width));
}

static void put_zigzag(struct bytes *bytes, int64_t number)
{
    uint64_t rest = ((uint64_t)number << 1) ^ (number < 0 ? UINT64_MAX : 0);

    while (rest > 0x7f) {
        bytes->data[bytes->length++] = (unsigned char)(rest | 0x80);
        rest >>= 7;
    }
    bytes->data[bytes->length++] = (unsigned char)rest;
}

static void put_header(struct bytes *bytes, uint64_t highest)
{
    bytes->length = 0;
    put_big_endian(bytes, COOKIE, 4);
    put_big_endian(bytes, 0, 4); /* the length of the counts, unknown as yet */
    put_big_endian(bytes, 0, 4); /* normalizing index offset */
    put_big_endian(bytes, DIGITS, 4);
    put_big_endian(bytes, 1, 8); /* lowest discernible value */
    put_big_endian(bytes, highest > HOUR_NS ? highest : HOUR_NS, 8);
    put_big_endian(bytes, ONE_AS_DOUBLE, 8); /* conversion ratio */
}

/* The counts in ascending order; buckets of ticks that fall into one bucket of ns are added up. */
static void put_counts(struct bytes *bytes, const struct histogram *histogram, double ns_per_tick)
{
    uint64_t next = 0, bucket = 0, count = 0;

    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        uint64_t here;

        if (!histogram->buckets[i])
            continue;
        here = bucket_of((uint64_t)llround((double)histogram_value(histogram, i) * ns_per_tick));
        if (count && here != bucket) {
            if (bucket > next)
                put_zigzag(bytes, -(int64_t)(bucket - next));
            put_zigzag(bytes, (int64_t)count);
            next = bucket + 1;
            count = 0;
        }
        bucket = here;
        count += histogram->buckets[i];
    }
    if (bucket > next)
        put_zigzag(bytes, -(int64_t)(bucket - next));
    if (count)
        put_zigzag(bytes, (int64_t)count);
}

static void print_base64(FILE *file, const struct bytes *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < bytes->length; i += 3) {
        size_t left = bytes->length - i;
        uint32_t group = (uint32_t)bytes->data[i] << 16;

        if (left > 1)
            group |= (uint32_t)bytes->data[i + 1] << 8;
        if (left > 2)
            group |= bytes->data[i + 2];
        putc(digits[group >> 18], file);
        putc(digits[group >> 12 & 63], file);
        putc(left > 1 ? digits[group >> 6 & 63] : '=', file);
        putc(left > 2 ? digits[group & 63] : '=', file);
    }
}

void hdr_print(FILE *file, const struct histogram *histogram, double ns_per_tick)
{
    static struct bytes bytes; /* too large for a stack */
    struct bytes length = {0};

    put_header(&bytes, (uint64_t)llround((double)histogram->max * ns_per_tick));
    put_counts(&bytes, histogram, ns_per_tick);
    put_big_endian(&length, bytes.length - HEADER_BYTES, 4);
    memcpy(bytes.data + 4, length.data, 4);
    print_base64(file, &bytes);
}
