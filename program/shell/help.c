// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell/help.h"

#include <limits.h>
#include <string.h>

#include "util/likeness.h"
#include "util/strbuf.h"

/* What stands in help[] before the lines of its description. */
enum { HELP_NAME, HELP_SUMMARY, HELP_SYNOPSIS, HELP_LINES };

void help_command(struct sink *s, const struct command *c)
{
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

void help_unknown(char *buf, size_t size, const struct command *const *commands, const char *name)
{
	unsigned int least = UINT_MAX;
	const char *nearest = NULL;
	struct strbuf s;

	strbuf_init(&s, buf, size);
	strbuf_add(&s, "%s: no such command", name);
	for (; *commands; commands++) {
		unsigned int distance = likeness_distance(name, (*commands)->name);

		if (distance < least) {
			least = distance;
			nearest = (*commands)->name;
		}
	}
	if (nearest && likeness_is_near(name, least))
		strbuf_add(&s, "; the nearest is %s", nearest);
}
