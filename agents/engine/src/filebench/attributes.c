#include "filebench/parse.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct wml_attribute *find(const struct wml_attributes *attributes, const struct wml_lexer *lexer)
{
    for (size_t i = 0; i < attributes->count; i++)
        if (wml_lex_is(lexer, attributes->rows[i].name))
            return &attributes->rows[i];
    return NULL;
}

/* Whether a text is a valid name; names become file names and parts of result lines. */
static bool is_name(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isprint((unsigned char)*at) || strchr("/\\\"", *at))
            return false;
    return *text && strlen(text) < WML_NAME_SIZE && strcmp(text, ".") && strcmp(text, "..");
}

static bool is_whole(const struct wml_value *value, uint64_t min, uint64_t max)
{
    return value->kind == WML_VALUE_NUMBER && value->number >= (double)min && value->number <= (double)max &&
           value->number == (double)(uint64_t)value->number;
}

static bool is_off(const struct wml_value *value)
{
    return value && ((value->kind == WML_VALUE_NUMBER && value->number == 0) ||
                     (value->kind == WML_VALUE_TRUTH && !value->truth));
}

/* Store a value (NULL: none is given) in its field. NULL, or what was expected if the value does not fit. */
static const char *put(const struct wml_attribute *attribute, const struct wml_value *value, void *into,
                       char expected[80])
{
    char *place = (char *)into + attribute->offset;
    uint64_t number = 100;

    switch (attribute->kind) {
    case WML_ATTRIBUTE_ANY:
        return NULL;
    case WML_ATTRIBUTE_OFF:
        return is_off(value) ? NULL : "nothing but 0 or false: it is not supported";
    case WML_ATTRIBUTE_FLAG:
        if (value && value->kind != WML_VALUE_TRUTH && !is_whole(value, 0, 1))
            return "true or false";
        *(bool *)place = !is_off(value);
        return NULL;
    case WML_ATTRIBUTE_NUMBER:
        snprintf(expected, 80, "a whole number from %" PRIu64 " to %" PRIu64, attribute->min, attribute->max);
        if (!value || !is_whole(value, attribute->min, attribute->max))
            return expected;
        number = (uint64_t)value->number;
        memcpy(place, &number, sizeof number);
        return NULL;
    case WML_ATTRIBUTE_PERCENT:
        if (value && value->kind != WML_VALUE_TRUTH && !is_whole(value, 0, 100))
            return "a percentage";
        if (value)
            number = value->kind == WML_VALUE_NUMBER ? (uint64_t)value->number : value->truth ? 100 : 0;
        memcpy(place, &number, sizeof number);
        return NULL;
    case WML_ATTRIBUTE_NAME:
        if (!value || value->kind != WML_VALUE_TEXT || !is_name(value->text))
            return "a file name of at most 64 characters";
        memcpy(place, value->text, strlen(value->text) + 1);
        return NULL;
    case WML_ATTRIBUTE_PATH:
        if (!value || value->kind != WML_VALUE_TEXT)
            return "a path";
        memcpy(place, value->text, sizeof value->text);
        return NULL;
    case WML_ATTRIBUTE_LAW:
        if (!value || (value->kind != WML_VALUE_LAW && !is_whole(value, 0, WML_MAX_SIZE)))
            return "a size or cvar(…)";
        *(struct wml_law *)(void *)place = value->kind == WML_VALUE_LAW
                                               ? value->law
                                               : (struct wml_law){.fixed = (uint64_t)value->number};
        return NULL;
    }
    return NULL;
}

/* Skip a value: a word and any text in parentheses after it. */
static void skip_value(struct wml_parser *parser)
{
    if (parser->lexer.token.first)
        return;
    wml_lex_next(&parser->lexer);
    if (!wml_accept(parser, '('))
        return;
    while (!parser->lexer.token.first && parser->lexer.token.kind != WML_END && !wml_accept(parser, ')'))
        wml_lex_next(&parser->lexer);
}

static void parse_attribute(struct wml_parser *parser, const struct wml_attributes *attributes, void *into)
{
    const struct wml_attribute *row = attributes ? find(attributes, &parser->lexer) : NULL;
    struct wml_token name = parser->lexer.token;
    struct wml_value value;
    const char *expected;
    char text[80];
    bool given;

    if (name.kind != WML_WORD) {
        wml_unexpected(parser, "an attribute");
        return;
    }
    if (attributes && !row)
        faults_add(parser->faults, name.line, "%s: attribute %.*s is not supported", attributes->statement,
                   (int)(name.length < 60 ? name.length : 60), name.text);
    wml_lex_next(&parser->lexer);
    given = wml_accept(parser, '=');
    if (!row) {
        if (given)
            skip_value(parser);
        return;
    }
    if (given && !wml_parse_value(parser, &value))
        return;
    expected = put(row, given ? &value : NULL, into, text);
    if (expected)
        faults_add(parser->faults, name.line, "%s: %s is to be %s", attributes->statement, row->name, expected);
}

void wml_parse_attributes(struct wml_parser *parser, const struct wml_attributes *attributes, void *into)
{
    do
        parse_attribute(parser, attributes, into);
    while (wml_accept(parser, ','));
}
