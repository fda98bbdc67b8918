// SPDX-License-Identifier: GPL-2.0-or-later
#include "asked.h"

#include <ctype.h>

#define FILTER " -f "
#define ROWS " -n "  /* how many rows are to be seen: the page has as many as it has room for */
#define FEW ROWS "5" /* of a screen: whoever reads the page cannot ask for more */
#define MORE ROWS "20"
#define ROWS_BYTES 28000 /* three of them take less than the stacks */

void page_asked_add(struct page_asked *a, const char *command, const char *words)
{
	struct arena *arena = a->dump->arena;

	if (a->n == PAGE_ASKED)
		return;
	a->all[a->n].words = words ? arena_strdup(arena, words) : NULL;
	a->all[a->n++].command = arena_strdup(arena, command);
}

/* Of these a section begins with the rows that a filter would keep: it has those that waited most first. */
#define RANKED "memowner pressure -f resource="

/* And of these the section itself is of what is asked for. */
#define ORDER "memowner fragmentation "

bool page_asked_is_stuck(const char *line)
{
	static const char start[] = "memowner stuck";

	return !strncmp(line, start, sizeof(start) - 1);
}

/* Of very many the smallest are nothing to look at: "memowner files -n 60" */
const char *page_asked_few(struct arena *arena, const char *line)
{
	static const struct {
		const char *start, *rows;
	} lists[] = { { "memowner files" ROWS, MORE },
		      { "memowner caches" ROWS, MORE },
		      { "memowner holders" ROWS, FEW } };

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (!strncmp(line, lists[i].start, strlen(lists[i].start)))
			return arena_text(arena, "%.*s%s",
					  (int)(strlen(lists[i].start) - strlen(ROWS)), line,
					  lists[i].rows);
	return line;
}

bool page_asked_takes(const char *command, const char *line)
{
	return !strncmp(command, ORDER, strlen(ORDER)) && !strncmp(line, ORDER, strlen(ORDER));
}

bool page_asked_is(const char *command, const char *line)
{
	const char *rows = strstr(command, ROWS);
	size_t n = strlen(command);

	if (rows && !strchr(rows + strlen(ROWS), ' '))
		n = rows - command;
	if (!strncmp(command, RANKED, strlen(RANKED)))
		n = strcspn(RANKED, "-") - 1;
	/* What follows are rows, columns or the order of the same ones. */
	return !strncmp(command, line, n) &&
	       (!line[n] || !strncmp(line + n, " -n ", 4) || !strncmp(line + n, " -o ", 4) ||
		!strncmp(line + n, " -s ", 4));
}

/* " (kmalloc-2k)", " (cgroup /a)": of what it is, by the last of its filters, whose key the words may have; "": of all. */
static const char *subject(const struct page_asked *a, const char *command, const char *words)
{
	const char *filter = NULL, *value, *key;
	size_t n;

	for (const char *at = command; (at = strstr(at, FILTER)) != NULL;)
		filter = at += strlen(FILTER);
	if (filter && *filter == '"')
		filter++;
	n = filter ? strcspn(filter, "\" ") : 0;
	value = n ? memchr(filter, '=', n) : NULL;
	if (!value)
		return "";
	key = arena_text(a->dump->arena, "%.*s ", (int)(value - filter), filter);
	return arena_text(a->dump->arena, " (%s%.*s)",
			  strstr(arena_text(a->dump->arena, "%s ", words), key) ? "" : key,
			  (int)(filter + n - value - 1), value + 1);
}

/* What a reader may take for something else; kernel threads without work tell nothing. */
static const struct {
	const char *command, *intro, *more;
} about[] = {
	{ "memowner objects -g holder",
	  "HOLDER is the module, or vmlinux, whose variable is at the root of the pointers; which one "
	  "that is has the summary.",
	  "" },
	{ "memowner stuck -a", NULL, " -X place=idle" },
};

struct page_section page_asked_section(const struct page_asked *a, size_t i)
{
	const char *words = a->all[i].words ?: "what the summary proposes to look at";

	const char *command = a->all[i].command, *intro = NULL, *more = "";
	const char *few = strstr(command, FEW), *behind = few ? few + strlen(FEW) : NULL;

	if (few && (!*behind || *behind == ' '))
		command = arena_text(a->dump->arena, "%.*s" MORE "%s", (int)(few - command),
				     command, behind);

	for (size_t k = 0; k < ARRAY_SIZE(about); k++)
		if (!strncmp(command, about[k].command, strlen(about[k].command)) &&
		    !strstr(command, " -X ")) {
			intro = about[k].intro;
			more = about[k].more;
		}
	return (struct page_section){
		.name = arena_text(a->dump->arena, PAGE_ASKED_NAME "%zu", i + 1),
		.title = arena_text(a->dump->arena, "%c%s%s", toupper((unsigned char)*words),
				    words + 1, subject(a, a->all[i].command, words)),
		.line = arena_text(a->dump->arena, "%s%s", command, more),
		.intro = intro,
		.bytes = ROWS_BYTES,
		.lines = 1,
		.is_open = true,
	};
}
