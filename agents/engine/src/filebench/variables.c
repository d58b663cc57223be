/* The variables of a WML file. */
#include "filebench/parse.h"

#include <string.h>

static struct wml_variable *find_variable(struct wml_parser *parser, const char *name, size_t length)
{
    for (unsigned i = 0; i < parser->variable_count; i++)
        if (strlen(parser->variables[i].name) == length && !memcmp(parser->variables[i].name, name, length))
            return &parser->variables[i];
    return NULL;
}

const struct wml_value *wml_use_variable(struct wml_parser *parser, const char *name, size_t length)
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

/* A variable must not change after its first use, because Filebench reads some variables only during the run. */
void wml_set_variable(struct wml_parser *parser, const struct wml_token *name, const struct wml_value *value)
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
