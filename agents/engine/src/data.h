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
    size_t target_size;
};

/*
 * Memory for records of up to max_record bytes, aligned as O_DIRECT wants it. compressibility: percent of each 4 KiB
 * block that are zeros. False where there is not enough memory.
 */
bool data_allocate(struct data *data, size_t max_record, uint64_t seed, unsigned compressibility);
void data_free(struct data *data);

/* A record to write, different from every other one in each of its 4 KiB blocks. */
unsigned char *data_record(struct data *data, size_t record_size);

/*
 * Verification: each 8 bytes of a file depend on the seed, the file's number and their place in it. Fill a record with
 * what belongs at this offset; both are multiples of 8 but for the last bytes of a record.
 */
void data_pattern(unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset);

/* Where the first wrong byte is in the record; size if all are right. */
size_t data_verify(const unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset);

#endif
