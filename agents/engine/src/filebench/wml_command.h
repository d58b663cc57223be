/* fsload wml: workloads of Filebench. */
#ifndef FSLOAD_FILEBENCH_WML_COMMAND_H
#define FSLOAD_FILEBENCH_WML_COMMAND_H

#include "command.h"

extern const struct command wml_command;

#endif
