#include "device.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define SECTOR 512U

static int statistics = -1; /* the open file; each read from its start returns current values */

static int open_statistics(unsigned major_number, unsigned minor_number)
{
    char path[64];

    snprintf(path, sizeof path, "/sys/dev/block/%u:%u/stat", major_number, minor_number);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* The device file of the mount with this number: the word after " - TYPE" in its line. */
static bool source_of_mount(uint64_t mount, char *source, size_t size)
{
    FILE *file = fopen("/proc/self/mountinfo", "re");
    char line[8192];
    bool found = false;

    while (file && !found && fgets(line, sizeof line, file)) {
        const char *separator = strstr(line, " - ");
        uint64_t number;
        char format[32];

        snprintf(format, sizeof format, " - %%*s %%%zus", size - 1);
        found = separator && sscanf(line, "%" SCNu64, &number) == 1 && number == mount &&
                sscanf(separator, format, source) == 1;
    }
    if (file)
        fclose(file);
    return found;
}

static bool spans_devices(int directory)
{
    struct statfs status;
    struct btrfs_ioctl_fs_info_args info = {0};

    if (fstatfs(directory, &status) || (uint64_t)status.f_type != BTRFS_SUPER_MAGIC)
        return false;
    return ioctl(directory, BTRFS_IOC_FS_INFO, &info) || info.num_devices != 1;
}

bool device_find(int directory)
{
    struct statx status;
    struct stat device;
    char source[4096];

    if (statistics >= 0)
        close(statistics);
    statistics = -1;
    if (statx(directory, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) || spans_devices(directory))
        return false;
    statistics = open_statistics(status.stx_dev_major, status.stx_dev_minor);
    /* The numbers of btrfs subvolumes belong to no device: use that of the mount. */
    if (statistics < 0 && source_of_mount(status.stx_mnt_id, source, sizeof source) && !stat(source, &device) &&
        S_ISBLK(device.st_mode))
        statistics = open_statistics(major(device.st_rdev), minor(device.st_rdev));
    return statistics >= 0;
}

struct device_bytes device_bytes(void)
{
    char text[512];
    uint64_t read_sectors;
    uint64_t written_sectors;
    ssize_t length = statistics < 0 ? -1 : pread(statistics, text, sizeof text - 1, 0);

    if (length <= 0)
        return (struct device_bytes){0};
    text[length] = '\0';
    /* Reads, merged, sectors read, ms; writes, merged, sectors written, …: Documentation/block/stat.rst */
    if (sscanf(text, "%*u %*u %" SCNu64 " %*u %*u %*u %" SCNu64, &read_sectors, &written_sectors) != 2)
        return (struct device_bytes){0};
    return (struct device_bytes){true, read_sectors * SECTOR, written_sectors * SECTOR};
}

struct device_bytes device_bytes_difference(struct device_bytes later, struct device_bytes earlier)
{
    return (struct device_bytes){later.known && earlier.known, later.read - earlier.read,
                                 later.written - earlier.written};
}
