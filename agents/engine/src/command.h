/* The commands, one row each. To add one, write its struct and add it to the table in command.c. */
#ifndef FSLOAD_COMMAND_H
#define FSLOAD_COMMAND_H

#include "options.h"
#include "session.h"

struct command {
    const char *name;
    const char *summary;       /* a line of --help */
    const char *argument_name; /* of the word after the command: "profile"; NULL: there is none */
    const char **argument;     /* receives that word */
    const struct option_table *options;
    /* After parsing: read the named files, and print all faults on stderr. May be NULL. */
    bool (*check)(void);
    /* One repetition. Prints results, and may set session->refused before the first. */
    void (*run)(struct session *session);
    /* Adds `,"name":value` to the header's parameters for the settings of a profile; may be NULL. */
    void (*describe)(void);
    /* Measures without a directory of its own, and changes nothing. */
    bool reads_only;
};

/* The command of this name; NULL if there is none. */
const struct command *command_find(const char *name);

/* The lines of --help that name the commands. */
void command_print_all(void);

#endif
