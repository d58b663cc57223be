#include "space.h"

#include "common.h"

#define UNIT UINT64_C(4096)
#define MAX_CHUNK (UINT64_C(1) << 20)

void space_open(struct space *space, const struct workspace *workspace, uint64_t max_bytes, unsigned threads)
{
    uint64_t chunk = max_bytes ? max_bytes / threads / 16 : MAX_CHUNK;

    chunk = chunk < UNIT ? UNIT : chunk;
    space->workspace = workspace;
    space->chunk = chunk > MAX_CHUNK ? MAX_CHUNK : chunk;
    space->reserve = common.min_free + threads * space->chunk;
    atomic_store(&space->left, max_bytes ? max_bytes : UINT64_MAX / 2);
    atomic_store(&space->over, false);
}

/* Take bytes from `left` if it has enough. */
static bool take(struct space *space, uint64_t bytes)
{
    uint_fast64_t left = atomic_load(&space->left);

    while (left >= bytes)
        if (atomic_compare_exchange_weak(&space->left, &left, left - bytes))
            return true;
    return false;
}

bool space_take(struct space *space, uint64_t *allowance, uint64_t bytes)
{
    uint64_t lacking = bytes > *allowance ? bytes - *allowance : 0;
    uint64_t asked = lacking > space->chunk ? lacking : space->chunk;

    if (lacking) {
        uint64_t free_bytes = workspace_free_bytes(space->workspace);

        if (free_bytes < space->reserve || free_bytes - space->reserve < asked ||
            (!take(space, asked) && !take(space, asked = lacking))) {
            atomic_store(&space->over, true);
            return false;
        }
        *allowance += asked;
    }
    *allowance -= bytes;
    return true;
}

void space_give(struct space *space, uint64_t *allowance, uint64_t bytes)
{
    *allowance += bytes;
    if (*allowance > 2 * space->chunk) {
        atomic_fetch_add(&space->left, *allowance - space->chunk);
        *allowance = space->chunk;
    }
}
