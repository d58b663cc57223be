/* What is written, and where what is read goes: each thread has its own. */
#ifndef FSLOAD_DATA_H
#define FSLOAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data {
    unsigned char *pool; /* random bytes that the records are taken from in turn */
    size_t pool_size;
    size_t next;
    uint64_t stamp;
    unsigned char *target; /* for reading */
};

/* Memory for records of up to max_record bytes, aligned as O_DIRECT wants it. False where there is not enough. */
bool data_allocate(struct data *data, size_t max_record, uint64_t seed);
void data_free(struct data *data);

/* A record to write, different from every other one in each of its 4 KiB blocks. */
unsigned char *data_record(struct data *data, size_t record_size);

#endif
