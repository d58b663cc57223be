#include "filebench/parse.h"

#include <stdio.h>
#include <string.h>

void wml_unexpected(struct wml_parser *parser, const char *expected)
{
    const struct wml_token *token = &parser->lexer.token;

    if (token->kind == WML_END)
        faults_add(parser->faults, token->line, "the file ends where %s is expected", expected);
    else if (token->kind == WML_UNCLOSED)
        faults_add(parser->faults, token->line, "a quote that is not closed");
    else
        faults_add(parser->faults, token->line, "'%.*s' where %s is expected",
                   (int)(token->length < 60 ? token->length : 60), token->text, expected);
}

bool wml_accept(struct wml_parser *parser, char mark)
{
    bool found = wml_lex_is_mark(&parser->lexer, mark);

    if (found)
        wml_lex_next(&parser->lexer);
    return found;
}

static struct wml_variable *find_variable(struct wml_parser *parser, const char *name, size_t length)
{
    for (unsigned i = 0; i < parser->variable_count; i++)
        if (strlen(parser->variables[i].name) == length && !memcmp(parser->variables[i].name, name, length))
            return &parser->variables[i];
    return NULL;
}

static const struct wml_value *use_variable(struct wml_parser *parser, const char *name, size_t length)
{
    unsigned line = parser->lexer.token.line;
    struct wml_variable *variable = find_variable(parser, name, length);

    if (!variable) {
        faults_add(parser->faults, line, "$%.*s is not set", (int)(length < 60 ? length : 60), name);
        return NULL;
    }
    variable->used = variable->used ? variable->used : line;
    return &variable->value;
}

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

/* A string between quotes, with the variables in it. */
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
            const struct wml_value *value = use_variable(parser, name, length);

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

static bool copy_variable(struct wml_parser *parser, struct wml_value *value)
{
    const struct wml_token *token = &parser->lexer.token;
    const struct wml_value *found = use_variable(parser, token->text, token->length);

    if (found)
        *value = *found;
    return found != NULL;
}

bool wml_parse_value(struct wml_parser *parser, struct wml_value *value)
{
    const struct wml_token *token = &parser->lexer.token;
    bool right = true;

    *value = (struct wml_value){.kind = WML_VALUE_TEXT};
    if (token->first) { /* rather a forgotten value than one on the next line, which begins a statement */
        wml_unexpected(parser, "a value");
        return false;
    }
    if (token->kind == WML_NUMBER) {
        value->kind = WML_VALUE_NUMBER;
        value->number = token->number;
    } else if (token->kind == WML_STRING) {
        right = expand(parser, value->text);
    } else if (token->kind == WML_VARIABLE) {
        right = copy_variable(parser, value);
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

/* A variable may not change once it was used: Filebench looks at some of them only later, when the workload runs. */
static void store(struct wml_parser *parser, const struct wml_token *name, const struct wml_value *value)
{
    struct wml_variable *variable = find_variable(parser, name->text, name->length);

    if (name->length >= WML_NAME_SIZE) {
        faults_add(parser->faults, name->line, "a variable's name is longer than %u characters", WML_NAME_SIZE - 1);
        return;
    }
    if (variable && variable->used)
        faults_add(parser->faults, name->line, "$%s is set again after line %u used it", variable->name,
                   variable->used);
    if (!variable && parser->variable_count == WML_MAX_VARIABLES) {
        faults_add(parser->faults, name->line, "more than %u variables", WML_MAX_VARIABLES);
        return;
    }
    if (!variable) {
        variable = &parser->variables[parser->variable_count++];
        memcpy(variable->name, name->text, name->length);
        variable->name[name->length] = 0;
    }
    variable->value = *value;
    variable->line = name->line;
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
    store(parser, &name, &value); /* even where the value is wrong, so that its users are not blamed too */
}
