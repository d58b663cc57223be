/* Converts the values of keys, and stores them in the field that the key's row names. */
#include "ffsb/keys.h"

#include "size.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* FFSB's sizes: a number, then k, m or g in either case, then perhaps a b. */
static bool read_size(const char *text, uint64_t max, uint64_t *size)
{
    size_t length = strlen(text);

    if (length > 2 && (text[length - 1] == 'b' || text[length - 1] == 'B') && !isdigit((unsigned char)text[length - 2]))
        length--;
    return length && !strchr("tT", text[length - 1]) && size_parse(text, length, size) && *size <= max;
}

/* Read a number with a fraction. Returns its end; NULL if there is none. */
static const char *read_real(const char *text, double *real)
{
    char *end;

    if (!isdigit((unsigned char)*text) && *text != '.')
        return NULL; /* strtod would take signs, "inf" and "nan" */
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return NULL;
    *real = strtod(text, &end);
    return end == text ? NULL : end;
}

static const char *skip_spaces(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static const char *set_share(double *field, const char *value)
{
    const char *end = read_real(value, field);

    return end && !*end && *field <= 1 ? NULL : "a share from 0 to 1";
}

static const char *set_text(char *field, const char *value)
{
    size_t length = strlen(value);

    if (!length || length >= FFSB_MAX_TEXT)
        return "a text of 1 to 255 bytes";
    memcpy(field, value, length + 1);
    return NULL;
}

static const char *set_number(uint64_t *field, const char *value, uint64_t max)
{
    return number_parse(value, strlen(value), max, field) ? NULL : "a whole number within its limit";
}

static const char *set_size_weight(struct ffsb_filesystem *filesystem, const char *value, uint64_t max)
{
    struct ffsb_size_weight *row = &filesystem->sizes[filesystem->sizes_count];
    size_t length = strcspn(value, " \t");
    char size[32];

    if (filesystem->sizes_count == FFSB_MAX_SIZES)
        return "one of up to 64 sizes";
    if (length >= sizeof size)
        return "a size and a weight";
    memcpy(size, value, length);
    size[length] = '\0';
    if (!read_size(size, max, &row->size) || set_number(&row->weight, skip_spaces(value + length), UINT32_MAX))
        return "a size and a weight";
    filesystem->sizes_sum += row->weight;
    filesystem->sizes_count++;
    return NULL;
}

static const char *check_range(const char *value)
{
    double numbers[2];
    const char *end = read_real(value, &numbers[0]);

    end = end ? read_real(skip_spaces(end), &numbers[1]) : NULL;
    return end && !*end ? NULL : "two numbers";
}

static const char *set_switch(bool *field, const char *value)
{
    if (strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return "0 or 1";
    *field = *value == '1';
    return NULL;
}

const char *ffsb_key_set(const struct ffsb_key *key, void *into, const char *value)
{
    char *field = (char *)into + key->offset;
    bool on = false;
    uint64_t size;
    const char *expected;

    switch (key->value) {
    case VALUE_NUMBER:
        return set_number((uint64_t *)(void *)field, value, key->max);
    case VALUE_WEIGHT:
        return set_number(&((struct ffsb_group *)into)->weights[key->offset], value, key->max);
    case VALUE_SIZE:
        return read_size(value, key->max, (uint64_t *)(void *)field) ? NULL : "a size within its limit";
    case VALUE_SWITCH:
        return set_switch((bool *)(void *)field, value);
    case VALUE_SHARE:
        return set_share((double *)(void *)field, value);
    case VALUE_TEXT:
        return set_text(field, value);
    case VALUE_SIZE_WEIGHT:
        return set_size_weight(into, value, key->max);
    case VALUE_NO_SWITCH:
        return set_switch(&on, value);
    case VALUE_NO_SIZE:
        return read_size(value, key->max, &size) ? NULL : "a size within its limit";
    case VALUE_NO_RANGE:
        return check_range(value);
    case VALUE_NO_TEXT:
        return *value ? NULL : "a name";
    case VALUE_REFUSED_SWITCH:
        expected = set_switch(&on, value);
        return expected || !on ? expected : key->why;
    case VALUE_REFUSED:
        return key->why;
    }
    return NULL;
}
