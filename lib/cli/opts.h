/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a command line, as every command understands them. */
#pragma once

#include "dump/dump.h"

#define OPTS_ARGS 128
#define OPTS_FILTERS 16
#define OPTS_LETTERS 52
#define OPTS_NEAR 65536
#define OPTS_LINE 512 /* of an option as it is told in JSON */

struct opt_filter {
	bool exclude; /* -X */
	const char *text;
};

struct opts {
	uint64_t given;	       /* a bit for each letter, opts_given() */
	bool help;	       /* -h */
	bool json;	       /* -j */
	bool notes;	       /* -D */
	bool reverse;	       /* -r */
	bool all;	       /* -a */
	bool counters;	       /* -k */
	bool has_near;	       /* -c was given */
	const char *site;      /* its value, where that is a call site */
	uint64_t near;	       /* pages on each side; opts_near() checks it */
	bool lines;	       /* -l */
	const char *lines_dir; /* its folder; NULL: without one */
	const char *save;      /* -w */
	const char *saved;     /* -R */
	const char *diff;      /* -d */
	const char *html;      /* -H */
	bool redact;	       /* -E, --redact */
	const char *cpus_of;   /* -P: a call site */
	const char *log;       /* -L, --log */
	bool has_rows;	       /* -n was given */
	uint64_t rows;	       /* 0: all */
	const char *view;      /* -t */
	const char *type;      /* -T: a structure */
	const char *sort;      /* -s */
	const char *columns;   /* -o */
	const char *group;     /* -g */
	struct opt_filter filters[OPTS_FILTERS];
	unsigned int nfilters;
	const char *args[OPTS_ARGS]; /* what is no option */
	unsigned int nargs;
};

/* What follows a letter. */
enum option_value {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_NUMBER,
	OPTION_FOLDER, /* may be missing; a word that has a slash, or a folder that is no number */
	OPTION_FILTER, /* more than once */
};

struct option {
	char letter;
	enum option_value value;
	size_t member;		/* offset in struct opts; of OPTION_FOLDER, its path */
	const char *takes;	/* a noun phrase, for messages */
	const char *value_name; /* of its value in a synopsis; NULL: it is a flag */
};

/* By its letter; NULL: no command has one. */
const struct option *option_find(int letter);

/*
 * Options that have a word, by it: who sends a report is to see what was done, and a log is no dump. argv gets the
 * letters. letters: as of opts_parse(); NULL: all.
 */
void opts_shorten(int argc, char **argv, const char *letters);

/*
 * letters: those that the command knows.  argv[0] is the command; argv is reordered.  ST_USAGE
 * with a message that names the argument and says what is accepted.
 */
enum status opts_parse(struct dump *d, int argc, char **argv, const char *letters,
		       struct opts *ret);

/* The first word of argv that is no option and no value of one; 0: there is none. */
size_t opts_first_word(int argc, char **argv);

bool opts_given(const struct opts *o, char letter);
/* As if the letter of a flag had been given. */
void opts_set_flag(struct opts *o, char letter);

/* For commands whose -c takes a number of pages: ST_USAGE if it is none. */
enum status opts_near(struct dump *d, const struct opts *o);

/* Rows to show of total, when dflt is the default in text (0: all). */
uint64_t opts_rows(const struct opts *o, uint64_t dflt, uint64_t total);

/*
 * Whether a view that has sentences in the place of a table shows them: in text, unless -o chooses
 * columns; "-o +a" adds to them.
 */
static inline bool opts_sentences(const struct opts *o)
{
	return !o->json && (!o->columns || *o->columns == '+' || *o->columns == '-');
}
