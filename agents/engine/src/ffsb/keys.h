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
    /* Read, checked, and without any effect on what is measured. */
    VALUE_NO_SWITCH,
    VALUE_NO_SIZE,
    VALUE_NO_RANGE, /* two numbers, without `=` */
    VALUE_NO_TEXT,
    /* What cannot be honoured: a switch only where it is on. */
    VALUE_REFUSED_SWITCH,
    VALUE_REFUSED,
};

struct ffsb_key {
    const char *name;
    enum ffsb_value value;
    size_t offset; /* in the section's struct */
    uint64_t max;  /* of a number or size */
    const char *why; /* it is refused */
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
 * Set what `key = value` says in the struct that `into` points to, or complain: what was expected, else NULL. Both
 * texts are without spaces around them.
 */
const char *ffsb_key_set(const struct ffsb_key *key, void *into, const char *value);

/* Whether a key may stand more than once. */
bool ffsb_key_is_list(const struct ffsb_key *key);

/* The line of a key; 0 if the section does not have it. */
unsigned ffsb_key_line(const struct ffsb_keys *keys, const struct ffsb_section *section, const char *name);

#endif
