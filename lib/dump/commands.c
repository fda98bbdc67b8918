// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/commands.h"

#include <string.h>

const struct command *command_find(const struct command *const *commands, const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}
