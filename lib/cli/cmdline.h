/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line, checked against the views of its command (-t). */
#ifndef MEMOWNER_CLI_CMDLINE_H
#define MEMOWNER_CLI_CMDLINE_H

#include "cli/filter.h"
#include "cli/glossary.h"
#include "cli/opts.h"
#include "util/sink.h"
#include "cli/table.h"

#define GROUP_KEYS 6

struct cmdline;

struct view {
	const char *name;    /* in JSON, and in -t where it chooses it */
	const char *call;    /* what follows the command's name: "-t list", "ADDR" */
	const char *refuses; /* letters of options that do not go with it */
	const struct view_column *columns;
	size_t ncolumns;
	char needs;			     /* letter of the option that it shows; 0: none */
	bool has_groups;		     /* filters of groups go with it */
	void (*prepare)(struct cmdline *in); /* the columns that -g asks for; NULL: none */
	const struct view *grouped;	     /* instead of it with -g; NULL: itself */
	const struct view *below; /* records behind its rows, "NAME-RECORD"; NULL: none */
};

struct command_spec {
	const char *letters;		 /* getopt string of the options */
	const struct view *const *views; /* the first is the default */
	size_t nviews;
	const struct view *with_arguments; /* whose columns they have; NULL: those of -t */
	const struct key *keys;		   /* of -f, -X and -g */
	size_t nkeys;
	char **help;		  /* name, one line, synopsis, ... */
	const struct term *terms; /* of "-g help"; NULL: none */
};

struct cmdline {
	struct opts opts;
	size_t view;		  /* index in usage.views */
	const struct view *shown; /* that one, or what stands for it: of arguments, of -g */
	struct table table;	  /* with the columns that were asked for */
	struct filters filters;
	size_t groups[GROUP_KEYS]; /* indexes in usage.keys */
	size_t ngroups;
	bool done; /* the answer was given: -h, -o help */
};

/*
 * Everything that can be said without the dump is said here: ST_USAGE names
 * the option, key or value that is wrong and what is accepted.
 */
enum status cmdline_parse(struct dump *d, struct sink *out, int argc, char **argv,
			  const struct command_spec *usage, struct cmdline *ret);

#endif
