// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of doc/output.md, that of nouns in doc/views.md, what manual pages have besides help. */
#include "document.h"

#include <stdlib.h>
#include <string.h>

/* The headers of the views of a command: each column once, by its header. */
struct headers {
	const char *command;
	const struct column *columns[1024];
	size_t n;
};

static void add_headers(const struct shown *s, void *arg)
{
	struct headers *h = arg;

	if (strcmp(command_of(s->command, s->view), h->command))
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

/* What a noun takes of an option: an example of its value, or "yes". */
static void put_noun_option(FILE *f, const struct command *noun, char letter)
{
	const struct command_option *row = noun->spec->options;
	const char *value = "yes", *with = "";

	while (row->letter && row->letter != letter)
		row++;
	if (row->letter && row->values)
		value = row->values;
	if (!row->letter)
		value = "-";
	if (row->letter && row->views && row->letter != 'd' &&
	    !cmdline_is_among(noun->spec->views[0]->name, row->views))
		with = strcmp(row->views, "diff") ? " (with -g)" : " (with -d)";
	fprintf(f, " %.*s%s |", (int)strcspn(value, " "), value, with);
}

/* A column is an option, a row a noun: there are more nouns than options. */
static void put_nouns(const struct command *const *nouns, FILE *f)
{
	static const char letters[] = "adgfXsrnolj";

	fputs("\n| view |", f);
	for (const char *c = letters; *c; c++)
		fprintf(f, " -%c |", *c);
	fputs("\n| --- |", f);
	for (const char *c = letters; *c; c++)
		fputs(" --- |", f);
	fputs("\n", f);
	for (; *nouns; nouns++) {
		fprintf(f, "| %s |", (*nouns)->name);
		for (const char *c = letters; *c; c++)
			put_noun_option(f, *nouns, *c);
		fputs("\n", f);
	}
	fputs("\n", f);
}

/* Two columns further in: a line of the help of a noun is no heading of the page. */
static bool put_indented(void *priv, const char *s, size_t n)
{
	bool *in_line = priv;

	for (size_t i = 0; i < n; i++) {
		if (!*in_line && s[i] != '\n')
			fputs("  ", stdout);
		*in_line = s[i] != '\n';
		putchar(s[i]);
	}
	return true;
}

void put_notes(const struct command *c)
{
	static struct sink sink;
	bool in_line = false;

	if (c->notes)
		puts("\nNOTES");
	for (char **line = c->notes; line && *line; line++)
		puts(*line);
	if (!c->nouns)
		return;
	puts("\nVIEWS");
	sink_init(&sink, put_indented, &in_line);
	for (const struct command *const *noun = c->nouns; *noun; noun++) {
		noun_help((*noun)->spec, (*noun)->spec->views[0], &sink);
		if (noun[1])
			sink_text(&sink, "\n");
	}
	sink_flush(&sink);
}

bool put_nouns_of(FILE *f, const char *name)
{
	for (const struct command *const *c = port_commands; *c; c++)
		if (!strcmp((*c)->name, name) && (*c)->nouns) {
			put_nouns((*c)->nouns, f);
			return true;
		}
	return false;
}
