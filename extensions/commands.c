// SPDX-License-Identifier: GPL-2.0-or-later
/* The command table of memowner.so, the object with every command. */

#include "dump/commands.h"

#define COMMAND(name) extern const struct command name##_command;
#include "commands.def"
#undef COMMAND

const struct command *const port_commands[] = {
#define COMMAND(name) &name##_command,
#include "commands.def"
#undef COMMAND
	NULL
};
