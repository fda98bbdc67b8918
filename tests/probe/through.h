/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that ask the dump through other ops than those of its reader. */
#pragma once

#include "dump/commands.h"

#define COMMAND(name) extern const struct command name##_command;
#include "../../extensions/commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &name##_command,
#include "../../extensions/commands.def"
#undef COMMAND
	NULL
};

static enum status run_through(const struct dump_ops *ops, const struct command *command,
			       struct dump *d, struct sink *out, int argc, char **argv)
{
	struct dump own;
	enum status st;

	dump_init(&own, ops, d->priv, d->arena);
	own.page_shift = d->page_shift;
	own.arch = d->arch;
	own.linear_only = d->linear_only;
	st = command->run(&own, out, argc, argv);
	return st == ST_OK ? st : dump_fail(d, st, "%s", own.error);
}
