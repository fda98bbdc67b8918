/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A command line, checked against the views of its command (-t). */
#pragma once

#include "cli/table.h"
#include "dump/gap.h"

/* Lists of names with an explanation each: columns, keys and the terms of a command. */

#define GLOSSARY_WIDTH 80 /* columns of text: the terminal of a crash session */

/* A list of terms ends with a name of NULL. */
struct term {
	const char *name;
	const char *help;
};

/* One name with its explanation, wrapped at GLOSSARY_WIDTH; further lines are indented. */
void glossary_entry(struct sink *out, const char *name, const char *help);

/* An empty line, the title and the terms; terms NULL: nothing. */
void glossary_print(struct sink *out, const char *title, const struct term *terms);

#define GROUP_KEYS 12 /* of -g: pages has 9, and pageowner more than anyone needs at once */

struct baseline;
struct cmdline;
struct command_run;
struct command_spec;
struct row_groups;

struct view {
	const char *name; /* in JSON, and in -t where it chooses it */
	const char *call; /* what follows the command's name: "-t list", "ADDR"; of a noun "" */
	const struct view_column *columns;
	size_t ncolumns;
	const char *command; /* its name in JSON; NULL: that of the one that shows it */
	bool takes_arguments;
	bool (*claims)(const char *argument); /* whether arguments are its, not with_arguments' */
	bool bare;	   /* text for other tools: no line of ours, not even for an interrupt */
	bool writes_meta;  /* itself, once what its option names was found */
	bool opens_more;   /* when it shows, up to command_opened() */
	bool has_groups;   /* it takes filters of groups */
	bool filters_rows; /* -f and -X take columns that are no keys, of its rows */
	void (*prepare)(struct cmdline *in); /* the columns that -g asks for; NULL: none */
	const struct view *grouped;	     /* instead of it with -g; NULL: itself */
	const char *grouped_by;	  /* the key of -g that this one stands for; NULL: for any */
	const struct view *named; /* instead of it where arguments follow; NULL: itself */
	/* With it a view is the whole command: it asks another one; NULL: it is one itself. */
	enum status (*run)(const struct command_spec *spec, const struct command_run *run,
			   char *name);
	const struct view *of_json;	 /* instead of it where FILE of -d is JSON; NULL: itself */
	const struct baseline *baseline; /* of baseline_run(): what it compares */
	const enum column_id
		*matched_by; /* columns that it matches rows by, first of all; NULL: none */
	size_t nmatched;
	const struct view *below; /* records behind its rows, "NAME-RECORD"; NULL: none */
	const struct key *keys;	  /* of -f, -X and -g; NULL: those of the command */
	size_t nkeys;
	const char *
		no_groups; /* names of keys that it refuses to group by, between blanks; NULL: none */
	/* Hooks instead of those of the command, as there; NULL: those. */
	enum status (*open)(void *arg, enum availability *why);
	enum status (*show)(void *arg);
	void (*put_text)(void *arg); /* of such a hook show: in text, behind the rows; NULL: none */
	/* Of rows_show(): what a row is, its order without -s, and how many of them are shown. */
	const char
		*only; /* what its rows are alone, "file systems with a disk"; NULL: all there is */
	const char *row,
		*many; /* "socket", "sockets"; NULL: there is no line of what is left out */
	const char *sorted_by;
	bool sorted_up; /* what is least by that is first: of free memory what shrank */
	unsigned int rows;
	const char *member, *members; /* what its groups consist of; NULL: it has none */
	/* Of these columns rows_add() takes the keys and the sums of groups; NULL: it adds rows. */
	const struct view_column *member_columns;
	size_t nmember_columns;
};

/* For struct view: its keys. */
#define KEYS_OF(array) .keys = (array), .nkeys = sizeof(array) / sizeof((array)[0])

/* An option of a command, one row each; the last has no letter. */
struct command_option {
	char letter;
	/* Examples, "order=0 size=1M..": rows of doc/views.md; of -t the views; NULL: a flag. */
	const char *values;
	const char *views;   /* names of those that take it, "top tree"; NULL: all */
	const char *chooses; /* the view that it shows; NULL: none */
	const char
		*error; /* where a view refuses it; NULL: what it needs, or "cannot be combined" */
};

/* Two options that say different things, and why; the last has none. */
struct option_pair {
	char a, b;
	const char *why; /* behind "-a cannot be combined with -b"; "" */
};

/* A view that another command has: how it is called. */
struct moved_view {
	const char *name, *call;
};

