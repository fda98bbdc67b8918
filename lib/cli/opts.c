// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/opts.h"

#include <sys/stat.h>
#include <unistd.h>

#include "util/strbuf.h"
#include "util/units.h"

#define NO_MEMBER SIZE_MAX
#define MEMBER(name) offsetof(struct opts, name)

/* Every option of every command; the views that take it are in the commands' own tables. */
static const struct option options[] = {
	{ 'a', OPTION_FLAG, MEMBER(all), NULL },
	{ 'b', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'c', OPTION_TEXT, MEMBER(site), "a number of pages or a call site", "PAGES" },
	{ 'C', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'd', OPTION_TEXT, MEMBER(diff), "a file", "FILE" },
	{ 'D', OPTION_FLAG, MEMBER(notes), NULL },
	{ 'E', OPTION_FLAG, MEMBER(redact), NULL },
	{ 'e', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'x', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'f', OPTION_FILTER, NO_MEMBER, "KEY=VALUE", "KEY=VALUE" },
	{ 'g', OPTION_TEXT, MEMBER(group), "KEY[,KEY]", "KEY[,KEY]" },
	{ 'h', OPTION_FLAG, MEMBER(help), NULL },
	{ 'H', OPTION_TEXT, MEMBER(html), "a file", "FILE" },
	{ 'i', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'j', OPTION_FLAG, MEMBER(json), NULL },
	{ 'k', OPTION_FLAG, MEMBER(counters), NULL },
	{ 'l', OPTION_FOLDER, MEMBER(lines_dir), "a folder with debug files", "[DIR]" },
	{ 'L', OPTION_TEXT, MEMBER(log), "a file", "FILE" },
	{ 'm', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'n', OPTION_NUMBER, MEMBER(rows), "a number of rows (0: all)", "ROWS" },
	{ 'o', OPTION_TEXT, MEMBER(columns), "COL[,COL]", "COL[,COL]" },
	{ 'P', OPTION_TEXT, MEMBER(cpus_of), "a call site", "SITE" },
	{ 'r', OPTION_FLAG, MEMBER(reverse), NULL },
	{ 'R', OPTION_TEXT, MEMBER(saved), "a file", "FILE" },
	{ 's', OPTION_TEXT, MEMBER(sort), "KEY[,KEY]", "KEY[,KEY]" },
	{ 't', OPTION_TEXT, MEMBER(view), "a view", "VIEW" },
	{ 'T', OPTION_TEXT, MEMBER(type), "a structure or union", "TYPE" },
	{ 'u', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'v', OPTION_FLAG, NO_MEMBER, NULL },
	{ 'w', OPTION_TEXT, MEMBER(save), "a file", "FILE" },
	{ 'X', OPTION_FILTER, NO_MEMBER, "KEY=VALUE", "KEY=VALUE" },
	{ 'z', OPTION_FLAG, NO_MEMBER, NULL },
};

const struct option *option_find(int letter)
{
	return FIND_IN(options, ARRAY_SIZE(options), found->letter == letter);
}

static uint64_t bit_of(char letter)
{
	return 1ULL << (letter >= 'a' ? letter - 'a' : letter - 'A' + 26);
}

bool opts_given(const struct opts *o, char letter)
{
	return o->given & bit_of(letter);
}

static void set_flag(struct opts *o, const struct option *option)
{
	if (option->member != NO_MEMBER)
		*(bool *)((char *)o + option->member) = true;
	o->given |= bit_of(option->letter);
}

void opts_set_flag(struct opts *o, char letter)
{
	const struct option *option = option_find(letter);

	if (option && option->value == OPTION_FLAG)
		set_flag(o, option);
}

/* "-D -h -j -n" */
static const char *known_letters(const char *letters, char *buf, size_t size)
{
	struct strbuf s = strbuf_in(buf, size);

	for (; *letters; letters++)
		strbuf_add(&s, "%s-%c", strbuf_between(&s, " "), *letters);
	return buf;
}

