#include "filebench/lex.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._-/", c));
}

static void skip_space(struct wml_lexer *lexer, bool *first)
{
    for (;; lexer->at++) {
        if (*lexer->at == '#')
            lexer->at += strcspn(lexer->at, "\n");
        if (*lexer->at == '\n') {
            lexer->line++;
            *first = true;
        } else if (!isspace((unsigned char)*lexer->at)) {
            return;
        }
    }
}

/* Read up to the closing quote; a backslash escapes the next character. */
static void lex_string(struct wml_lexer *lexer)
{
    const char *at = lexer->at + 1;

    lexer->token.text = at;
    while (*at && *at != '"') {
        at += *at == '\\' && at[1];
        lexer->line += *at == '\n';
        at++;
    }
    lexer->token.kind = *at ? WML_STRING : WML_UNCLOSED;
    lexer->token.length = (size_t)(at - lexer->token.text);
    lexer->at = at + (*at != 0);
}

size_t wml_lex_variable(const char *after_dollar, const char **name, const char **after)
{
    char close = *after_dollar == '{' ? '}' : *after_dollar == '(' ? ')' : 0;
    size_t length = 0;

    *name = after_dollar + (close != 0);
    while (isalnum((unsigned char)(*name)[length]) || (*name)[length] == '_')
        length++;
    *after = *name + length;
    if (close)
        length = **after == close ? length : 0;
    *after += close && length;
    return length;
}

static double unit(char suffix)
{
    switch (tolower((unsigned char)suffix)) {
    case 'k':
        return 0x1p10;
    case 'm':
        return 0x1p20;
    case 'g':
        return 0x1p30;
    case 't':
        return 0x1p40;
    default:
        return 0;
    }
}

/* Read digits with an optional fraction and suffix; no character of a word may follow. */
static void lex_number(struct wml_lexer *lexer)
{
    double place = 0.1;
    double number = 0;

    for (; isdigit((unsigned char)*lexer->at); lexer->at++)
        number = number * 10 + (*lexer->at - '0');
    if (*lexer->at == '.')
        for (lexer->at++; isdigit((unsigned char)*lexer->at); lexer->at++, place /= 10)
            number += (*lexer->at - '0') * place;
    if (unit(*lexer->at) > 0)
        number *= unit(*lexer->at++);
    lexer->token.kind = in_word(*lexer->at) ? WML_BAD : WML_NUMBER;
    while (in_word(*lexer->at))
        lexer->at++;
    lexer->token.number = number;
    lexer->token.length = (size_t)(lexer->at - lexer->token.text);
}

void wml_lex_next(struct wml_lexer *lexer)
{
    struct wml_token *token = &lexer->token;
    bool first = false;

    skip_space(lexer, &first);
    *token = (struct wml_token){.line = lexer->line, .first = first, .text = lexer->at};
    if (!*lexer->at) {
        token->kind = WML_END;
    } else if (*lexer->at == '"') {
        lex_string(lexer);
    } else if (*lexer->at == '$') {
        token->length = wml_lex_variable(lexer->at + 1, &token->text, &lexer->at);
        token->kind = token->length ? WML_VARIABLE : WML_BAD;
    } else if (isdigit((unsigned char)*lexer->at)) {
        lex_number(lexer);
    } else if (in_word(*lexer->at)) {
        token->kind = WML_WORD;
        while (in_word(*lexer->at))
            lexer->at++;
        token->length = (size_t)(lexer->at - token->text);
    } else {
        token->kind = strchr("{}()=,:;", *lexer->at) ? WML_MARK : WML_BAD;
        token->length = 1;
        lexer->at++;
    }
}

void wml_lex_start(struct wml_lexer *lexer, const char *text)
{
    *lexer = (struct wml_lexer){.at = text, .line = 1};
    wml_lex_next(lexer);
    lexer->token.first = true;
}

bool wml_lex_is(const struct wml_lexer *lexer, const char *word)
{
    const struct wml_token *token = &lexer->token;

    return token->kind == WML_WORD && token->length == strlen(word) && !strncasecmp(token->text, word, token->length);
}

bool wml_lex_is_mark(const struct wml_lexer *lexer, char mark)
{
    return lexer->token.kind == WML_MARK && *lexer->token.text == mark;
}
