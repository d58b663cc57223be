#include "tree/tar_pax.h"

#include <string.h>

static const char bad_record[] = "an extended header is not made of records";
static const char bad_number[] = "a number in an extended header is none";

const char *tar_long_name(char to[SOURCE_PATH_LENGTH], const char *text, size_t length)
{
    size_t used = strnlen(text, length);

    if (used >= SOURCE_PATH_LENGTH)
        return "its path is too long";
    if (used == 0)
        return "a long name is empty";
    memcpy(to, text, used);
    to[used] = '\0';
    return NULL;
}

/* Read decimal digits, and move *at behind them. False if there are none, or too many. */
static bool read_digits(const char *text, size_t length, size_t *at, uint64_t *number)
{
    size_t start = *at;

    for (*number = 0; *at < length && text[*at] >= '0' && text[*at] <= '9'; (*at)++) {
        if (*number > (UINT64_C(1) << 58))
            return false;
        *number = *number * 10 + (uint64_t)(text[*at] - '0');
    }
    return *at > start;
}

/* Read seconds, without their fraction. */
static const char *read_time(int64_t *time, const char *value, size_t length)
{
    bool negative = length > 0 && value[0] == '-';
    size_t at = negative;
    uint64_t seconds;

    if (!read_digits(value, length, &at, &seconds) || (at < length && value[at] != '.'))
        return bad_number;
    *time = negative ? -(int64_t)seconds : (int64_t)seconds;
    return NULL;
}

static const char *read_path(char to[SOURCE_PATH_LENGTH], bool *has, const char *value, size_t length)
{
    if (memchr(value, '\0', length))
        return "a path has a zero byte in it";
    *has = true;
    return tar_long_name(to, value, length);
}

static const char *read_record(struct tar_override *override, const char *key, size_t key_length, const char *value,
                               size_t length)
{
    size_t at = 0;

#define IS(NAME) (key_length == sizeof(NAME) - 1 && memcmp(key, NAME, sizeof(NAME) - 1) == 0)
    if (IS("path"))
        return read_path(override->path, &override->has_path, value, length);
    if (IS("linkpath"))
        return read_path(override->target, &override->has_target, value, length);
    if (IS("size")) {
        override->has_size = read_digits(value, length, &at, &override->size) && at == length;
        return override->has_size ? NULL : bad_number;
    }
    if (IS("mtime")) {
        override->has_mtime = true;
        return read_time(&override->mtime, value, length);
    }
    if (key_length > 11 && memcmp(key, "GNU.sparse.", 11) == 0)
        return "it is a sparse file";
    return NULL; /* owners, access times, comments and attributes are not restored */
#undef IS
}

const char *tar_pax_read(struct tar_override *override, const char *text, size_t length)
{
    const char *fault = NULL;

    while (length > 0 && !fault) {
        size_t at = 0;
        uint64_t size;
        const char *equals;

        if (!read_digits(text, length, &at, &size) || at >= length || text[at] != ' ' || size > length ||
            size < at + 3 || text[size - 1] != '\n')
            return bad_record;
        at++;
        equals = memchr(text + at, '=', (size_t)size - at);
        if (!equals)
            return bad_record;
        fault = read_record(override, text + at, (size_t)(equals - text) - at, equals + 1,
                            (size_t)size - (size_t)(equals - text) - 2);
        text += size;
        length -= (size_t)size;
    }
    return fault;
}
