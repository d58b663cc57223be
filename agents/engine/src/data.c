#include "data.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 4096U
/* Larger than the windows in which file systems compress (btrfs 128 KiB), small enough to stay in a second-level cache. */
#define MIN_POOL (1U << 20)

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool data_allocate(struct data *data, size_t max_record, uint64_t seed)
{
    size_t record = round_up(max_record);
    void *pool = NULL;
    void *target = NULL;

    *data = (struct data){.pool_size = record > MIN_POOL ? record : MIN_POOL, .stamp = seed};
    if (posix_memalign(&pool, ALIGNMENT, data->pool_size) || posix_memalign(&target, ALIGNMENT, record)) {
        free(pool);
        return false;
    }
    data->pool = pool;
    data->target = target;
    random_fill(data->pool, data->pool_size, seed);
    memset(data->target, 0, record); /* so that no page fault falls into the first read */
    return true;
}

void data_free(struct data *data)
{
    free(data->pool);
    free(data->target);
    *data = (struct data){0};
}

unsigned char *data_record(struct data *data, size_t record_size)
{
    unsigned char *record;

    if (data->next + record_size > data->pool_size)
        data->next = 0;
    record = data->pool + data->next;
    data->next += round_up(record_size);
    for (size_t block = 0; block + sizeof data->stamp <= record_size; block += ALIGNMENT) {
        memcpy(record + block, &data->stamp, sizeof data->stamp);
        data->stamp++;
    }
    return record;
}
