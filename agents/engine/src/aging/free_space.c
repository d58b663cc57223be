#include "aging/free_space.h"

void free_space_add(struct free_space *space, uint64_t length)
{
    unsigned class = 0;

    if (!length)
        return;
    while (class + 1 < FREE_SPACE_CLASSES && length >> (class + 1))
        class++;
    space->bytes += length;
    space->fragments++;
    space->largest = length > space->largest ? length : space->largest;
    space->extents_of[class]++;
    space->bytes_of[class] += length;
}