static enum status add_filter(struct dump *d, struct opts *o, bool exclude, const char *text)
{
	if (o->nfilters == OPTS_FILTERS)
		return dump_usage(d, "more than %d filters", OPTS_FILTERS);
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

static enum status bad_value(struct dump *d, const struct option *option, const char *value)
{
	return dump_usage(d, "-%c takes %s, not '%s'", option->letter, option->takes, value);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Of two values one would be dropped in silence. */
static enum status set_text(struct dump *d, struct opts *o, const struct option *option,
			    const char **member, const char *value)
{
	if (opts_given(o, option->letter) && !same_text(*member, value))
		return dump_usage(d, "-%c is given twice: %s and %s", option->letter,
				  *member ? *member : "without a value",
				  value ?: "without a value");
	*member = value;
	return ST_OK;
}

static enum status set_number(struct dump *d, struct opts *o, const struct option *option,
			      uint64_t *member, const char *value)
{
	uint64_t number;

	if (!units_parse(value, &number))
		return bad_value(d, option, value);
	if (opts_given(o, option->letter) && number != *member)
		return dump_usage(d, "-%c is given twice: %lu and %s", option->letter, *member,
				  value);
	*member = number;
	return ST_OK;
}

/* "size, cache": a blank behind the comma of a list is none of the name, as it is none of a value of -f. */
static const char *list_of(struct dump *d, const struct option *option, const char *value)
{
	char *ret, *to;

	if (!value || !option->takes || !strstr(option->takes, "[,") || !strstr(value, ", "))
		return value;
	for (ret = to = dump_strdup(d, value); *value; value++)
		if (*value != ' ' || to == ret || to[-1] != ',')
			*to++ = *value;
	*to = '\0';
	return ret;
}

static enum status set(struct dump *d, struct opts *o, const struct option *option,
		       const char *value)
{
	char *member = option->member == NO_MEMBER ? NULL : (char *)o + option->member;
	enum status st = ST_OK;

	switch (option->value) {
	case OPTION_FILTER:
		o->given |= bit_of(option->letter);
		return add_filter(d, o, option->letter == 'X', value);
	case OPTION_NUMBER:
		st = set_number(d, o, option, (uint64_t *)member, value);
		break;
	case OPTION_FOLDER:
		if (value && !is_folder(value))
			return bad_value(d, option, value);
		/* fall through */
	case OPTION_TEXT:
		st = set_text(d, o, option, (const char **)member, list_of(d, option, value));
		break;
	default:
		set_flag(o, option);
	}
	o->given |= bit_of(option->letter);
	return st;
}

/* The reader of the dump, who splits lines, may not have understood the quotes of one. */
static enum status check_quotes(struct dump *d, const char *word, bool is_argument)
{
	const char *why = d->ops && d->ops->misquoted ? dump_ask(d, misquoted, word, is_argument)
						      : NULL;

	return why ? dump_usage(d, "'%s': %s", word, why) : ST_OK;
}

/* Where the name of a file was forgotten: the option behind it. */
static bool is_option_instead(const struct option *option, const char *value)
{
	return option->takes && !strcmp(option->takes, "a file") && value[0] == '-' && value[1] &&
	       !value[2] && option_find(value[1]);
}

/* For getopt(): the first colon makes a missing value an answer of its own. */
static void getopt_letters(const char *letters, char *buf)
{
	*buf++ = ':';
	for (; *letters; letters++) {
		enum option_value value = option_find(*letters)->value;

		*buf++ = *letters;
		if (value != OPTION_FLAG)
			*buf++ = ':';
		if (value == OPTION_FOLDER)
			*buf++ = ':';
	}
	*buf = '\0';
}

/* Members that say more than the table: what other code asks for by name. */
static void finish(struct opts *o)
{
	o->has_rows = opts_given(o, 'n');
	o->lines = opts_given(o, 'l');
	o->has_near = opts_given(o, 'c');
	if (o->has_near && !units_parse(o->site, &o->near))
		o->near = UINT64_MAX;
}

void opts_shorten(int argc, char **argv, const char *letters)
{
	static char redact[] = "-E", log[] = "-L";
	const struct {
		const char *word;
		char *option;
	} words[] = { { "--redact", redact }, { "--log", log } };

	for (int i = 1; i < argc; i++)
		for (size_t w = 0; w < ARRAY_SIZE(words); w++)
			if (!strcmp(argv[i], words[w].word) &&
			    (!letters || strchr(letters, words[w].option[1])))
				argv[i] = words[w].option;
}

enum status opts_parse(struct dump *d, int argc, char **argv, const char *letters, struct opts *ret)
{
	struct opts o = { 0 };
	char with_colons[3 * OPTS_LETTERS + 2], known[4 * OPTS_LETTERS];
	int c;

