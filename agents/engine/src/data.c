#include "data.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 4096U
#define LINE 64U /* of a processor's cache */
/*
 * Larger than the windows in which file systems compress (btrfs: 128 KiB), and small enough to stay in a second-level
 * cache together with the data read and the kernel's own data.
 */
#define MIN_POOL (256U << 10)

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void fill(struct data *data, uint64_t seed, unsigned compressibility)
{
    size_t zeros = (size_t)ALIGNMENT * compressibility / 100 / 8 * 8;

    random_fill(data->pool, data->pool_size, seed);
    for (size_t block = 0; zeros && block < data->pool_size; block += ALIGNMENT)
        memset(data->pool + block + ALIGNMENT - zeros, 0, zeros);
}

bool data_allocate(struct data *data, size_t max_record, uint64_t seed, unsigned compressibility)
{
    size_t record = round_up(max_record);
    void *pool = NULL;
    void *target = NULL;

    *data = (struct data){.pool_size = record > MIN_POOL ? record : MIN_POOL, .stamp = seed, .target_size = record};
    if (posix_memalign(&pool, ALIGNMENT, data->pool_size) || posix_memalign(&target, ALIGNMENT, record)) {
        free(pool);
        return false;
    }
    data->pool = pool;
    data->target = target;
    fill(data, seed, compressibility);
    memset(data->target, 0, record); /* so that the first read has no page faults */
    return true;
}

void data_free(struct data *data)
{
    free(data->pool);
    free(data->target);
    *data = (struct data){0};
}

size_t data_stride(size_t record_size)
{
    return round_up(record_size);
}

void data_stamp(struct data *data, unsigned char *record, size_t record_size)
{
    /* At a different cache line in each block; otherwise all would share one set of the first-level cache. */
    for (size_t block = 0, line = 0; block + sizeof data->stamp <= record_size; block += ALIGNMENT) {
        size_t place = block + line + sizeof data->stamp <= record_size ? block + line : block;

        memcpy(record + place, &data->stamp, sizeof data->stamp);
        data->stamp++;
        line = (line + LINE) % ALIGNMENT;
    }
}

unsigned char *data_record(struct data *data, size_t record_size)
{
    unsigned char *record;

    if (data->next + record_size > data->pool_size)
        data->next = 0;
    record = data->pool + data->next;
    data->next += round_up(record_size);
    data_stamp(data, record, record_size);
    return record;
}

void data_pattern(unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset)
{
    uint64_t key = random_mix(seed, file);

    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word = random_mix(key, offset + i);

        memcpy(record + i, &word, size - i < sizeof word ? size - i : sizeof word);
    }
}

/* The index of the first difference; there must be one. */
static size_t first_difference(const unsigned char *a, const unsigned char *b)
{
    size_t i = 0;

    while (a[i] == b[i])
        i++;
    return i;
}

size_t data_verify(const unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset)
{
    uint64_t key = random_mix(seed, file);

    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word = random_mix(key, offset + i);
        unsigned char right[sizeof word];
        size_t length = size - i < sizeof word ? size - i : sizeof word;

        memcpy(right, &word, sizeof word);
        if (memcmp(record + i, right, length))
            return i + first_difference(record + i, right);
    }
    return size;
}
