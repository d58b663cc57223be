#include "filebench/pick.h"

#include "random.h"

#include <stdlib.h>

#define BITS 64U

static void set_bit(struct wml_share *share, uint64_t place)
{
    share->present[place / BITS] |= UINT64_C(1) << place % BITS;
    share->existing++;
}

/*
 * The number of existing entries. A thread that both creates and deletes needs a file to delete and a name to create,
 * so a small share has at least one of each if the whole fileset is to have both.
 */
static uint64_t existing_of(uint64_t count, uint64_t percent, bool changes)
{
    uint64_t existing = (count * percent + 50) / 100;

    if (changes && percent > 0 && percent < 100 && count > 1)
        existing = existing == 0 ? 1 : existing == count ? count - 1 : existing;
    return existing;
}

bool wml_share_make(struct wml_share *share, uint64_t entries, unsigned first, unsigned step, uint64_t percent,
                    bool changes, uint64_t seed)
{
    uint64_t count = entries / step + (first < entries % step);
    uint64_t existing = existing_of(count, percent, changes);
    struct permutation order;

    *share = (struct wml_share){.first = first, .step = step, .count = count};
    share->present = calloc(count / BITS + 1, sizeof *share->present);
    if (!share->present)
        return false;
    if (count)
        order = permutation_make(count, seed);
    for (uint64_t i = 0; i < existing; i++)
        set_bit(share, existing == count ? i : permutation_at(&order, i));
    return true;
}

void wml_share_free(struct wml_share *share)
{
    free(share->present);
    share->present = NULL;
}

static uint64_t place_of(const struct wml_share *share, uint64_t entry)
{
    return share->step == 1 ? entry : (entry - share->first) / share->step;
}

bool wml_share_has(const struct wml_share *share, uint64_t entry)
{
    uint64_t place = place_of(share, entry);

    return share->present[place / BITS] >> place % BITS & 1;
}

void wml_share_set(struct wml_share *share, uint64_t entry, bool there)
{
    uint64_t place = place_of(share, entry);

    if (wml_share_has(share, entry) == there)
        return;
    share->present[place / BITS] ^= UINT64_C(1) << place % BITS;
    share->existing += there ? 1 : UINT64_MAX;
}

/* The first index from `start` on, then from 0, whose bit xor `flip` is set. There must be one. */
static uint64_t find(const struct wml_share *share, uint64_t start, uint64_t flip)
{
    uint64_t place = start < share->count ? start : 0;

    for (;;) {
        uint64_t word = (share->present[place / BITS] ^ flip) >> place % BITS;

        if (word)
            place += (uint64_t)__builtin_ctzll(word);
        else
            place = (place / BITS + 1) * BITS;
        if (place >= share->count)
            place = 0;
        else if (word)
            return place;
    }
}

int64_t wml_pick_existing(struct wml_view *view)
{
    struct wml_share *share = view->share;
    uint64_t place;

    if (!share->existing)
        return -1;
    place = find(share, view->next_existing, 0);
    view->next_existing = place + 1;
    return (int64_t)(share->first + place * share->step);
}

int64_t wml_pick_free(struct wml_view *view)
{
    struct wml_share *share = view->share;
    uint64_t place;

    if (share->existing == share->count)
        return -1;
    place = find(share, view->next_free, UINT64_MAX);
    view->next_free = place + 1;
    return (int64_t)(share->first + place * share->step);
}
