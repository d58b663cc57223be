/* The keys of each kind of section, as tables. */
#ifndef FSLOAD_FFSB_KEYS_H
#define FSLOAD_FFSB_KEYS_H

#include "ffsb/profile.h"

#include <stddef.h>

enum ffsb_value {
    VALUE_NUMBER,
    VALUE_SIZE,       /* 4096, 4k, 4KB */
    VALUE_SWITCH,     /* 0 or 1 */
    VALUE_SHARE,      /* 0 … 1 */
    VALUE_TEXT,
    VALUE_WEIGHT,     /* of an operation */
    VALUE_SIZE_WEIGHT, /* a size and a weight, without `=` */
    /* Read and checked, but without effect on the measurement. */
    VALUE_NO_SWITCH,
    VALUE_NO_SIZE,
    VALUE_NO_RANGE, /* two numbers, without `=` */
    VALUE_NO_TEXT,
    /* Not supported; a switch is refused only if it is on. */
    VALUE_REFUSED_SWITCH,
    VALUE_REFUSED,
};

struct ffsb_key {
    const char *name;
    enum ffsb_value value;
    size_t offset; /* in the section's struct */
    uint64_t max;  /* of a number or size */
    const char *why; /* the key is refused */
};

struct ffsb_keys {
    const struct ffsb_key *rows;
    unsigned count;
};

extern const struct ffsb_keys ffsb_global_keys;
extern const struct ffsb_keys ffsb_filesystem_keys;
extern const struct ffsb_keys ffsb_group_keys;
extern const struct ffsb_keys ffsb_stats_keys;

/*
 * Set the field for `key = value` in the struct at `into`. NULL, or a text that says what was expected. The value has
 * no spaces around it.
 */
const char *ffsb_key_set(const struct ffsb_key *key, void *into, const char *value);

/* Whether a key may occur more than once. */
bool ffsb_key_is_list(const struct ffsb_key *key);

/* The line of a key; 0 if the section does not have it. */
unsigned ffsb_key_line(const struct ffsb_keys *keys, const struct ffsb_section *section, const char *name);

#endif
