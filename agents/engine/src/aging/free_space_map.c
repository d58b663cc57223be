/* Free space as the file system lists it (GETFSMAP), or as a probe finds it. */
#include "aging/free_space_map.h"

#include "aging/free_space_probe.h"
#include "stop.h"

#include <errno.h>
#include <linux/fsmap.h>
#include <string.h>
#include <sys/ioctl.h>

#define BATCH 256U

union request {
    struct fsmap_head head;
    unsigned char memory[sizeof(struct fsmap_head) + BATCH * sizeof(struct fsmap)];
};

/* The last free extent, which the next one may continue. */
struct pending {
    uint32_t device;
    uint64_t start;
    uint64_t length;
};

static void take(struct free_space *space, struct pending *pending, const struct fsmap *found)
{
    if (!(found->fmr_flags & FMR_OF_SPECIAL_OWNER) || found->fmr_owner != FMR_OWN_FREE)
        return;
    if (pending->device == found->fmr_device && pending->start + pending->length == found->fmr_physical) {
        pending->length += found->fmr_length;
        return;
    }
    free_space_add(space, pending->length);
    *pending = (struct pending){found->fmr_device, found->fmr_physical, found->fmr_length};
}

static void ask_for_all(union request *request)
{
    struct fsmap *last = &request->head.fmh_keys[1];

    memset(request, 0, sizeof *request);
    request->head.fmh_count = BATCH;
    last->fmr_device = UINT32_MAX;
    last->fmr_flags = UINT32_MAX;
    last->fmr_physical = last->fmr_owner = last->fmr_offset = UINT64_MAX;
}

/* Read the map. False, with errno, if the file system has no GETFSMAP. A signal ends the reading early. */
static bool ask(struct free_space *space, int directory)
{
    union request request;
    struct pending pending = {0};

    for (ask_for_all(&request); !stop_requested();) {
        struct fsmap found = {0};

        if (ioctl(directory, FS_IOC_GETFSMAP, &request.head))
            return false;
        for (uint32_t i = 0; i < request.head.fmh_entries; i++) {
            memcpy(&found, request.memory + sizeof request.head + i * sizeof found, sizeof found);
            take(space, &pending, &found);
        }
        if (!request.head.fmh_entries || found.fmr_flags & FMR_OF_LAST)
            break;
        request.head.fmh_keys[0] = found; /* continue after it */
    }
    free_space_add(space, pending.length);
    return true;
}

bool free_space_measure(struct free_space *space, int directory, bool may_probe, uint64_t leave)
{
    *space = (struct free_space){.method = "GETFSMAP"};
    if (ask(space, directory))
        return !stop_requested();
    *space = (struct free_space){0};
    if (may_probe)
        return free_space_probe(space, directory, leave);
    space->reason = "the file system has no GETFSMAP, and nothing may be written to find out otherwise";
    return true;
}
