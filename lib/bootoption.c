// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "bootoption.h"

#define MAX_LINE 8192 /* COMMAND_LINE_SIZE is 2048 on x86 and arm64; bootconfig adds to it */

enum status boot_option(struct dump *d, const char *name, const char **ret)
{
	size_t len = strlen(name);
	const char *found = NULL;
	char *line, *rest, *word;
	uint64_t addr;
	enum status st = dump_value(d, "saved_command_line", &addr);

	if (st != DUMP_OK)
		return st;
	line = dump_alloc(d, MAX_LINE);
	if (!line)
		return DUMP_NOMEM;
	st = dump_string(d, addr, line, MAX_LINE, "saved_command_line");
	if (st != DUMP_OK)
		return st;
	for (word = strtok_r(line, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
		if (!strncmp(word, name, len) && word[len] == '=')
			found = word + len + 1;
	*ret = found;
	return DUMP_OK;
}
