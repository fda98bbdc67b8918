// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/complete.h"

#include "cli/cmdline.h"

#define WORD_BYTES 512 /* of what is typed */

/* What is being completed, and the part of it that stays. */
struct completion {
	const struct command_spec *spec;
	const struct view *view;
	const char *word;
	size_t kept; /* bytes of the word before what is completed */
	void (*add)(void *arg, const char *word);
	void *arg;
};

/* What the words before it say. */
struct before {
	const char *view;
	bool grouped, arguments;
	char open; /* letter of an option whose value comes next; 0 */
};

static void offer(const struct completion *c, const char *name, const char *end)
{
	const char *typed = c->word + c->kept;
	char text[WORD_BYTES];
	int n;

	if (strncmp(name, typed, strlen(typed)))
		return;
	n = snprintf(text, sizeof(text), "%.*s%s%s", (int)c->kept, c->word, name, end);
	if (n > 0 && (size_t)n < sizeof(text))
		c->add(c->arg, text);
}

/* Behind the last comma, of -o behind + or - too. */
static void keep_list(struct completion *c, const char *signs)
{
	const char *comma = strrchr(c->word + c->kept, ',');

	if (comma)
		c->kept = comma + 1 - c->word;
	if (c->word[c->kept] && strchr(signs, c->word[c->kept]))
		c->kept++;
}

