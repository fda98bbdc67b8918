/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's command line: options, the files of a dump, a command. */
#pragma once

#include "door.h"

#define ARGUMENTS_FILES 256 /* of one dump */
#define ARGUMENTS_WORDS 256 /* of a command behind --log */

struct arguments {
	enum {
		RUN_COMMAND, /* argv; argc 0: the summary */
		RUN_FILE,    /* input; "-": standard input */
		RUN_PROMPT,
		SHOW_FILE, /* what is known of the files */
		SHOW_HELP, /* of argv[0]; argc 0: of the program */
		SHOW_VERSION,
		SHOW_WORDS, /* that can follow argv, for a shell's completion */
	} what;
	const char *log; /* of --log: there is no dump */
	const char *input;
	const char *files[ARGUMENTS_FILES];
	struct door_request request;
	int argc;
	char **argv;
};

/*
 * The first word that names a command, or "--", ends the files.  A vmlinux among them is as good
 * as one behind --vmlinux, as crash takes it.  False: standard error has one line that says why.
 */
bool arguments_parse(int argc, char **argv, struct arguments *ret);
