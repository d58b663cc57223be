/* The command `mix`: weighted operations from an FFSB profile. */
#ifndef FSLOAD_FFSB_MIX_H
#define FSLOAD_FFSB_MIX_H

#include "command.h"

extern const struct command mix_command;

#endif
