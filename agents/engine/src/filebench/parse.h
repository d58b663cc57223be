/* The parts of the parser: values and variables, lists of attributes, statements. */
#ifndef FSLOAD_FILEBENCH_PARSE_H
#define FSLOAD_FILEBENCH_PARSE_H

#include "filebench/lex.h"
#include "filebench/wml.h"

#include <stddef.h>

#define WML_MAX_VARIABLES 128U

enum wml_value_kind { WML_VALUE_NUMBER, WML_VALUE_TEXT, WML_VALUE_TRUTH, WML_VALUE_LAW };

struct wml_value {
    enum wml_value_kind kind;
    double number;
    bool truth;
    struct wml_law law;
    char text[WML_PATH_SIZE];
};

struct wml_variable {
    char name[WML_NAME_SIZE];
    struct wml_value value;
    unsigned line; /* of `set` */
    unsigned used; /* the first line that used it; 0: none */
};

struct wml_parser {
    struct wml_lexer lexer;
    struct wml *wml;
    struct faults *faults;
    struct wml_variable variables[WML_MAX_VARIABLES];
    unsigned variable_count;
};

/* Report that the current token is not the expected one. */
void wml_unexpected(struct wml_parser *parser, const char *expected);

/* Skip the current token if it is this mark. */
bool wml_accept(struct wml_parser *parser, char mark);

/* The value of a variable; notes that this line uses it. NULL, with a fault, if the variable is not set. */
const struct wml_value *wml_use_variable(struct wml_parser *parser, const char *name, size_t length);

/* Give a variable a value. */
void wml_set_variable(struct wml_parser *parser, const struct wml_token *name, const struct wml_value *value);

/* Read and skip a number or a variable with a number. False, with a fault, if there is none. */
bool wml_parse_number(struct wml_parser *parser, struct wml_value *value);

/* Read and skip a value of any kind. False, with a fault, if there is none on this line. */
bool wml_parse_value(struct wml_parser *parser, struct wml_value *value);

/* Read and skip `(type=cvar-gamma,…)`, after the word cvar. False, with a fault, if it is wrong. */
bool wml_parse_law(struct wml_parser *parser, struct wml_law *law);

/* Read `set $name = value`, from the variable on. */
void wml_parse_variable(struct wml_parser *parser);

/* The kind of a statement's attribute, with the type of its field. */
enum wml_attribute_kind {
    WML_ATTRIBUTE_NUMBER,  /* uint64_t from min to max */
    WML_ATTRIBUTE_NAME,    /* char[WML_NAME_SIZE]: a file name */
    WML_ATTRIBUTE_PATH,    /* char[WML_PATH_SIZE] */
    WML_ATTRIBUTE_FLAG,    /* bool; without a value it is set */
    WML_ATTRIBUTE_PERCENT, /* uint64_t; without a value it is 100 */
    WML_ATTRIBUTE_LAW,     /* struct wml_law */
    WML_ATTRIBUTE_ANY,     /* ignored, whatever its value */
    WML_ATTRIBUTE_OFF,     /* not supported, but may be 0 or false */
};

struct wml_attribute {
    const char *name;
    enum wml_attribute_kind kind;
    size_t offset;
    uint64_t min;
    uint64_t max;
};

struct wml_attributes {
    const char *statement; /* for messages: "define fileset" */
    const struct wml_attribute *rows;
    size_t count;
};

/* Read `name=value, …` into a struct. Without a table, skip everything without storing or checking it. */
void wml_parse_attributes(struct wml_parser *parser, const struct wml_attributes *attributes, void *into);

/* Read `define …`, from the word after it on. */
void wml_parse_definition(struct wml_parser *parser);

#endif
