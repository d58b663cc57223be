/* Option tables as --help and as JSON. */
#include "json.h"
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 28

/* The names that may be chosen, on lines of their own. */
static void print_choices(const char *const *choices)
{
    int column = 0;

    for (size_t i = 0; choices[i]; i++) {
        if (column == 0 || column + (int)strlen(choices[i]) > 80)
            column = printf("%s%*s", column ? "\n" : "", HELP_COLUMN, "");
        column += printf("%s%s", choices[i], choices[i + 1] ? "," : "");
    }
    putchar('\n');
}

void options_print_help(const struct option_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct option_spec *row = &table->rows[i];
        int length = printf("  --%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");

        printf("%*s%s\n", length < HELP_COLUMN ? HELP_COLUMN - length : 1, "", row->help);
        if (row->choices)
            print_choices(row->choices);
    }
}

static void print_list(const struct option_spec *row)
{
    putchar('[');
    for (size_t i = 0; i < row->list->count; i++) {
        if (i)
            putchar(',');
        if (row->kind == OPTION_SIZES)
            printf("%" PRIu64, row->list->at[i]);
        else
            json_string(stdout, row->choices[row->list->at[i]]);
    }
    putchar(']');
}

static void print_value(const struct option_spec *row)
{
    switch (row->kind) {
    case OPTION_FLAG:
        fputs(*row->flag ? "true" : "false", stdout);
        break;
    case OPTION_NUMBER:
    case OPTION_SIZE:
        printf("%" PRIu64, *row->number);
        break;
    case OPTION_REAL:
        printf("%.15g", *row->real);
        break;
    case OPTION_TEXT:
        if (*row->text)
            json_string(stdout, *row->text);
        else
            fputs("null", stdout);
        break;
    case OPTION_CHOICE:
        json_string(stdout, row->choices[*row->number]);
        break;
    case OPTION_SIZES:
    case OPTION_NAMES:
        print_list(row);
        break;
    }
}

void options_print_json(const struct option_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        char name[64];

        snprintf(name, sizeof name, "%s", table->rows[i].name);
        for (char *dash = strchr(name, '-'); dash; dash = strchr(dash, '-'))
            *dash = '_';
        if (i)
            putchar(',');
        json_string(stdout, name);
        putchar(':');
        print_value(&table->rows[i]);
    }
}
