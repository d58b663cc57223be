/* The blocks of a tar archive, as POSIX.1-2017 "pax" (ustar interchange format) lays them out. */
#ifndef FSLOAD_TREE_TAR_FORMAT_H
#define FSLOAD_TREE_TAR_FORMAT_H

#include <stdint.h>
#include <string.h>

#define TAR_BLOCK 512U
#define TAR_RECORD (20U * TAR_BLOCK) /* the bytes that tar reads and writes at once */

struct tar_header {
    char name[100];
    char mode[8];
    char uid[8];
    char gid[8];
    char size[12];
    char mtime[12];
    char checksum[8];
    char type;
    char target[100];
    char magic[6];
    char version[2];
    char user[32];
    char group[32];
    char device_major[8];
    char device_minor[8];
    char prefix[155];
    char unused[12];
};

_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "a header is one block");

/* The size of data with the padding of their last block. */
static inline uint64_t tar_padded(uint64_t size)
{
    return (size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
}

/* The sum of a header's bytes, its own field counted as spaces. */
static inline unsigned tar_checksum(const struct tar_header *header)
{
    struct tar_header copy = *header;
    const unsigned char *bytes = (const unsigned char *)&copy;
    unsigned sum = 0;

    memset(copy.checksum, ' ', sizeof copy.checksum);
    for (unsigned i = 0; i < sizeof copy; i++)
        sum += bytes[i];
    return sum;
}

#endif
