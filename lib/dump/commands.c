// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/commands.h"

struct started {
	const struct command *command;
	struct sink *out;
	int argc;
	char **argv;
};

static enum status run(struct dump *d, void *arg)
{
	const struct started *s = arg;

	return s->command->run(d, s->out, s->argc, s->argv);
}

enum status command_start(const struct command *c, struct dump *d, struct sink *out, int argc,
			  char **argv)
{
	struct started s = { c, out, argc, argv };

	return dump_guard(d, run, &s);
}

const struct command *command_find(const struct command *const *commands, const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

const struct command *command_of_noun(const struct command *const *commands, const char *noun)
{
	for (; *commands; commands++)
		if ((*commands)->nouns && command_find((*commands)->nouns, noun))
			return *commands;
	return NULL;
}

const struct command *command_of_argument(const struct command *const *commands, const char *word)
{
	for (; *commands; commands++)
		if ((*commands)->takes && (*commands)->takes(word))
			return *commands;
	return NULL;
}
