/* fsload sweep: iozone's 13 tests over file sizes and record sizes. */
#ifndef FSLOAD_SWEEP_H
#define FSLOAD_SWEEP_H

#include "command.h"

extern const struct command sweep_command;

#endif
