/* The bytes that the block device under a directory has moved so far, for any process. */
#ifndef FSLOAD_DEVICE_H
#define FSLOAD_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

struct device_bytes {
    bool known;
    uint64_t read;
    uint64_t written;
};

/*
 * Find the device of the file system that holds this open directory. False if there is none for which the kernel
 * counts: tmpfs, network file systems, btrfs on several devices.
 */
bool device_find(int directory);

/* The device's counters, from /sys/dev/block; unknown if device_find() found nothing. */
struct device_bytes device_bytes(void);
struct device_bytes device_bytes_difference(struct device_bytes later, struct device_bytes earlier);

#endif
