#include "command.h"

#include "aging/age.h"
#include "ffsb/mix.h"
#include "filebench/wml_command.h"
#include "sweep/sweep.h"
#include "tree/bulk.h"
#include "tree/fdtree.h"
#include "tree/metadata.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &sweep_command,
    &mix_command,
    &wml_command,
    &tree_command,
    &metadata_command,
    &bulk_command,
    &age_command,
    &layout_command,
};

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

void command_print_all(void)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
}