static const struct command_option *find_row(const struct command_spec *spec, char letter)
{
	for (const struct command_option *row = spec->options; row->letter; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

static const struct view *find_view(const struct command_spec *spec, const char *name, size_t len)
{
	for (size_t i = 0; i < spec->nviews; i++)
		if (strlen(spec->views[i]->name) == len && !memcmp(spec->views[i]->name, name, len))
			return spec->views[i];
	return NULL;
}

/* "top tree, with -k frames" */
static void offer_views(const struct completion *c)
{
	const char *p = find_row(c->spec, 't')->values;
	size_t len;

	for (; *p; p += len + (p[len] != '\0')) {
		len = strcspn(p, " ,");
		if (find_view(c->spec, p, len))
			offer(c, find_view(c->spec, p, len)->name, "");
	}
}

static void offer_columns(const struct completion *c, bool sort_keys)
{
	for (size_t i = 0; i < c->view->ncolumns; i++)
		if (!sort_keys || filter_takes_column(&c->view->columns[i]))
			offer(c, view_column(&c->view->columns[i])->name, "");
}

static const struct key *keys_of(const struct completion *c, size_t *n)
{
	*n = c->view->keys ? c->view->nkeys : c->spec->nkeys;
	return c->view->keys ? c->view->keys : c->spec->keys;
}

static void offer_keys(const struct completion *c, unsigned int use, const char *end)
{
	size_t n;
	const struct key *keys = keys_of(c, &n);

	for (size_t i = 0; i < n; i++)
		if (keys[i].use & use)
			offer(c, key_name(&keys[i]), end);
}

static void offer_other_columns(const struct completion *c)
{
	size_t n;
	const struct key *keys = keys_of(c, &n);

	for (size_t i = 0; i < c->view->ncolumns; i++) {
		const struct view_column *column = &c->view->columns[i];
		const char *name = view_column(column)->name;

		if (filter_takes_column(column) &&
		    key_find(keys, n, KEY_FILTERS | KEY_OF_GROUP, name, strlen(name)) == n)
			offer(c, name, "=");
	}
}

/* "KEY=", then its values where those are known. */
static void offer_filter(struct completion *c)
{
	const char *equals = strchr(c->word + c->kept, '=');
	size_t n, key;
	const struct key *keys = keys_of(c, &n);

	if (!equals) {
		offer_keys(c, KEY_FILTERS | KEY_OF_GROUP, "=");
		if (c->view->filters_rows)
			offer_other_columns(c);
		return;
	}
	key = key_find(keys, n, KEY_FILTERS | KEY_OF_GROUP, c->word + c->kept,
		       equals - (c->word + c->kept));
	c->kept = equals + 1 - c->word;
	keep_list(c, "");
	for (const char *const *choice = key < n ? keys[key].choices : NULL; choice && *choice;
	     choice++)
		offer(c, *choice, "");
}

static bool offer_value(struct completion *c, char letter)
{
	switch (letter) {
	case 't':
		offer_views(c);
		return false;
	case 'o':
		keep_list(c, "+-");
		offer_columns(c, false);
		break;
	case 's':
		keep_list(c, "");
		offer_columns(c, true);
		return false;
	case 'g':
		keep_list(c, "");
		offer_keys(c, KEY_GROUPS, "");
		break;
	case 'f':
	case 'X':
		offer_filter(c);
		break;
	default:
		return strchr("wRdHl", letter);
	}
	if (!c->kept)
		offer(c, "help", "");
	return false;
}

static void offer_options(const struct completion *c)
{
	for (const struct command_option *row = c->spec->options; row->letter; row++) {
		const char text[] = { '-', row->letter, '\0' };

		if (!row->views || row->chooses || cmdline_is_among(c->view->name, row->views))
			offer(c, text, "");
	}
}

/* One word of options, "-jn"; the value of the last may be behind it. */
static void read_options(const struct command_spec *spec, const char *word, struct before *b)
{
	for (word++; *word; word++) {
		const struct command_option *row = find_row(spec, *word);
		const struct option *option = row ? option_find(*word) : NULL;

		if (!option)
			return;
		if (row->chooses && !b->view)
			b->view = row->chooses;
		if (*word == 'g')
			b->grouped = true;
		if (option->value == OPTION_FLAG || option->value == OPTION_FOLDER)
			continue;
		if (!word[1])
			b->open = *word;
		else if (*word == 't')
			b->view = word + 1;
		return;
	}
}

static struct before read_words(const struct command_spec *spec, int n, char **argv)
{
	struct before b = { 0 };

	for (int i = 1; i < n; i++) {
		if (b.open) {
			if (b.open == 't')
				b.view = argv[i];
			b.open = 0;
		} else if (argv[i][0] == '-' && argv[i][1]) {
			read_options(spec, argv[i], &b);
		} else {
			b.arguments = true;
		}
	}
	return b;
}

static const struct view *view_of(const struct command_spec *spec, const struct before *b)
{
	const struct view *view = b->view ? find_view(spec, b->view, strlen(b->view)) : NULL;

	if (!view && b->arguments && spec->with_arguments)
		view = spec->with_arguments;
	if (!view)
		view = spec->views[0];
	if (b->arguments && view->named)
		view = view->named;
	return b->grouped && view->grouped && !view->grouped_by ? view->grouped : view;
}

static bool complete_option(const struct command_spec *spec, const struct before *b,
			    struct completion *c)
{
	c->spec = spec;
	c->view = view_of(spec, b);
	if (b->open)
		return offer_value(c, b->open);
	if (*c->word == '-')
		offer_options(c);
	return false;
}

static void offer_names(const struct completion *c, const struct command *const *commands)
{
	for (; *commands; commands++)
		offer(c, (*commands)->name, "");
}

static void offer_nouns(const struct completion *c, const struct command *const *commands)
{
	for (; *commands; commands++)
		if ((*commands)->nouns)
			offer_names(c, (*commands)->nouns);
}

/* The noun that words name, or else the command; its words begin at *first. */
static const struct command *find_command(const struct command *const *commands, int n, char **argv,
					  size_t *first)
{
	const struct command *c = n ? command_find(commands, argv[0]) : NULL;
	const struct command *of_noun = n && !c ? command_of_noun(commands, argv[0]) : NULL;
	size_t word = c && c->nouns ? opts_first_word(n, argv) : 0;

	*first = 0;
	if (of_noun)
		return command_find(of_noun->nouns, argv[0]);
	if (word == 1 && command_find(c->nouns, argv[1])) {
		*first = 1;
		return command_find(c->nouns, argv[1]);
	}
	return c;
}

bool complete_word(const struct command *const *commands, int n, char **argv, const char *word,
		   void (*add)(void *arg, const char *word), void *arg)
{
	struct completion c = { .word = word, .add = add, .arg = arg };
	size_t first;
	const struct command *command = find_command(commands, n, argv, &first);
	struct before b;

	if (command) {
		b = read_words(command->spec, n - (int)first, argv + first);
		if (command->nouns && n == 1 && *word != '-')
			offer_names(&c, command->nouns);
		return complete_option(command->spec, &b, &c);
	}
	if (n > 1 || (n && strcmp(argv[0], "help")))
		return false;
	offer_names(&c, commands);
	offer_nouns(&c, commands);
	if (!n)
		offer(&c, "help", "");
	return false;
}
