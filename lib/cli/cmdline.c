// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/cmdline.h"

#include <stdio.h>
#include <string.h>

static bool is_given(const struct opts *o, char letter)
{
	switch (letter) {
	case 't':
		return o->view;
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
	case 'k':
		return o->counters;
	case 'c':
		return o->has_near;

	case 'm':
		return o->memory;
	case 'w':
		return o->save;
	case 'R':
		return o->saved;
	case 'd':
		return o->diff;
	case 'P':
		return o->cpus_of;
	case 'C':
		return o->check;
	case 'f':
		return o->nfilters;
	case 'g':
		return o->group;
	case 'l':
		return o->lines;
	default:
		return false;
	}
}

static enum status unknown_view(struct dump *d, const char *name, const struct command_spec *usage)
{
	char known[128] = "";

	for (size_t i = 0; i < usage->nviews; i++) {
		const char *view = usage->views[i]->name;

		if (strlen(known) + strlen(view) + 2 > sizeof(known))
			break;
		strcat(known, i ? " " : "");
		strcat(known, view);
	}
	return dump_fail(d, ST_USAGE, "unknown view '%s', -t takes: %s", name, known);
}

static bool has_view(const struct command_spec *usage, const char *name)
{
	for (size_t i = 0; i < usage->nviews; i++)
		if (!strcmp(usage->views[i]->name, name))
			return true;
	return false;
}

/* Some options are a view of their own; -c is a call site where there is a view of them. */
static const char *view_name(const struct command_spec *usage, const struct opts *o)
{
	if (o->has_near && !o->nargs && has_view(usage, "context"))
		return "context";
	return o->view	     ? o->view
	       : o->check    ? "check"
	       : o->memory   ? "memory"
	       : o->save     ? "save"
	       : o->diff     ? "diff"
	       : o->counters ? "counters"
	       : o->cpus_of  ? "cpus"
			     : NULL;
}

static enum status choose_view(struct dump *d, const struct command_spec *usage, struct cmdline *in)
{
	const struct opts *o = &in->opts;
	const struct view *view;
	const char *name = view_name(usage, o);

	while (name && in->view < usage->nviews && strcmp(usage->views[in->view]->name, name))
		in->view++;
	if (in->view == usage->nviews)
		return unknown_view(d, name, usage);
	view = usage->views[in->view];
	if (o->nargs && usage->with_arguments)
		view = usage->with_arguments;
	else if (o->group && view->grouped)
		view = view->grouped;
	in->shown = view;
	if (view->needs && !is_given(o, view->needs))
		return dump_fail(d, ST_USAGE, "the view '%s' needs -%c", view->name, view->needs);
	for (const char *letter = view->refuses; *letter; letter++)
		if (is_given(o, *letter))
			return view == usage->with_arguments
				       ? dump_fail(d, ST_USAGE, "-%c does not go with %s", *letter,
						   view->call)
				       : dump_fail(d, ST_USAGE,
						   "-%c does not go with the view '%s'", *letter,
						   view->name);
	if (o->json && o->notes)
		return dump_fail(d, ST_USAGE, "-j does not go with -D");
	return ST_OK;
}

static enum status parse_keys(struct dump *d, const struct command_spec *usage,
			      const struct view *view, struct cmdline *in)
{
	const struct opts *o = &in->opts;
	enum status st = filters_parse(d, o, usage->keys, usage->nkeys, &in->filters);

	for (unsigned int i = 0; st == ST_OK && i < in->filters.n; i++) {
		const struct key *key = &usage->keys[in->filters.filters[i].key];

		if (key->use & KEY_OF_GROUP && !view->has_groups)
			return dump_fail(d, ST_USAGE, "filter %s does not go with the view '%s'",
					 key->name, view->name);
	}
	if (st == ST_OK && o->group)
		st = keys_parse(d, o->group, usage->keys, usage->nkeys, in->groups, GROUP_KEYS,
				&in->ngroups);
	return st;
}

