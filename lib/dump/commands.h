/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of an object or of the program, as whatever runs them sees them: crash/port.c in
 * crash, program/session.c without it.
 */
#pragma once

#include "dump/dump.h"
#include "util/sink.h"

struct command_spec;

struct command {
	const char *name;
	/*
	 * Runs the command; argv[0] is its name.  Unless the status is ST_OK
	 * or ST_STOPPED, dump->error is shown as one line.  Ctrl-C does not
	 * end it: dump_stopped() is true from then on.
	 */
	enum status (*run)(struct dump *d, struct sink *out, int argc, char **argv);
	/* crash's format: name, one line, synopsis, then lines; ends with NULL. */
	char **help;
	const struct command_spec *spec; /* its views and options, of lib/cli; for the tools */
	/* Asked when the object is loaded: dump->error of another status than ST_OK is shown. */
	enum status (*problem)(struct dump *d);
	/* Its views that are named by its first word, "memowner zones"; NULL: it has none. */
	const struct command *const *nouns;
	/* Lines of its manual page behind those of help; NULL: none. */
	char **notes;
	/* Whether a word that is no command is an argument of this one, "pfn:5"; NULL: none is. */
	bool (*takes)(const char *word);
};

/* The commands of this shared object, ended by NULL; each object defines its own. */
extern const struct command *const port_commands[];

/* Runs one of them; memory that cannot be had ends it. */
enum status command_start(const struct command *c, struct dump *d, struct sink *out, int argc,
			  char **argv);

/* By its name; NULL: there is none. */
const struct command *command_find(const struct command *const *commands, const char *name);

/* The command that has this noun; NULL: none has it. */
const struct command *command_of_noun(const struct command *const *commands, const char *noun);

/* The command that takes this word as its argument; NULL: none does. */
const struct command *command_of_argument(const struct command *const *commands, const char *word);
