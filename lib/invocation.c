// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "invocation.h"
#include "kernelmap.h"

static bool is_given(const struct opts *o, char letter)
{
	switch (letter) {
	case 'n':
		return o->has_rows;
	case 'r':
		return o->reverse;
	case 's':
		return o->sort;
	case 'o':
		return o->columns;
	case 'j':
		return o->json;
	case 'a':
		return o->all;
	case 'l':
		return o->lines;
	default:
		return false;
	}
}

static enum status unknown_view(struct dump *d, const char *name, const struct usage *usage)
{
	char known[128] = "";

	for (size_t i = 0; i < usage->nviews; i++) {
		const char *view = usage->views[i]->name;

		if (strlen(known) + strlen(view) + 2 > sizeof(known))
			break;
		strcat(known, i ? " " : "");
		strcat(known, view);
	}
	return dump_fail(d, DUMP_USAGE, "unknown view '%s', -t takes: %s", name, known);
}

static enum status choose_view(struct dump *d, const struct usage *usage, struct invocation *in)
{
	const struct opts *o = &in->opts;
	const struct view *view;

	while (o->view && in->view < usage->nviews && strcmp(usage->views[in->view]->name, o->view))
		in->view++;
	if (in->view == usage->nviews)
		return unknown_view(d, o->view, usage);
	view = usage->views[in->view];
	for (const char *letter = view->refuses; *letter; letter++)
		if (is_given(o, *letter))
			return dump_fail(d, DUMP_USAGE, "-%c does not go with the view '%s'",
					 *letter, view->name);
	if (o->json && o->notes)
		return dump_fail(d, DUMP_USAGE, "-j does not go with -D");
	return DUMP_OK;
}

static enum status set_up_table(struct dump *d, const struct view *view, struct invocation *in)
{
	const struct opts *o = &in->opts;
	enum status st = DUMP_OK;

	table_init(&in->table, d, view->columns, view->ncolumns, o->json);
	if (o->columns)
		st = table_select(&in->table, o->columns);
	/* There is nothing to sort yet: this checks the keys. */
	if (st == DUMP_OK && o->sort)
		st = table_sort(&in->table, o->sort, false);
	return st;
}

static void list_columns(const struct view *view, struct sink *out)
{
	for (size_t i = 0; i < view->ncolumns; i++)
		sink_printf(out, "%-20s %s\n", view->columns[i].name, view->columns[i].help);
}

enum status invocation_parse(struct dump *d, struct sink *out, int argc, char **argv,
			     const struct usage *usage, struct invocation *ret)
{
	struct invocation in = { .view = 0 };
	const struct view *view;
	enum status st = opts_parse(d, argc, argv, usage->letters, &in.opts);

	if (st == DUMP_OK)
		st = choose_view(d, usage, &in);
	if (st != DUMP_OK)
		return st;
	view = usage->views[in.view];
	if (in.opts.nargs && usage->with_arguments)
		view = usage->with_arguments;
	if (in.opts.help) {
		sink_printf(out, "%s: %s\nusage: %s %s\n\"help %s\" has the details.\n",
			    usage->help[0], usage->help[1], usage->help[0], usage->help[2],
			    usage->help[0]);
		in.done = true;
	} else if (in.opts.columns && !strcmp(in.opts.columns, "help")) {
		list_columns(view, out);
		in.done = true;
	} else {
		st = set_up_table(d, view, &in);
	}
	d->take_notes = in.opts.notes;
	if (st == DUMP_OK && !in.done && d->linear_only && kernel_map_open(d) != DUMP_OK)
		dump_note(d, "decide no page tables: %s", d->error);
	if (st == DUMP_OK)
		*ret = in;
	return st;
}
