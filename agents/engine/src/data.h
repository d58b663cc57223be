/* The data to write and the memory to read into; each thread has its own. */
#ifndef FSLOAD_DATA_H
#define FSLOAD_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct data {
    unsigned char *pool; /* random bytes; records are taken from it in turn */
    size_t pool_size;
    size_t next;
    uint64_t stamp;
    unsigned char *target; /* for reading */
    size_t target_size;
};

/*
 * Allocate memory for records of up to max_record bytes, aligned for O_DIRECT. compressibility: percentage of zeros in
 * each 4 KiB block. False if there is not enough memory.
 */
bool data_allocate(struct data *data, size_t max_record, uint64_t seed, unsigned compressibility);
void data_free(struct data *data);

/* Bytes from one record to the next in the pool and in the target: the record rounded up for O_DIRECT. */
size_t data_stride(size_t record_size);

/* Make the 4 KiB blocks of a record in the pool differ from every other one. */
void data_stamp(struct data *data, unsigned char *record, size_t record_size);

/* A record to write, different from every other one in each of its 4 KiB blocks. */
unsigned char *data_record(struct data *data, size_t record_size);

/*
 * Verification: each 8 bytes of a file depend on the seed, the file's number and their offset. Fill a record with the
 * bytes for this offset. Offset and size are multiples of 8, except that a record may end in fewer bytes.
 */
void data_pattern(unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset);

/* The index of the first wrong byte in the record; size if all are right. */
size_t data_verify(const unsigned char *record, size_t size, uint64_t seed, uint64_t file, uint64_t offset);

#endif
