#include "aging/extents.h"

#include <errno.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#define BATCH 128U

union request {
    struct fiemap map;
    unsigned char memory[sizeof(struct fiemap) + BATCH * sizeof(struct fiemap_extent)];
};

bool extents_each(int file, bool (*take)(void *context, const struct extent *extent), void *context)
{
    union request request;
    uint64_t start = 0;

    for (;;) {
        memset(&request.map, 0, sizeof request.map);
        request.map.fm_start = start;
        request.map.fm_length = FIEMAP_MAX_OFFSET - start;
        request.map.fm_flags = FIEMAP_FLAG_SYNC;
        request.map.fm_extent_count = BATCH;
        if (ioctl(file, FS_IOC_FIEMAP, &request.map))
            return false;
        for (uint32_t i = 0; i < request.map.fm_mapped_extents; i++) {
            struct fiemap_extent found;
            struct extent extent;

            memcpy(&found, request.memory + sizeof request.map + i * sizeof found, sizeof found);
            extent = (struct extent){found.fe_physical, found.fe_length, found.fe_flags};
            start = found.fe_logical + found.fe_length;
            if (!take(context, &extent) || found.fe_flags & FIEMAP_EXTENT_LAST)
                return true;
        }
        if (start <= request.map.fm_start)
            return true; /* no more extents, or the kernel would repeat the last ones */
    }
}

bool extents_unsupported(void)
{
    return errno == ENOTTY || errno == EOPNOTSUPP || errno == ENOSYS;
}
