#include "options.h"

#include "json.h"
#include "size.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 64U

bool options_complain(const char *what, const char *value)
{
    fprintf(stderr, "fsload: %s: %s\n", what, value);
    return false;
}

/* Print the fault of an option's value: "--threads: not a number from 1 to 1024: 0". */
static bool wrong(const struct option_spec *row, const char *expected, const char *value)
{
    fprintf(stderr, "fsload: --%s: not %s: %s\n", row->name, expected, value);
    return false;
}

/* The next word of a comma-separated list; moves *list behind it. NULL at the end. */
static const char *next_word(const char **list, size_t *length)
{
    const char *word = *list;

    if (!word)
        return NULL;
    *length = strcspn(word, ",");
    *list = word[*length] ? word + *length + 1 : NULL;
    return word;
}

static bool find_choice(const char *const *choices, const char *word, size_t length, uint64_t *index)
{
    for (*index = 0; choices[*index]; ++*index)
        if (strlen(choices[*index]) == length && !memcmp(choices[*index], word, length))
            return true;
    return false;
}

static bool set_number(const struct option_spec *row, const char *value)
{
    char expected[80];

    if (number_parse(value, strlen(value), row->max, row->number) && *row->number >= row->min)
        return true;
    snprintf(expected, sizeof expected, "a whole number from %" PRIu64 " to %" PRIu64, row->min, row->max);
    return wrong(row, expected, value);
}

static bool set_real(const struct option_spec *row, const char *value)
{
    char expected[80];
    char *end;

    *row->real = strtod(value, &end);
    if (end != value && !*end && isfinite(*row->real) && *row->real >= (double)row->min &&
        *row->real <= (double)row->max)
        return true;
    snprintf(expected, sizeof expected, "a number from %" PRIu64 " to %" PRIu64, row->min, row->max);
    return wrong(row, expected, value);
}

static bool size_fits(const struct option_spec *row, const char *word, size_t length, uint64_t *size)
{
    return size_parse(word, length, size) && *size >= row->min && (!row->max || *size <= row->max);
}

/* One word of a list: a size in bytes, or the index of a choice. */
static bool list_item(const struct option_spec *row, const char *word, size_t length, uint64_t *item)
{
    return row->kind == OPTION_SIZES ? size_fits(row, word, length, item)
                                     : find_choice(row->choices, word, length, item);
}

static bool set_list(const struct option_spec *row, const char *value)
{
    const bool sizes = row->kind == OPTION_SIZES;
    struct list *list = row->list;
    const char *rest = value;
    const char *word;
    size_t length;
    uint64_t item;

    list->count = 0;
    while ((word = next_word(&rest, &length))) {
        if (!list_item(row, word, length, &item))
            return wrong(row, sizes ? "a list of sizes" : "a list of the names that --help shows", value);
        if (list->count == MAX_LIST)
            return wrong(row, "a list of up to 64 sizes", value); /* no table has that many names */
        for (size_t i = 0; i < list->count; i++)
            if (list->at[i] == item)
                return wrong(row, sizes ? "a list with each size once" : "a list with each name once", value);
        list->at[list->count++] = item;
    }
    return true;
}

static bool set_choice(const struct option_spec *row, const char *value)
{
    uint64_t index;

    if (!find_choice(row->choices, value, strlen(value), &index))
        return wrong(row, "one of the words that --help shows", value);
    *row->number = index;
    return true;
}

static bool set(const struct option_spec *row, const char *value)
{
    switch (row->kind) {
    case OPTION_FLAG:
        *row->flag = true;
        return true;
    case OPTION_NUMBER:
        return set_number(row, value);
    case OPTION_REAL:
        return set_real(row, value);
    case OPTION_SIZE:
        return size_fits(row, value, strlen(value), row->number) || wrong(row, "a size within its limits", value);
    case OPTION_SIZES:
    case OPTION_NAMES:
        return set_list(row, value);
    case OPTION_TEXT:
        *row->text = value;
        return *value || wrong(row, "something", "it is empty");
    case OPTION_CHOICE:
        return set_choice(row, value);
    }
    return false;
}

/* The rows and getopt's table in the same order; getopt returns 256 + the row's number. */
struct all {
    const struct option_spec *rows[MAX_ROWS];
    struct option options[MAX_ROWS + 2];
    bool given[MAX_ROWS];
    size_t count;
};

static void collect(struct all *all, const struct option_table *tables, size_t count)
{
    *all = (struct all){0};
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < tables[t].count && all->count < MAX_ROWS; i++) {
            const struct option_spec *row = &tables[t].rows[i];
            int argument = row->kind == OPTION_FLAG ? no_argument : required_argument;

            all->options[all->count] = (struct option){row->name, argument, NULL, 256 + (int)all->count};
            all->rows[all->count++] = row;
        }
    }
    all->options[all->count] = (struct option){"help", no_argument, NULL, 'h'};
}

enum parsed options_parse(const struct option_table *tables, size_t count, int argc, char **argv, int *rest)
{
    struct all all;
    bool right = true;
    int option;

    collect(&all, tables, count);
    optind = 1;
    while ((option = getopt_long(argc, argv, "h", all.options, NULL)) != -1) {
        if (option == 'h')
            return PARSED_HELP;
        if (option == '?') {
            right = false; /* getopt has printed the fault */
            continue;
        }
        all.given[option - 256] = true;
        right = set(all.rows[option - 256], optarg) && right;
    }
    for (size_t i = 0; i < all.count; i++)
        if (all.rows[i]->required && !all.given[i]) {
            fprintf(stderr, "fsload: missing: --%s\n", all.rows[i]->name);
            right = false;
        }
    *rest = optind;
    return right ? PARSED_OPTIONS : PARSED_ERROR;
}