static enum status set_up_table(struct dump *d, const struct view *view, struct cmdline *in)
{
	const struct opts *o = &in->opts;
	enum status st = table_init(&in->table, d, view->columns, view->ncolumns, o->json);

	if (st != ST_OK)
		return st;
	if (view->prepare)
		view->prepare(in);
	if (o->columns)
		st = table_select(&in->table, o->columns);
	/* There is nothing to sort yet: this checks the keys. */
	if (st == ST_OK && o->sort)
		st = table_sort(&in->table, o->sort, false);
	return st;
}

static void list_columns(const struct view *view, struct sink *out)
{
	for (size_t i = 0; i < view->ncolumns; i++) {
		const struct view_column *c = &view->columns[i];
		const struct column *col = view_column(c);
		char text[512];

		snprintf(text, sizeof(text), "%s%s%s", col->help, c->note ? ", " : "",
			 c->note ? c->note : "");
		glossary_entry(out, col->name, text);
	}
}

/* The explanation of a key, with the values that it accepts if they are known. */
static void list_key(const struct key *key, struct sink *out)
{
	char text[512];
	size_t at = snprintf(text, sizeof(text), "%s", key->help);

	for (const char *const *c = key->choices; c && *c && at < sizeof(text); c++)
		at += snprintf(text + at, sizeof(text) - at, "%s%s",
			       c == key->choices ? ". Values: " : " ", *c);
	glossary_entry(out, key->name, text);
}

static void list_keys(const struct command_spec *usage, unsigned int use, struct sink *out)
{
	for (size_t i = 0; i < usage->nkeys; i++)
		if (usage->keys[i].use & use)
			list_key(&usage->keys[i], out);
}

/* The forms of VALUE in "-f KEY=VALUE". */
static const struct term value_forms[] = {
	{ "text", "a glob (nfs*), or a regular expression between slashes (/nfs|xfs/)" },
	{ "number", "5, 2.. (2 or more), ..8 (8 or less) or 2..8" },
	{ "size", "a number of bytes, or with K M G: 64K.., 4K..2G" },
	{ "time", "with ns us ms s min h d: ..500ms, 5min..2h" },
	{ "VALUE,VALUE", "any of these" },
	{ "-", "the unknown value" },
	{ NULL, NULL },
};

/* "-o help" and its like. */
static bool is_help(const char *value)
{
	return value && !strcmp(value, "help");
}

/* What can be asked about the options themselves. */
static bool answer(const struct command_spec *usage, const struct view *view, const struct opts *o,
		   struct sink *out)
{
	if (o->help)
		sink_printf(out, "%s: %s\nusage: %s %s\n\"help %s\" has the details.\n",
			    usage->help[0], usage->help[1], usage->help[0], usage->help[2],
			    usage->help[0]);
	else if (is_help(o->columns))
		list_columns(view, out);
	else if (is_help(o->group)) {
		list_keys(usage, KEY_GROUPS, out);
		glossary_print(out, "Terms", usage->terms);
	} else if (o->nfilters && is_help(o->filters[0].text)) {
		list_keys(usage, KEY_FILTERS | KEY_OF_GROUP, out);
		glossary_print(out, "Values", value_forms);
	} else {
		return false;
	}
	return true;
}

enum status cmdline_parse(struct dump *d, struct sink *out, int argc, char **argv,
			  const struct command_spec *usage, struct cmdline *ret)
{
	struct cmdline in = { .view = 0 };
	enum status st = opts_parse(d, argc, argv, usage->letters, &in.opts);

	if (st == ST_OK)
		st = choose_view(d, usage, &in);
	if (st != ST_OK)
		return st;
	in.done = answer(usage, in.shown, &in.opts, out);
	if (!in.done)
		st = parse_keys(d, usage, in.shown, &in);
	if (!in.done && st == ST_OK)
		st = set_up_table(d, in.shown, &in);
	d->tracing = in.opts.notes;
	if (st == ST_OK)
		*ret = in;
	return st;
}
