/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command does around its rows: it parses the line, opens page tables and
 * sources, writes the meta line, answers -D, says why there is no data, and only then
 * shows rows.  A command is its struct command_spec and one call of command_run().
 */
#pragma once

#include "cli/rows.h"
#include "dump/commands.h"
#include "symbols/namelist.h"

/* One run: what the hooks share with it. */
struct command_run {
	struct dump *dump;
	struct sink *out;
	struct cmdline *in;
	struct report *report;
	void *arg; /* of the hooks of struct command_spec */
};

/* A status but ST_OK and ST_STOPPED: dump->error is the answer. */
enum status command_run(const struct command_spec *spec, const struct command_run *run, int argc,
			char **argv);

/*
 * The function of a command, name(), of its struct command_spec usage.  type is what the hooks
 * get, with these members and a report.
 */
#define COMMAND_RUN(name, type)                                                          \
	static enum status name(struct dump *d, struct sink *out, int argc, char **argv) \
	{                                                                                \
		struct cmdline in;                                                       \
		type arg = { .dump = d, .in = &in, .out = out };                         \
		const struct command_run run = { d, out, &in, &arg.report, &arg };       \
                                                                                         \
		return command_run(&usage, &run, argc, argv);                            \
	}

/* The same, and the command that it is: the row COMMAND(name) of extensions/commands.def. */
#define COMMAND_MAIN(name, type)                                              \
	COMMAND_RUN(name, type)                                               \
	const struct command name##_command = { #name,	name,		help, \
						&usage, namelist_check, .notes = notes };
/* The same of a noun of memowner: the row NOUN(name) of extensions/nouns.def. */
#define NOUN_MAIN(name, type)         \
	COMMAND_RUN(name##_run, type) \
	const struct command name##_noun = { #name, name##_run, help, &usage, namelist_check };

/*
 * What follows the opening of sources, for views that open some themselves: the lines of -D,
 * and "no data" where *st is an error, which is ST_OK from then on.  Whether rows follow.
 */
bool command_opened(struct report *r, const struct opts *o, enum availability why, enum status *st);
