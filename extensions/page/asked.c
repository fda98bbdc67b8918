// SPDX-License-Identifier: GPL-2.0-or-later
#include "asked.h"

#include <ctype.h>

#define TITLE "next:"
#define INDENT "  "
#define WORDS "  # "
#define ROWS " -n "	/* how many rows are to be seen: the page has as many as it has room for */
#define ROWS_BYTES 6000 /* three of them are as large as the section that has most text */

bool page_asked_take(struct page_asked *a, const char *line, size_t n)
{
	const char *text = arena_text(a->dump->arena, "%.*s", (int)n, line), *words;

	if (!a->is_begun) {
		a->is_begun = !strcmp(text, TITLE);
		return a->is_begun;
	}
	if (a->is_over || strncmp(text, INDENT, strlen(INDENT)) != 0 || a->n == PAGE_ASKED) {
		a->is_over = true;
		return false;
	}
	text += strlen(INDENT);
	words = strstr(text, WORDS);
	a->all[a->n].words = words ? words + strlen(WORDS) : NULL;
	a->all[a->n++].command =
		words ? arena_text(a->dump->arena, "%.*s", (int)(words - text), text) : text;
	return true;
}

bool page_asked_is(const char *command, const char *line)
{
	const char *rows = strstr(command, ROWS);
	size_t n = strlen(command);

	if (rows && !strchr(rows + strlen(ROWS), ' '))
		n = rows - command;
	/* What follows are rows, columns or the order of the same ones. */
	return !strncmp(command, line, n) &&
	       (!line[n] || !strncmp(line + n, " -n ", 4) || !strncmp(line + n, " -o ", 4) ||
		!strncmp(line + n, " -s ", 4));
}

struct page_section page_asked_section(const struct page_asked *a, size_t i)
{
	const char *words = a->all[i].words ?: "what the summary proposes to look at";

	return (struct page_section){
		.name = arena_text(a->dump->arena, "asked%zu", i + 1),
		.title = arena_text(a->dump->arena, "%c%s", toupper((unsigned char)*words),
				    words + 1),
		.line = a->all[i].command,
		.bytes = ROWS_BYTES,
		.lines = 1,
	};
}
