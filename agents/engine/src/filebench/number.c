/* Reads tokens, and the values that a law may have: numbers and variables. */
#include "filebench/parse.h"

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

static bool copy_variable(struct wml_parser *parser, struct wml_value *value)
{
    const struct wml_token *token = &parser->lexer.token;
    const struct wml_value *found = wml_use_variable(parser, token->text, token->length);

    if (found)
        *value = *found;
    return found != NULL;
}

bool wml_parse_number(struct wml_parser *parser, struct wml_value *value)
{
    const struct wml_token *token = &parser->lexer.token;
    bool right = true;

    *value = (struct wml_value){.kind = WML_VALUE_TEXT};
    if (token->first) { /* a missing value is more likely than one on the next line, where a statement begins */
        wml_unexpected(parser, "a value");
        return false;
    }
    if (token->kind == WML_NUMBER) {
        value->kind = WML_VALUE_NUMBER;
        value->number = token->number;
    } else {
        right = copy_variable(parser, value);
    }
    wml_lex_next(&parser->lexer);
    return right;
}
