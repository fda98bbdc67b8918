/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the program document share. */
#pragma once

#include <stdio.h>

#include "cli/cmdline.h"
#include "dump/commands.h"

/* Ends the program with a message. */
void die(const char *what, const char *name);

/* A view of a command, with its table as -j has it. */
struct shown {
	const struct command *command;
	const struct view *view;
	struct table table;
};

typedef void (*visitor)(const struct shown *s, void *arg);

/* The command that has a view, in JSON. */
static inline const char *command_of(const struct command *c, const struct view *view)
{
	if (view->command)
		return view->command;
	return c->spec->command ? c->spec->command : c->name;
}

/* Each view of each command and of each noun, those below others included. */
void visit_all(visitor fn, void *arg);

/* Tables of output.md: the headers of the views of a command, and its terms; false: no such command. */
bool put_headers_of(FILE *f, const char *name);
bool put_terms_of(FILE *f, const char *name);
/* Table of views.md: which options the nouns of a command take. */
bool put_nouns_of(FILE *f, const char *name);
/* What its manual page has behind its help: notes, and the help of its nouns. */
void put_notes(const struct command *c);
