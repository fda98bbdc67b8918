// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of doc/output.md. */
#include "document.h"

#include <stdlib.h>
#include <string.h>

/* The headers of the views of a command: each column once, by its header. */
struct headers {
	const char *command;
	const struct column *columns[512];
	size_t n;
};

static void add_headers(const struct shown *s, void *arg)
{
	struct headers *h = arg;

	if (strcmp(command_of(s->command), h->command))
		return;
	for (size_t i = 0; i < s->table.ncolumns; i++) {
		const struct column *c = table_column(&s->table, i);
		size_t at = 0;

		while (at < h->n && h->columns[at] != c)
			at++;
		if (at < h->n)
			continue;
		if (h->n == sizeof(h->columns) / sizeof(h->columns[0]))
			die("more columns than a table takes", h->command);
		h->columns[h->n++] = c;
	}
}

static const char *title_of(const struct column *c)
{
	return c->title ? c->title : "(lines below the row)";
}

static int by_title(const void *a, const void *b)
{
	const struct column *x = *(const struct column *const *)a,
			    *y = *(const struct column *const *)b;
	int order = strcmp(title_of(x), title_of(y));

	return order ? order : strcmp(x->name, y->name);
}

bool put_headers_of(FILE *f, const char *name)
{
	static struct headers h;

	h = (struct headers){ .command = name };
	visit_all(add_headers, &h);
	qsort(h.columns, h.n, sizeof(h.columns[0]), by_title);
	fputs("\n| header | key | meaning |\n| --- | --- | --- |\n", f);
	for (size_t i = 0; i < h.n; i++)
		fprintf(f, "| %s | `%s` | %s |\n", title_of(h.columns[i]), h.columns[i]->name,
			h.columns[i]->help);
	fputs("\n", f);
	return h.n;
}

bool put_terms_of(FILE *f, const char *name)
{
	for (const struct command *const *c = port_commands; *c; c++) {
		const struct term *t = (*c)->spec->terms;

		if (strcmp((*c)->name, name) || !t)
			continue;
		fputs("\n| term | meaning |\n| --- | --- |\n", f);
		for (; t->name; t++)
			fprintf(f, "| %s | %s |\n", t->name, t->help);
		fputs("\n", f);
		return true;
	}
	return false;
}