struct command_spec {
	/* Of a noun the command that has it, whose name is that of JSON; NULL: it is a command. */
	const char *command;
	const struct command_option *options;
	const struct option_pair *pairs; /* NULL: none but those of all commands */
	const struct moved_view *moved;	 /* the last has no name; NULL: none */
	const struct view *const *views; /* the first is the default */
	size_t nviews;
	const struct view *with_arguments; /* whose columns they have; NULL: those of -t */
	/* ST_USAGE: a word is no argument of that view; NULL: the hook check tells. */
	enum status (*check_argument)(struct dump *d, const char *text);
	/* Of a noun without -f: another one, whose rows a word may have been meant for; NULL: none. */
	const struct command_spec *rows_of;
	const struct key *keys; /* of -f, -X and -g */
	size_t nkeys;
	char **help;		  /* name, one line, synopsis, ... */
	const struct term *terms; /* of "-g help"; NULL: none */
	/* Hooks of command_run(), in their order; the first three may be NULL. */
	/* With -L FILE: from then on the dump is what the file says. NULL: no view takes it. */
	enum status (*instead)(struct dump *d, const char *path);
	void (*map)(struct dump *d);	 /* page tables */
	enum status (*check)(void *arg); /* what is wrong without a look at the dump: ST_USAGE */
	/* Opens sources.  ST_USAGE refuses; another error is "no data", *why says which. */
	enum status (*open)(void *arg, enum availability *why);
	enum status (*show)(void *arg); /* rows and the end of the report */
};

/* The members that every command has, of its tables with these names. */
#define COMMAND_TABLES .options = options, .views = views, .nviews = ARRAY_SIZE(views), .help = help

/* The same of a noun of memowner. */
#define NOUN_TABLES COMMAND_TABLES, .command = "memowner"

struct cmdline {
	struct opts opts;
	size_t view;		  /* index in usage.views */
	const struct view *shown; /* that one, or what stands for it: of arguments, of -g */
	struct table table;	  /* with the columns that were asked for */
	const struct key *keys;	  /* of the view */
	size_t nkeys;
	struct filters filters;
	uint64_t members, kept;	   /* of groups: by filters of members */
	size_t groups[GROUP_KEYS]; /* indexes in the keys of the view */
	size_t ngroups;
	struct row_groups *row_groups; /* of rows_add(); NULL: none yet */
	bool done;		       /* the answer was given: -h, -o help */
};

/*
 * Everything that can be said without the dump is said here: ST_USAGE names
 * the option, key or value that is wrong and what is accepted.
 */
enum status cmdline_parse(struct dump *d, struct sink *out, int argc, char **argv,
			  const struct command_spec *usage, struct cmdline *ret);

/* What -h shows of a noun: what it tells, its columns and keys, examples. */
void noun_help(const struct command_spec *usage, const struct view *view, struct sink *out);

/* What is typed behind a command's name: of a noun only groups, "-g node", and a comparison have some. */
static inline const char *view_call(const struct command_spec *usage, const struct view *view)
{
	if (!usage->command || view->baseline)
		return view->call;
	return strstr(view->call, "-g ") ?: strstr(view->call, "-t ") ?: "";
}

/* The keys of a view, or those that all views of its command have. */
static inline struct key_set view_keys(const struct command_spec *usage, const struct view *view)
{
	return (struct key_set){ view->keys ? view->keys : usage->keys,
				 view->keys ? view->nkeys : usage->nkeys,
				 view->columns,
				 view->ncolumns,
				 view->filters_rows,
				 view_call(usage, view),
				 view->matched_by,
				 view->nmatched,
				 usage->views[0]->keys ?: usage->keys,
				 usage->views[0]->keys ? usage->views[0]->nkeys : usage->nkeys,
				 view->only };
}

/* To the keys of a view of groups, the columns that its members alone have. (member_keys.c) */
void member_keys_add(struct dump *d, const struct view *view, struct key_set *set);

/* That filters are asked of members, where nothing has their values. */
void member_keys_tell(struct cmdline *in);

/* Whether a name is one of some, "top tree list", as views stand in the row of an option. */
bool cmdline_is_among(const char *name, const char *names);

/* Whether -g, and -f or -X, has a key of the view. */
bool cmdline_groups_by(const struct cmdline *in, size_t key);
/* Whether filters may keep a part of a group: one by a key of -g keeps whole ones. */
bool cmdline_cuts_groups(const struct cmdline *in);
bool cmdline_groups_column(const struct cmdline *in, enum column_id column);
/* Whether groups have in a column what all of their members have, as no other source is named: rows_add_member(). */
static inline bool view_has_common(const struct view *view, const struct view_column *c)
{
	return view->member_columns && !c->from.kind && !c->from.cell && !c->from.cell_of;
}
/* Whether a filter of keys asks for what the column has: it is needed, shown or not. */
bool cmdline_filters_column(const struct cmdline *in, enum column_id column);
bool cmdline_filters_by(const struct cmdline *in, size_t key);

/* For view.prepare: the columns of the keys of -g, behind all others. */
void cmdline_show_keys(struct cmdline *in);

/* Behind what a view changes of its default columns for this dump: -o has the last word. */
void cmdline_reselect(struct cmdline *in);
