/* cvar(type=cvar-gamma,parameters=mean:131072;gamma:1.5,min=…,max=…,round=…) */
#include "filebench/parse.h"

#include <string.h>

static bool is(const struct wml_token *token, const char *word)
{
    return token->length == strlen(word) && !memcmp(token->text, word, token->length);
}

/* Read one number of a cvar, after its `=` or `:`. */
static bool law_number(struct wml_parser *parser, double *number)
{
    struct wml_value value = {.kind = WML_VALUE_TEXT};
    const struct wml_token token = parser->lexer.token;

    if (token.kind == WML_NUMBER || token.kind == WML_VARIABLE) { /* not a nested cvar */
        if (!wml_parse_number(parser, &value))
            return false;
    }
    if (value.kind != WML_VALUE_NUMBER)
        faults_add(parser->faults, token.line, "cvar: '%.*s' where a number is expected",
                   (int)(token.length < 60 ? token.length : 60), token.text);
    *number = value.number;
    return value.kind == WML_VALUE_NUMBER;
}

/* Read `mean:131072;gamma:1.5`. */
static bool law_parameters(struct wml_parser *parser, struct wml_law *law)
{
    do {
        double *number = wml_lex_is(&parser->lexer, "mean") ? &law->mean : &law->shape;

        if (number == &law->shape && !wml_lex_is(&parser->lexer, "gamma")) {
            wml_unexpected(parser, "mean or gamma");
            return false;
        }
        wml_lex_next(&parser->lexer);
        if (!wml_accept(parser, ':')) {
            wml_unexpected(parser, "':'");
            return false;
        }
        if (!law_number(parser, number))
            return false;
    } while (wml_accept(parser, ';'));
    return true;
}

static bool law_limit(struct wml_parser *parser, uint64_t *limit)
{
    double number;

    if (!law_number(parser, &number))
        return false;
    *limit = number < (double)WML_MAX_SIZE ? (uint64_t)number : WML_MAX_SIZE;
    return true;
}

static bool law_part(struct wml_parser *parser, struct wml_law *law)
{
    struct wml_token name = parser->lexer.token;

    if (name.kind != WML_WORD) {
        wml_unexpected(parser, "a property of cvar");
        return false;
    }
    wml_lex_next(&parser->lexer);
    if (!wml_accept(parser, '=')) {
        wml_unexpected(parser, "'='");
        return false;
    }
    if (is(&name, "type")) {
        if (!wml_lex_is(&parser->lexer, "cvar-gamma")) {
            wml_unexpected(parser, "cvar-gamma, the only type that is supported,");
            return false;
        }
        wml_lex_next(&parser->lexer);
        return true;
    }
    if (is(&name, "parameters"))
        return law_parameters(parser, law);
    if (is(&name, "min"))
        return law_limit(parser, &law->min);
    if (is(&name, "max"))
        return law_limit(parser, &law->max);
    if (is(&name, "round"))
        return law_limit(parser, &law->round);
    faults_add(parser->faults, name.line, "cvar: %.*s is not supported", (int)(name.length < 60 ? name.length : 60),
               name.text);
    return false;
}

bool wml_parse_law(struct wml_parser *parser, struct wml_law *law)
{
    unsigned line = parser->lexer.token.line;
    bool right = wml_accept(parser, '(');

    *law = (struct wml_law){.drawn = true, .max = WML_MAX_SIZE};
    if (!right)
        wml_unexpected(parser, "'('");
    while (right && (right = law_part(parser, law)) && wml_accept(parser, ','))
        ;
    if (right && !wml_lex_is_mark(&parser->lexer, ')')) {
        wml_unexpected(parser, "')'");
        right = false;
    }
    while (!right && parser->lexer.token.kind != WML_END && parser->lexer.token.line == line &&
           !wml_lex_is_mark(&parser->lexer, ')'))
        wml_lex_next(&parser->lexer);
    wml_accept(parser, ')');
    if (right && !(law->mean > 0 && law->shape >= 0.01 && law->shape <= 1e6 && law->min <= law->max)) {
        faults_add(parser->faults, line, "cvar-gamma needs a mean > 0, a gamma from 0.01 to 1000000, and min <= max");
        return false;
    }
    return right;
}
