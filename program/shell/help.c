// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/help.h"

#include <limits.h>

#include "cli/cmdline.h"
#include "cli/noun_words.h"
#include "util/likeness.h"
#include "util/strbuf.h"

/* What stands in help[] before the lines of its description. */
enum { HELP_NAME, HELP_SUMMARY, HELP_SYNOPSIS, HELP_LINES };

const struct command *help_find(const struct command *const *commands, int argc, char **argv)
{
	const struct command *c = command_find(commands, argv[0]);
	const struct command *noun = NULL;

	if (c && argc > 1 && c->nouns)
		noun = command_find(c->nouns, argv[1]);
	else if (!c && command_of_noun(commands, argv[0]))
		noun = command_find(command_of_noun(commands, argv[0])->nouns, argv[0]);
	else if (!c)
		c = command_of_argument(commands, argv[0]);
	return noun ? noun : c;
}

void help_command(struct sink *s, const struct command *c)
{
	if (c->spec->command) {
		noun_help(c->spec, c->spec->views[0], s);
		return;
	}
	sink_printf(s, "NAME\n  %s - %s\n\nSYNOPSIS\n  %s %s\n\nDESCRIPTION\n", c->help[HELP_NAME],
		    c->help[HELP_SUMMARY], c->help[HELP_NAME], c->help[HELP_SYNOPSIS]);
	for (char **line = c->help + HELP_LINES; *line; line++)
		sink_printf(s, "%s\n", *line);
}

void help_list(struct sink *s, const struct command *const *commands, unsigned int indent)
{
	size_t longest = 0;

	for (const struct command *const *c = commands; *c; c++)
		if (strlen((*c)->name) > longest)
			longest = strlen((*c)->name);
	for (; *commands; commands++)
		sink_printf(s, "%*s%-*s  %s\n", (int)indent, "", (int)longest, (*commands)->name,
			    (*commands)->help[HELP_SUMMARY]);
}

void help_nouns(struct sink *s, const struct command *const *commands, unsigned int indent)
{
	for (; *commands; commands++)
		if ((*commands)->nouns)
			help_list(s, (*commands)->nouns, indent);
}

bool help_is_option(int letter)
{
	return option_find(letter);
}

/* The nearest of some, if it is nearer than one that was found before. */
static void find_nearest(const struct command *const *commands, const char *name,
			 const char **nearest, unsigned int *least)
{
	for (; *commands; commands++) {
		unsigned int distance = likeness_distance(name, (*commands)->name);

		if (distance < *least) {
			*least = distance;
			*nearest = (*commands)->name;
		}
		if ((*commands)->nouns)
			find_nearest((*commands)->nouns, name, nearest, least);
	}
}

void help_unknown(char *buf, size_t size, const struct command *const *commands, const char *name)
{
	unsigned int least = UINT_MAX;
	const char *nearest = NULL;
	char form[16];
	struct strbuf s;

	snprintf(form, sizeof(form), "%s:", name);
	s = strbuf_in(buf, size);
	strbuf_add(&s, "%s: no such command", name);
	find_nearest(commands, name, &nearest, &least);
	if (process_of_word(name))
		strbuf_add(&s, "; processes -f pid=%s has it", process_of_word(name));
	else if (command_of_argument(commands, form))
		strbuf_add(&s, "; an address is one word, as pfn:N or phys:X");
	else if (noun_of_word(name))
		strbuf_add(&s, "; the nearest is %s", noun_of_word(name));
	else if (nearest && likeness_is_near(name, least))
		strbuf_add(&s, "; the nearest is %s", nearest);
}

bool help_takes_log(const struct command *const *commands, const char *word)
{
	const struct command *c = command_find(commands, word), *of;

	if (!c && (of = command_of_noun(commands, word)))
		c = command_find(of->nouns, word);
	return c && c->spec && c->spec->instead;
}

const char *help_view(const struct command *const *commands, int argc, char **argv)
{
	const size_t at = strcmp(argv[0], "memowner") ? 0 : opts_first_word(argc, argv);

	return at && command_of_noun(commands, argv[at]) ? argv[at] : argv[0];
}

void help_shorten(int argc, char **argv)
{
	opts_shorten(argc, argv, "E");
}
