// SPDX-License-Identifier: GPL-2.0-or-later
/* The command table of a shared object with one command, -DCOMMAND=its struct. */
#include <stddef.h>

#include "dump/commands.h"

extern const struct command COMMAND;

const struct command *const port_commands[] = { &COMMAND, NULL };
