/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs lines of commands: of a file, or as somebody types them. */
#pragma once

#include "dump/commands.h"
#include "shell/exit_status.h"
#include "shell/output.h"

struct shell {
	const struct command *const *commands;
	/* place: "FILE:LINE" of the line; NULL: it was typed. */
	enum exit_status (*run)(void *priv, struct output *o, const char *place, int argc,
				char **argv);
	void *priv;
	const char *const
		*inputs;   /* files that are being read, NULL behind them: none is written */
	bool pager;	   /* before what has no other place to go */
	bool ended;	   /* by "quit" */
	const char *file;  /* of the line, for messages; NULL: it was typed */
	unsigned int line; /* of the file */
	unsigned int depth;
	enum exit_status status; /* the highest so far */
};

/* Between interrupt_hold() and interrupt_release(): Ctrl-C ends the lines of files as well. */

/* A line, which is changed. */
void shell_line(struct shell *s, char *text);

/* For reading; NULL with errno: it cannot be opened, or is a folder. */
FILE *shell_open(const char *path);

/* All lines of a file that has been opened; name: for messages. */
void shell_file(struct shell *s, FILE *f, const char *name);
