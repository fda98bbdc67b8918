// SPDX-License-Identifier: GPL-2.0-or-later
/* The command table of the program for tests: every command, and those that tests add to crash. */
#include <stddef.h>

#include "dump/commands.h"

extern const struct command probe_command, blind_command, poke_command, once_command;

#define COMMAND(name) extern const struct command name##_command;
#include "../../extensions/commands.def"
#undef COMMAND

const struct command *const port_commands[] = { &probe_command, &blind_command, &poke_command,
						&once_command,
#define COMMAND(name) &name##_command,
#include "../../extensions/commands.def"
#undef COMMAND
						NULL };
