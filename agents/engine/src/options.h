/* Tables of options, for parsing the command line, for --help and for the parameters in the header line. */
#ifndef FSLOAD_OPTIONS_H
#define FSLOAD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_LIST 64U

enum option_kind {
    OPTION_FLAG,   /* no value */
    OPTION_NUMBER, /* a whole number from min to max */
    OPTION_REAL,   /* a number with a fraction, from min to max */
    OPTION_SIZE,   /* bytes: 4096, 4K, 1G */
    OPTION_SIZES,  /* several, separated by commas, each once */
    OPTION_TEXT,   /* anything that is not empty */
    OPTION_CHOICE, /* one of `choices`: its index is kept in `number` */
    OPTION_NAMES,  /* several of `choices`, separated by commas, each once */
};

/* Sizes in bytes, or indices of names in the table of choices. */
struct list {
    uint64_t at[MAX_LIST];
    size_t count;
};

/* One row. Only the pointer that belongs to the kind is set; it points to the default value. */
struct option_spec {
    const char *name;
    enum option_kind kind;
    bool *flag;
    uint64_t *number; /* NUMBER, SIZE, CHOICE */
    double *real;
    const char **text;
    struct list *list; /* SIZES, NAMES */
    uint64_t min; /* NUMBER, SIZE, SIZES, REAL */
    uint64_t max;
    const char *const *choices; /* ends with NULL */
    const char *value;          /* the name of the value in --help */
    const char *help;
    bool required;
};

struct option_table {
    const struct option_spec *rows;
    size_t count;
};

enum parsed { PARSED_OPTIONS, PARSED_HELP, PARSED_ERROR };

/*
 * Parse argv[1 …] by several tables, and print all faults on stderr. Words that are not options are in argv from *rest
 * on. PARSED_HELP if --help is among the options; the others are then ignored.
 */
enum parsed options_parse(const struct option_table *tables, size_t count, int argc, char **argv, int *rest);

/* The lines of --help. */
void options_print_help(const struct option_table *table);

/* `"name":value,…`, without braces, on stdout. */
void options_print_json(const struct option_table *table);

/* Print a fault on stderr. Returns false, so that a check can return it. */
bool options_complain(const char *what, const char *value);

#endif
