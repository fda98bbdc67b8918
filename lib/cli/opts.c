// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/opts.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/units.h"

/* "-D -h -j -n ROWS" */
static const char *letters(const char *accepted, char *buf, size_t size)
{
	size_t at = 0;

	*buf = '\0';
	for (; *accepted && at + 6 < size; accepted++)
		if (*accepted != ':')
			at += snprintf(buf + at, size - at, "%s-%c", at ? " " : "", *accepted);
	return buf;
}

static enum status add_filter(struct dump *d, struct opts *o, bool exclude, const char *text)
{
	if (o->nfilters == OPTS_FILTERS)
		return dump_fail(d, ST_USAGE, "more than %d filters", OPTS_FILTERS);
	o->filters[o->nfilters++] = (struct opt_filter){ exclude, text };
	return ST_OK;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/*
 * The next word is -l's if it cannot be meant otherwise: addresses and handles have no
 * slash, and a hexadecimal number is one of them even where a folder is called so.
 */
static bool is_lines_dir(const char *word)
{
	uint64_t number;

	if (!word || *word == '-' || *word == '@')
		return false;
	return strchr(word, '/') || (!units_parse_hex(word, &number) && is_folder(word));
}

static enum status set_lines(struct dump *d, struct opts *o, const char *dir)
{
	if (dir && !is_folder(dir))
		return dump_fail(d, ST_USAGE, "-l takes a folder with debug files, not '%s'", dir);
	o->lines = true;
	o->lines_dir = dir;
	return ST_OK;
}

static enum status set(struct dump *d, struct opts *o, int letter, const char *value)
{
	switch (letter) {
	case 'h':
		o->help = true;
		return ST_OK;
	case 'j':
		o->json = true;
		return ST_OK;
	case 'D':
		o->notes = true;
		return ST_OK;
	case 'r':
		o->reverse = true;
		return ST_OK;
	case 'a':
		o->all = true;
		return ST_OK;
	case 't':
		o->view = value;
		return ST_OK;
	case 'v':
		o->view = "system";
		return ST_OK;
	case 'i':
		o->view = "health";
		return ST_OK;
	case 's':
		o->sort = value;
		return ST_OK;
	case 'o':
		o->columns = value;
		return ST_OK;
	case 'k':
		o->counters = true;
		return ST_OK;
	case 'c':
		o->has_near = true;
		o->site = value;
		if (!units_parse(value, &o->near))
			o->near = UINT64_MAX;
		return ST_OK;
	case 'C':
		o->check = true;
		return ST_OK;
	case 'P':
		o->cpus_of = value;
		return ST_OK;
	case 'm':
		o->memory = true;
		return ST_OK;
	case 'w':
		o->save = value;
		return ST_OK;
	case 'R':
		o->saved = value;
		return ST_OK;
	case 'd':
		o->diff = value;
		return ST_OK;
	case 'g':
		o->group = value;
		return ST_OK;
	case 'f':
	case 'X':
		return add_filter(d, o, letter == 'X', value);
	case 'l':
		return set_lines(d, o, value);
	case 'n':
		o->has_rows = true;
		if (!units_parse(value, &o->rows))
			return dump_fail(d, ST_USAGE,
					 "-n takes a number of rows (0: all), not '%s'", value);
		return ST_OK;
	default:
		return dump_fail(d, ST_USAGE, "option -%c has no meaning here", letter);
	}
}

/* crash strips quotes only around a whole word, and takes some characters out of unquoted ones. */
static enum status check_quotes(struct dump *d, const char *word, bool is_argument)
{
	if (strchr(word, '"'))
		return dump_fail(
			d, ST_USAGE,
			"%s: crash takes double quotes around a whole word only, as in \"stack=/a b/\"",
			word);
	if (is_argument && strpbrk(word, "|!<>'"))
		return dump_fail(
			d, ST_USAGE,
			"'%s': words with | ! < > belong in double quotes, as in \"stack=/a|b/\"",
			word);
	return ST_OK;
}

enum status opts_parse(struct dump *d, int argc, char **argv, const char *accepted,
		       struct opts *ret)
{
	struct opts o = { 0 };
	char with_colon[64], known[128];
	int c;

	/* The colon makes a missing value an answer of its own. */
	snprintf(with_colon, sizeof(with_colon), ":%s", accepted);
	opterr = 0;
	optind = 0;
	while ((c = getopt(argc, argv, with_colon)) != -1) {
		enum status st;

		if (optarg && check_quotes(d, optarg, false) != ST_OK)
			return ST_USAGE;
		if (c == ':')
			return dump_fail(d, ST_USAGE, "option -%c needs a value", optopt);
		if (c == '?')
			return dump_fail(d, ST_USAGE, "unknown option -%c, known are: %s", optopt,
					 letters(accepted, known, sizeof(known)));
		/* getopt() takes a word of its own only where a value is required. */
		if (c == 'l' && !optarg && optind < argc && is_lines_dir(argv[optind]))
			optarg = argv[optind++];
		st = set(d, &o, c, optarg);
		if (st != ST_OK)
			return st;
	}
	for (; optind < argc; optind++) {
		if (o.nargs == OPTS_ARGS)
			return dump_fail(d, ST_USAGE, "more than %d arguments", OPTS_ARGS);
		if (check_quotes(d, argv[optind], true) != ST_OK)
			return ST_USAGE;
		o.args[o.nargs++] = argv[optind];
	}
	*ret = o;
	return ST_OK;
}

enum status opts_near(struct dump *d, const struct opts *o)
{
	if (o->has_near && o->near > OPTS_NEAR)
		return dump_fail(d, ST_USAGE, "-c takes a number of pages up to %d, not '%s'",
				 OPTS_NEAR, o->site);
	return ST_OK;
}

uint64_t opts_rows(const struct opts *o, uint64_t dflt, uint64_t total)
{
	uint64_t rows = o->has_rows ? o->rows : o->json ? 0 : dflt;

	return rows && rows < total ? rows : total;
}
