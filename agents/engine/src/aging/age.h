/* `fsload age` and `fsload layout`. */
#ifndef FSLOAD_AGING_AGE_H
#define FSLOAD_AGING_AGE_H

#include "command.h"

extern const struct command age_command;
extern const struct command layout_command;

#endif
