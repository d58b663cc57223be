/* The words of a WML text. An end of line counts as a space, but statements begin only at the start of a line. */
#ifndef FSLOAD_FILEBENCH_LEX_H
#define FSLOAD_FILEBENCH_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wml_token_kind { WML_WORD, WML_NUMBER, WML_STRING, WML_VARIABLE, WML_MARK, WML_BAD, WML_UNCLOSED, WML_END };

struct wml_token {
    enum wml_token_kind kind;
    unsigned line;
    bool first;       /* of its line */
    const char *text; /* without the quotes or the $ */
    size_t length;
    double number; /* of WML_NUMBER, in bytes if it has a suffix */
};

struct wml_lexer {
    const char *at;
    unsigned line;
    struct wml_token token; /* the current one */
};

/* Begin with the first token. The text ends with a NUL and must stay in memory. */
void wml_lex_start(struct wml_lexer *lexer, const char *text);
void wml_lex_next(struct wml_lexer *lexer);

/* Whether the current token is this word, in upper or lower case, or this mark. */
bool wml_lex_is(const struct wml_lexer *lexer, const char *word);
bool wml_lex_is_mark(const struct wml_lexer *lexer, char mark);

/* The length of the variable's name after a $; *name is its start, *after the text behind it. */
size_t wml_lex_variable(const char *after_dollar, const char **name, const char **after);

#endif
