#include "size.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_SIZE (UINT64_C(1) << 62)

/* Read the digits at the start of a text; *used is their count. False if there are none or the number is too large. */
static bool digits(const char *text, size_t length, uint64_t max, uint64_t *number, size_t *used)
{
    uint64_t value = 0;
    size_t i = 0;

    for (; i < length && text[i] >= '0' && text[i] <= '9'; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');

        if (digit > max || value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    *used = i;
    return i > 0;
}

static int shift_of(char suffix)
{
    switch (suffix) {
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    case 't':
    case 'T':
        return 40;
    default:
        return -1;
    }
}

bool size_parse(const char *text, size_t length, uint64_t *size)
{
    size_t used;
    int shift = 0;

    if (!digits(text, length, MAX_SIZE, size, &used) || length > used + 1)
        return false;
    if (length == used + 1)
        shift = shift_of(text[used]);
    if (shift < 0 || *size > MAX_SIZE >> shift)
        return false;
    *size <<= shift;
    return true;
}

bool number_parse(const char *text, size_t length, uint64_t max, uint64_t *number)
{
    size_t used;

    return digits(text, length, max, number, &used) && used == length;
}

void size_print(char text[SIZE_TEXT_LENGTH], uint64_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned unit = 0;

    while (size && size % 1024 == 0 && unit < 6) {
        size /= 1024;
        unit++;
    }
    snprintf(text, SIZE_TEXT_LENGTH, "%" PRIu64 " %s", size, units[unit]);
}
