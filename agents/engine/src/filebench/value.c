/* Reads the values of attributes and variables. */
#include "filebench/parse.h"

#include <stdio.h>
#include <string.h>

static bool append(char *text, size_t *used, const char *more, size_t length)
{
    if (*used + length >= WML_PATH_SIZE)
        return false;
    memcpy(text + *used, more, length);
    *used += length;
    text[*used] = 0;
    return true;
}

static bool append_variable(char *text, size_t *used, const struct wml_value *value)
{
    char number[32];

    switch (value->kind) {
    case WML_VALUE_TEXT:
        return append(text, used, value->text, strlen(value->text));
    case WML_VALUE_NUMBER:
        return append(text, used, number, (size_t)snprintf(number, sizeof number, "%.15g", value->number));
    case WML_VALUE_TRUTH:
        return append(text, used, value->truth ? "true" : "false", value->truth ? 4 : 5);
    case WML_VALUE_LAW:
        break;
    }
    return false;
}

/* Read a string between quotes, and replace the variables in it. */
static bool expand(struct wml_parser *parser, char *text)
{
    const struct wml_token *token = &parser->lexer.token;
    const char *end = token->text + token->length;
    size_t used = 0;
    bool fits = true;

    text[0] = 0;
    for (const char *at = token->text; at < end && fits;) {
        const char *name;
        const char *after;
        size_t length = *at == '$' ? wml_lex_variable(at + 1, &name, &after) : 0;

        if (length) {
            const struct wml_value *value = wml_use_variable(parser, name, length);

            if (!value)
                return false;
            fits = append_variable(text, &used, value);
            at = after;
        } else {
            at += *at == '\\' && at + 1 < end;
            fits = append(text, &used, at++, 1);
        }
    }
    if (!fits)
        faults_add(parser->faults, token->line, "a text that is longer than %u characters", WML_PATH_SIZE - 1);
    return fits;
}

static bool copy_word(struct wml_parser *parser, char *text)
{
    const struct wml_token *token = &parser->lexer.token;
    size_t used = 0;

    if (append(text, &used, token->text, token->length))
        return true;
    faults_add(parser->faults, token->line, "a word that is longer than %u characters", WML_PATH_SIZE - 1);
    return false;
}

bool wml_parse_value(struct wml_parser *parser, struct wml_value *value)
{
    const struct wml_token *token = &parser->lexer.token;
    bool right = true;

    if (token->kind == WML_NUMBER || token->kind == WML_VARIABLE)
        return wml_parse_number(parser, value);
    *value = (struct wml_value){.kind = WML_VALUE_TEXT};
    if (token->first) { /* a missing value is more likely than one on the next line, where a statement begins */
        wml_unexpected(parser, "a value");
        return false;
    }
    if (token->kind == WML_STRING) {
        right = expand(parser, value->text);
    } else if (wml_lex_is(&parser->lexer, "true") || wml_lex_is(&parser->lexer, "false")) {
        value->kind = WML_VALUE_TRUTH;
        value->truth = wml_lex_is(&parser->lexer, "true");
    } else if (wml_lex_is(&parser->lexer, "cvar")) {
        value->kind = WML_VALUE_LAW;
        wml_lex_next(&parser->lexer);
        return wml_parse_law(parser, &value->law);
    } else if (token->kind == WML_WORD) {
        right = copy_word(parser, value->text);
    } else {
        wml_unexpected(parser, "a value");
        right = false;
    }
    wml_lex_next(&parser->lexer);
    return right;
}

void wml_parse_variable(struct wml_parser *parser)
{
    struct wml_token name = parser->lexer.token;
    struct wml_value value = {.kind = WML_VALUE_NUMBER};

    wml_lex_next(&parser->lexer);
    if (!wml_accept(parser, '='))
        wml_unexpected(parser, "'='");
    else
        wml_parse_value(parser, &value);
    wml_set_variable(parser, &name, &value); /* even if the value is wrong, so that its uses are not faults too */
}
