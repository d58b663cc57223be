/* What the block device under a directory has moved so far, by whomever. */
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
 * Find the device of the file system that holds this open directory. False where there is none that the kernel counts
 * for: tmpfs, network file systems, btrfs over several devices.
 */
bool device_find(int directory);

/* Its counters, from /sys/dev/block; unknown if device_find() found nothing. */
struct device_bytes device_bytes(void);
struct device_bytes device_bytes_difference(struct device_bytes later, struct device_bytes earlier);

#endif
