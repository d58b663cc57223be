#include "filebench/parse.h"

#include <stdlib.h>

#define DEFAULT_SECONDS 60U

static void skip_statement(struct wml_parser *parser)
{
    while (!parser->lexer.token.first && parser->lexer.token.kind != WML_END)
        wml_lex_next(&parser->lexer);
}

static void parse_set(struct wml_parser *parser)
{
    if (parser->lexer.token.kind == WML_VARIABLE) {
        wml_parse_variable(parser);
    } else if (wml_lex_is(&parser->lexer, "mode")) {
        wml_lex_next(&parser->lexer);
        if (wml_lex_is(&parser->lexer, "quit"))
            wml_lex_next(&parser->lexer);
        if (wml_lex_is(&parser->lexer, "alldone"))
            parser->wml->mode = WML_ALLDONE;
        else if (wml_lex_is(&parser->lexer, "firstdone"))
            parser->wml->mode = WML_FIRSTDONE;
        else if (!wml_lex_is(&parser->lexer, "timeout"))
            wml_unexpected(parser, "timeout, alldone or firstdone");
        wml_lex_next(&parser->lexer);
    } else {
        wml_unexpected(parser, "$variable or mode");
    }
}

/* Read the seconds, if any. */
static void parse_seconds(struct wml_parser *parser)
{
    const struct wml_token *token = &parser->lexer.token;
    struct wml_value value;
    unsigned line = token->line;

    if ((token->kind != WML_NUMBER && token->kind != WML_VARIABLE) || !wml_parse_value(parser, &value))
        return;
    if (value.kind != WML_VALUE_NUMBER || value.number > 1e9)
        faults_add(parser->faults, line, "the time to run is to be a number of seconds");
    else if (value.number > 0)
        parser->wml->seconds = (uint64_t)value.number;
}

static void parse_run(struct wml_parser *parser)
{
    if (parser->wml->runs)
        faults_add(parser->faults, parser->lexer.token.line, "a second run");
    parser->wml->runs = true;
    parse_seconds(parser);
}

/* Read `psrun PERIOD SECONDS`; the period of statistics, which may be negative, has no effect. */
static void parse_psrun(struct wml_parser *parser)
{
    struct wml_value period;

    if (!parser->lexer.token.first &&
        (parser->lexer.token.kind == WML_NUMBER || parser->lexer.token.kind == WML_VARIABLE ||
         *parser->lexer.token.text == '-'))
        wml_parse_value(parser, &period);
    parse_run(parser);
}

/* Read the rate; only 0 is supported, because other rates would limit the flowops. */
static void parse_eventgen(struct wml_parser *parser)
{
    uint64_t rate = 0;
    const struct wml_attribute row = {"rate", WML_ATTRIBUTE_OFF, 0, 0, 0};
    const struct wml_attributes attributes = {"eventgen", &row, 1};

    wml_parse_attributes(parser, &attributes, &rate);
}

/* Skip `create`: filesets are always made before the run. */
static void parse_create(struct wml_parser *parser)
{
    if (!wml_lex_is(&parser->lexer, "files") && !wml_lex_is(&parser->lexer, "fileset") &&
        !wml_lex_is(&parser->lexer, "filesets") && !wml_lex_is(&parser->lexer, "file"))
        wml_unexpected(parser, "files or filesets");
    wml_lex_next(&parser->lexer);
}

/* Skip `enable lathist`: every flowop has its histogram. */
static void parse_enable(struct wml_parser *parser)
{
    if (!wml_lex_is(&parser->lexer, "lathist"))
        wml_unexpected(parser, "lathist, the only thing that is supported,");
    wml_lex_next(&parser->lexer);
}

static void parse_nothing(struct wml_parser *parser)
{
    skip_statement(parser);
}

static void parse_end(struct wml_parser *parser)
{
    while (parser->lexer.token.kind != WML_END)
        wml_lex_next(&parser->lexer);
}

static const struct {
    const char *word;
    void (*parse)(struct wml_parser *parser);
} statements[] = {
    {"set", parse_set},         {"define", wml_parse_definition}, {"run", parse_run},
    {"psrun", parse_psrun},     {"eventgen", parse_eventgen},     {"create", parse_create},
    {"enable", parse_enable},   {"disable", parse_enable},        {"echo", parse_nothing},
    {"usage", parse_nothing},   {"debug", parse_nothing},         {"version", parse_nothing},
    {"vars", parse_nothing},    {"list", parse_nothing},          {"nousestats", parse_nothing},
    {"quit", parse_end},        {"exit", parse_end},              {"shutdown", parse_end},
};

#define STATEMENTS (sizeof statements / sizeof statements[0])

static size_t find_statement(const struct wml_lexer *lexer)
{
    size_t i = 0;

    while (i < STATEMENTS && !wml_lex_is(lexer, statements[i].word))
        i++;
    return i;
}

static void parse_statement(struct wml_parser *parser)
{
    const struct wml_token word = parser->lexer.token;
    size_t found = find_statement(&parser->lexer);

    if (found < STATEMENTS) {
        wml_lex_next(&parser->lexer);
        statements[found].parse(parser);
        return;
    }
    if (word.kind == WML_WORD)
        faults_add(parser->faults, word.line, "statement %.*s is not supported",
                   (int)(word.length < 60 ? word.length : 60), word.text);
    else
        wml_unexpected(parser, "a statement");
    wml_lex_next(&parser->lexer);
    skip_statement(parser);
}

static void parse(const char *text, struct wml *wml, struct faults *faults)
{
    static struct wml_parser parser; /* too large for a stack */

    parser = (struct wml_parser){.wml = wml, .faults = faults};
    wml_lex_start(&parser.lexer, text);
    while (parser.lexer.token.kind != WML_END) {
        parse_statement(&parser);
        if (!parser.lexer.token.first && parser.lexer.token.kind != WML_END &&
            find_statement(&parser.lexer) == STATEMENTS) {
            wml_unexpected(&parser, "a new line");
            skip_statement(&parser);
        }
    }
}

bool wml_read(const char *path, struct wml *wml)
{
    struct faults faults = {.path = path};
    char *text = text_read(path);

    if (!text)
        return false;
    *wml = (struct wml){.seconds = DEFAULT_SECONDS};
    parse(text, wml, &faults);
    free(text);
    wml_check(wml, &faults);
    return faults_none(&faults);
}
