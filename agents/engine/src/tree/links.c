#include "tree/links.h"

#include "random.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64U

static struct link *slot_of(const struct links *links, uint64_t inode)
{
    size_t at = random_mix(inode, 0) & (links->slots_count - 1);

    while (links->slots[at].path && links->slots[at].inode != inode)
        at = (at + 1) & (links->slots_count - 1);
    return &links->slots[at];
}

static bool grow(struct links *links)
{
    struct links larger = {.slots_count = links->slots_count ? links->slots_count * 2 : FIRST_SLOTS,
                           .count = links->count};

    larger.slots = calloc(larger.slots_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < links->slots_count; i++)
        if (links->slots[i].path)
            *slot_of(&larger, links->slots[i].inode) = links->slots[i];
    free(links->slots);
    *links = larger;
    return true;
}

const char *links_meet(struct links *links, uint64_t inode, const char *path, bool *no_memory)
{
    struct link *slot;

    *no_memory = links->count * 2 >= links->slots_count && !grow(links);
    if (*no_memory)
        return NULL;
    slot = slot_of(links, inode);
    if (slot->path)
        return slot->path;
    *slot = (struct link){inode, strdup(path)};
    links->count++;
    *no_memory = !slot->path;
    return NULL;
}

void links_free(struct links *links)
{
    for (size_t i = 0; i < links->slots_count; i++)
        free(links->slots[i].path);
    free(links->slots);
    *links = (struct links){0};
}