	getopt_letters(letters, with_colons);
	opts_shorten(argc, argv, letters);
	opterr = 0;
	optind = 0;
	while ((c = getopt(argc, argv, with_colons)) != -1) {
		enum status st;

		if (optarg && check_quotes(d, optarg, false) != ST_OK)
			return ST_USAGE;
		if (c == ':')
			return dump_usage(d, "option -%c needs a value: %s", optopt,
					  option_find(optopt)->takes);
		if (c == '?' && optopt == '-')
			return dump_usage(d, "options have one letter, known are: %s",
					  known_letters(letters, known, sizeof(known)));
		/* What it was shortened from. */
		if (c == '?' && optopt == 'E')
			return dump_usage(d, "unknown option --redact, known are: %s",
					  known_letters(letters, known, sizeof(known)));
		if (c == '?' && optopt == 'd')
			return dump_usage(
				d,
				"unknown option -d: nothing here is compared with another machine; memowner -d FILE, "
				"and -d of the views that have it, compare; known are: %s",
				known_letters(letters, known, sizeof(known)));
		if (c == '?')
			return dump_usage(d, "unknown option -%c, known are: %s", optopt,
					  known_letters(letters, known, sizeof(known)));
		if (optarg && is_option_instead(option_find(c), optarg))
			return dump_usage(
				d,
				"option -%c needs a value: a file; %s is an option, a file "
				"of that name is ./%s",
				c, optarg, optarg);
		/* getopt() takes a word of its own only where a value is required. */
		if (option_find(c)->value == OPTION_FOLDER && !optarg && optind < argc &&
		    is_lines_dir(argv[optind]))
			optarg = argv[optind++];
		st = set(d, &o, option_find(c), optarg);
		if (st != ST_OK)
			return st;
	}
	for (; optind < argc; optind++) {
		if (o.nargs == OPTS_ARGS)
			return dump_usage(d, "more than %d arguments", OPTS_ARGS);
		if (check_quotes(d, argv[optind], true) != ST_OK)
			return ST_USAGE;
		o.args[o.nargs++] = argv[optind];
	}
	finish(&o);
	*ret = o;
	return ST_OK;
}

enum status opts_near(struct dump *d, const struct opts *o)
{
	if (o->has_near && o->near > OPTS_NEAR)
		return dump_usage(d, "-c takes a number of pages up to %d, not '%s'", OPTS_NEAR,
				  o->site);
	return ST_OK;
}

uint64_t opts_rows(const struct opts *o, uint64_t dflt, uint64_t total)
{
	uint64_t rows = o->has_rows ? o->rows : o->json ? 0 : dflt;

	return rows && rows < total ? rows : total;
}

size_t opts_first_word(int argc, char **argv)
{
	size_t i = 1;

	opts_shorten(argc, argv, NULL);
	for (; i < (size_t)argc && argv[i][0] == '-' && argv[i][1]; i++) {
		const struct option *option = NULL;
		const char *c = argv[i] + 1;

		for (; *c && (!option || option->value == OPTION_FLAG); c++)
			option = option_find(*c);
		/* Its value is the next word, unless it stands behind the letter. */
		i += !*c && option && option->value != OPTION_FLAG &&
		     option->value != OPTION_FOLDER && i + 1 < (size_t)argc &&
		     !is_option_instead(option, argv[i + 1]);
	}
	return i < (size_t)argc ? i : 0;
}
