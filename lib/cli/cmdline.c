// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/cmdline.h"

#include <strings.h>

#include "cli/meant.h"
#include "cli/textfile.h"
#include "util/likeness.h"

/* The views that the help describes with -t. */
static enum status unknown_view(struct dump *d, const char *name, const struct command_spec *usage)
{
	const struct command_option *row = usage->options;
	char hint[LIKENESS_HINT];

	while (row->letter != 't')
		row++;
	return dump_usage(d, "unknown view '%s'%s, -t takes: %s", name,
			  likeness_hint(hint, name, strlen(name), row->values), row->values);
}

bool cmdline_is_among(const char *name, const char *names)
{
	size_t len = strlen(name);

	for (; *names; names += strcspn(names, " "), names += *names == ' ')
		if (strcspn(names, " ") == len && !memcmp(names, name, len))
			return true;
	return false;
}

/* Whether the arguments are those of a view, where those of most views are of another. */
static bool claims(const struct command_spec *usage, const char *name, const struct opts *o)
{
	for (size_t i = 0; i < usage->nviews; i++)
		if (!strcmp(usage->views[i]->name, name))
			return usage->views[i]->claims && usage->views[i]->claims(o->args[0]);
	return false;
}

/* What -t names, or the first option that is a view of its own. */
static const char *view_name(const struct command_spec *usage, const struct opts *o)
{
	if (o->view)
		return o->view;
	for (const struct command_option *row = usage->options; row->letter; row++)
		if (row->chooses && opts_given(o, row->letter) &&
		    (!o->nargs || !usage->with_arguments || claims(usage, row->chooses, o)))
			return row->chooses;
	return NULL;
}

/* A view that an option chooses needs that option; without a value it is as good as given. */
static enum status check_chosen(struct dump *d, const struct command_spec *usage,
				const struct view *view, struct opts *o)
{
	for (const struct command_option *row = usage->options; row->letter; row++) {
		if (!row->chooses || strcmp(row->chooses, view->name) || opts_given(o, row->letter))
			continue;
		if (row->values)
			return dump_usage(d, "the view '%s' needs -%c", view->name, row->letter);
		opts_set_flag(o, row->letter);
	}
	return ST_OK;
}

/* The views that accept an option, as they are called: "-e or -t timeline"; NULL: none has a call. */
static const char *takers(const struct command_spec *usage, const struct command_option *row,
			  char *buf, size_t size)
{
	struct strbuf s = strbuf_in(buf, size);

	for (size_t i = 0; i < usage->nviews; i++)
		if (*usage->views[i]->call && cmdline_is_among(usage->views[i]->name, row->views))
			strbuf_add(&s, "%s%s", strbuf_between(&s, " or "), usage->views[i]->call);
	return s.len ? buf : NULL;
}

/* A view that another command has; NULL: it is none. */
static const struct moved_view *moved_to(const struct command_spec *usage, const char *name)
{
	for (const struct moved_view *m = usage->moved; m && m->name; m++)
		if (!strcasecmp(m->name, name))
			return m;
	return NULL;
}

/* No argument of a command is the name of a view: who types it wants the view. */
static enum status check_words(struct dump *d, const struct command_spec *usage,
			       const struct opts *o)
{
	const struct moved_view *m = o->view ? moved_to(usage, o->view) : NULL;

	if (m)
		return dump_usage(d, "-t %s is the view '%s'", m->name, m->call);
	for (unsigned int i = 0; i < o->nargs; i++) {
		m = moved_to(usage, o->args[i]);
		if (m)
			return dump_usage(d, "'%s' is a view: %s", m->name, m->call);
		for (size_t n = 0; n < usage->nviews; n++) {
			const struct view *view = usage->views[n];

			if (strcasecmp(view->name, o->args[i]))
				continue;
			if (!*view->call)
				return dump_usage(
					d, "'%s' is the view that %s shows without arguments",
					view->name, usage->help[0]);
			return dump_usage(d, "'%s' is a view: %s %s", view->name, usage->help[0],
					  view->call);
		}
	}
	return ST_OK;
}

static enum status check_arguments(struct dump *d, const struct command_spec *usage,
				   const struct view *view, const struct opts *o)
{
	enum status st = ST_OK;

	if (view != usage->with_arguments || !usage->check_argument)
		return ST_OK;
	for (unsigned int i = 0; i < o->nargs && st == ST_OK; i++)
		st = usage->check_argument(d, o->args[i]);
	return st;
}

/* An error names what was typed: the option, and the one or the argument that chose the view. */
static enum status check_taken(struct dump *d, const struct command_spec *usage,
			       const struct view *view, const struct view *shown,
			       const struct opts *o)
{
	for (const struct command_option *row = usage->options; row->letter; row++) {
		char calls[128];
		const char *needs;

		if (!opts_given(o, row->letter) || !row->views ||
		    cmdline_is_among(view->name, row->views) ||
		    cmdline_is_among(shown->name, row->views))
			continue;
		if (row->error)
			return dump_usage(d, "%s", row->error);
		if (usage->command && view->grouped &&
		    cmdline_is_among(view->grouped->name, row->views))
			return dump_usage(d, "-%c needs -g", row->letter);
		if (usage->command && !view->baseline && !strcmp(row->views, "diff"))
			return dump_usage(d, "-%c needs -d%s%s%s", row->letter,
					  usage->rows_of ? "; " : "",
					  usage->rows_of ? usage->rows_of->help[0] : "",
					  usage->rows_of ? " takes it" : "");
		if (usage->command || *view->call == '-')
			return dump_usage(d, "-%c cannot be combined with %s", row->letter,
					  view->baseline	    ? "-d"
					  : *view_call(usage, view) ? view_call(usage, view)
								    : usage->help[0]);
		/* What is no argument at all is told so. */
		if (o->nargs && check_arguments(d, usage, view, o) != ST_OK)
			return ST_USAGE;
		if (o->nargs)
			return dump_usage(d, "-%c cannot be combined with the argument '%s'",
					  row->letter, o->args[0]);
		needs = o->view ? NULL : takers(usage, row, calls, sizeof(calls));
		return needs ? dump_usage(d, "-%c needs %s", row->letter, needs)
			     : dump_usage(d, "-%c cannot be combined with -t %s", row->letter,
					  view->name);
	}
	return ST_OK;
}

static enum status check_pairs(struct dump *d, const struct option_pair *pairs,
			       const struct opts *o)
{
	for (; pairs && pairs->a; pairs++)
		if (opts_given(o, pairs->a) && opts_given(o, pairs->b))
			return dump_usage(d, "-%c cannot be combined with -%c%s", pairs->a,
					  pairs->b, pairs->why);
	return ST_OK;
}

/* Whether another view has the groups of one, by the names in -g. */
static bool stands_for(const struct view *view, const char *group)
{
	if (!group || !view->grouped)
		return false;
	for (const char *name = group; view->grouped_by; name++) {
		const size_t len = strcspn(name, ",");

		if (len == strlen(view->grouped_by) && !strncmp(name, view->grouped_by, len))
			return true;
		name += len;
		if (!*name)
			return false;
	}
	return true;
}

static enum status choose_view(struct dump *d, const struct command_spec *usage, struct cmdline *in)
{
	static const struct option_pair of_all[] = { { 'j', 'D', "" }, { 0, 0, NULL } };
	struct opts *o = &in->opts;
	const struct view *view;
	const char *name = view_name(usage, o);
	char meant[MEANT_TEXT] = "";

	while (name && in->view < usage->nviews && strcmp(usage->views[in->view]->name, name))
		in->view++;
	if (in->view == usage->nviews)
		return unknown_view(d, name, usage);
	view = usage->views[in->view];
	if (o->nargs && usage->with_arguments && !claims(usage, view->name, o))
		view = usage->with_arguments;
	if (o->nargs && view->named)
		view = view->named;
	in->shown = stands_for(view, o->group) ? view->grouped : view;
	if (view->of_json && o->diff && text_source_begins(o->diff, '{'))
		in->shown = view->of_json;
	if (o->nargs && view != usage->with_arguments && !view->takes_arguments) {
		if (!usage->command && *view->call != '-')
			return dump_usage(d, "unexpected argument '%s'", o->args[0]);
		if (usage->command)
			meant_text(usage, view, o->args[0], meant);
		return dump_usage(d, "%s takes no argument: '%s'%s",
				  usage->command ? usage->help[0] : view->call, o->args[0], meant);
	}
	return check_chosen(d, usage, view, o) ?: check_taken(d, usage, view, in->shown, o) ?:
		check_pairs(d, of_all, o) ?: check_pairs(d, usage->pairs, o);
}

/* The first of "a,+b" that only groups have, by its length; NULL: none. */
static const char *of_groups(const struct key_set *set, const struct view *view, const char *names,
			     size_t *len)
{
	const struct view *grouped = view->grouped;

	for (; names && *names; names += *names == ',') {
		names += *names == '+' || *names == '-';
		*len = strcspn(names, ",=");
		if (column_find(set->columns, set->ncolumns, names, *len) == set->ncolumns &&
		    key_find(set->keys, set->n, ~0U, names, *len) == set->n &&
		    column_find(grouped->columns, grouped->ncolumns, names, *len) <
			    grouped->ncolumns)
			return names;
		names += strcspn(names, ",");
	}
	return NULL;
}

/* A column that there is only with -g is not misspelt. */
static enum status check_ungrouped(struct dump *d, const struct key_set *set,
				   const struct view *view, const struct opts *o)
{
	const char *name;
	size_t len = 0;

	if (!view->grouped || o->group)
		return ST_OK;
	name = of_groups(set, view, o->columns, &len) ?: of_groups(set, view, o->sort, &len);
	for (unsigned int i = 0; !name && i < o->nfilters; i++) {
		name = of_groups(set, view, o->filters[i].text, &len);
		/* Behind a comma stand values. */
		if (name != o->filters[i].text)
			name = NULL;
	}
	return name ? dump_usage(d, "%.*s is a column of groups: it needs -g", (int)len, name)
		    : ST_OK;
}

static enum status parse_keys(struct dump *d, const struct command_spec *usage,
			      const struct view *view, struct cmdline *in)
{
	const struct opts *o = &in->opts;
	struct key_set set = view_keys(usage, view);
	enum status st = check_ungrouped(d, &set, view, o);

	member_keys_add(d, view, &set);
	st = st ?: filters_parse(d, o, &set, &in->filters);
	in->keys = set.keys;
	in->nkeys = set.n;
	for (unsigned int i = 0; st == ST_OK && i < in->filters.n; i++) {
		const struct key *key = &set.keys[in->filters.filters[i].key];

		if (key->use & KEY_OF_GROUP && !view->has_groups)
			return dump_usage(d, "-%c %s cannot be combined with %s%s",
					  in->filters.filters[i].exclude ? 'X' : 'f',
					  in->filters.filters[i].name,
					  usage->command || *view->call ? "" : "-t ",
					  usage->command ? usage->help[0]
					  : *view->call	 ? view->call
							 : view->name);
	}
	if (st == ST_OK && o->group)
		st = keys_parse(d, o->group, &set, in->groups, GROUP_KEYS, &in->ngroups);
	member_keys_tell(in);
	return st;
}

/* What is not looked up is no answer. */
static enum status check_needs(struct dump *d, const struct cmdline *in,
			       const struct view_column *c, char option)
{
	bool has_key = !c->needs_key;

	for (size_t i = 0; i < in->ngroups; i++)
		has_key |= in->keys[in->groups[i]].column == c->needs_key;
	if (c->needs_option && !opts_given(&in->opts, c->needs_option))
		return dump_usage(d, "-%c %s needs -%c", option, view_column(c)->name,
				  c->needs_option);
	return has_key ? ST_OK
		       : dump_usage(d, "-%c %s needs -g %s", option, view_column(c)->name,
				    column_catalogue[c->needs_key].name);
}

static enum status check_looked_up(struct dump *d, const struct cmdline *in)
{
	const struct table *t = &in->table;
	enum status st = ST_OK;

	for (unsigned int i = 0; i < in->filters.nrows && st == ST_OK; i++)
		st = check_needs(d, in, &t->columns[in->filters.rows[i].key],
				 in->filters.rows[i].exclude ? 'X' : 'f');
	for (size_t i = 0; i < t->ncolumns && st == ST_OK; i++)
		if (t->sorted[i] && in->opts.sort)
			st = check_needs(d, in, &t->columns[i], 's');
	return st;
}

void cmdline_show_keys(struct cmdline *in)
{
	struct table *t = &in->table;

	for (size_t i = 0; i < in->ngroups; i++)
		table_show(t, in->keys[in->groups[i]].column);
}

/* A key may be of a column that the view lacks. */
static void mark_keys(struct cmdline *in)
{
	size_t column;

	for (size_t i = 0; i < in->ngroups; i++) {
		column = table_index(&in->table, in->keys[in->groups[i]].column);
		if (column < in->table.ncolumns)
			in->table.keys[column] = true;
	}
	for (unsigned int i = 0; i < in->filters.n; i++) {
		column = table_index(&in->table, in->keys[in->filters.filters[i].key].column);
		if (column < in->table.ncolumns)
			in->table.chose[column] = true;
	}
}

static enum status set_up_table(struct dump *d, const struct command_spec *usage,
				const struct view *view, struct cmdline *in)
{
	const struct opts *o = &in->opts;
	enum status st = table_init(&in->table, d, view->columns, view->ncolumns, o->json);

	if (st != ST_OK)
		return st;
	in->table.call = view_call(usage, view);
	for (unsigned int i = 0; i < in->filters.nrows; i++)
		in->table.filtered[in->filters.rows[i].key] = true;
	mark_keys(in);
	if (view->prepare)
		view->prepare(in);
	if (in->shown->row) {
		in->table.one = in->shown->row;
		in->table.many = in->shown->many;
	}
	if (o->columns)
		st = table_select(&in->table, o->columns);
	if (st == ST_OK && o->sort)
		st = table_check_sort(&in->table, o->sort);
	st = st ?: check_looked_up(d, in);
	/* What orders the rows is seen, unless the columns are chosen. */
	if (st == ST_OK && o->sort && !o->columns)
		table_show_sorted(&in->table);
	return st;
}

bool cmdline_groups_by(const struct cmdline *in, size_t key)
{
	return ANY_OF(i, in->ngroups, in->groups[i] == key);
}

bool cmdline_cuts_groups(const struct cmdline *in)
{
	return in->ngroups &&
	       ANY_OF(i, in->filters.n,
		      !cmdline_groups_by(in, in->filters.filters[i].key) &&
			      !(in->keys[in->filters.filters[i].key].use & KEY_OF_GROUP));
}

bool cmdline_filters_column(const struct cmdline *in, enum column_id column)
{
	const struct filters *f = &in->filters;

	return ANY_OF(i, f->n, in->keys[f->filters[i].key].column == column) ||
	       ANY_OF(i, f->nrows, in->shown->columns[f->rows[i].key].id == column);
}

bool cmdline_groups_column(const struct cmdline *in, enum column_id column)
{
	return ANY_OF(i, in->ngroups, in->keys[in->groups[i]].column == column);
}

bool cmdline_filters_by(const struct cmdline *in, size_t key)
{
	return ANY_OF(i, in->filters.n, in->filters.filters[i].key == key);
}

void cmdline_reselect(struct cmdline *in)
{
	if (in->opts.columns)
		table_select(&in->table, in->opts.columns);
}

/* Other names that are accepted, in any case: its header, its alias; "; also: OLDEST". */
static void add_names(struct strbuf *s, enum column_id id, bool *any)
{
	const struct column *c = &column_catalogue[id];
	const char *const names[] = { c->title, c->alias };

	for (size_t i = 0; i < 2; i++) {
		if (!names[i] || !strcasecmp(names[i], c->name) ||
		    (i && c->title && !strcasecmp(c->title, c->alias)))
			continue;
		strbuf_add(s, *any ? ", %s" : "; also: %s", names[i]);
		*any = true;
	}
}

static void list_columns(const struct view *view, struct sink *out)
{
	for (size_t i = 0; i < view->ncolumns; i++) {
		const struct view_column *c = &view->columns[i];
		const struct column *col = view_column(c);
		bool any = false;
		struct strbuf s = STRBUF_OF(512);

		strbuf_add(&s, "%s", col->help);
		if (c->note || view_has_common(view, c))
			strbuf_add(&s, " (%s)", c->note ?: "if all have the same");
		add_names(&s, c->id, &any);
		glossary_entry(out, col->name, s.buf);
	}
}

/* The explanation of a key, with the values that it accepts if they are known. */
static void list_key(const struct key *key, struct sink *out)
{
	bool any = false;
	struct strbuf s = STRBUF_OF(512);

	strbuf_add(&s, "%s", key->help);
	add_names(&s, key->column, &any);
	if (key->also) {
		strbuf_add(&s, any ? ", %s" : "; also: %s", column_catalogue[key->also].name);
		any = true;
	}
	for (const char *const *c = key->choices; c && *c; c++)
		strbuf_add(&s, "%s%s", c == key->choices ? ". Values: " : " ", *c);
	glossary_entry(out, key_name(key), s.buf);
}

static void list_keys(const struct command_spec *usage, const struct view *view, unsigned int use,
		      struct sink *out)
{
	const struct key_set set = view_keys(usage, view);
	const char *members = (view->grouped ?: view)->members;
	struct strbuf text = STRBUF_OF(192);

	for (size_t i = 0; i < set.n; i++)
		if (set.keys[i].use & use)
			list_key(&set.keys[i], out);
	if (!(use & KEY_FILTERS) || !set.filters_rows)
		return;
	filter_add_columns(&text, "any other column", &set);
	strbuf_add(&text, ": keeps the rows that have the value%s%s%s",
		   members ? "; of groups, keys and columns that they lack filter the " : "",
		   members ?: "", members ? " that they consist of" : "");
	glossary_entry(out, "COLUMN", text.buf);
}

/* The forms of VALUE in "-f KEY=VALUE". */
static const struct term value_forms[] = {
	{ "text", "a glob (nfs*), or a regular expression between slashes (/nfs|xfs/)" },
	{ "number", "5, 0x1f, 2.. (2 or more), ..8 (8 or less) or 2..8" },
	{ "size", "a number of bytes, or with K M G, of 1024 (KB and KiB too): 64K.., 4K..2G; "
		  "as it is printed, 190.3M, what is printed so" },
	{ "time", "with ns us ms s min h d: ..500ms, 5min..2h, 1h30min; of a log without one "
		  "seconds; as it is printed, 9.7s, what is printed so, at an end of a range too" },
	{ "VALUE,VALUE",
	  "any of these; a comma of VALUE itself is typed \\,, but for one VALUE alone "
	  "as it is printed" },
	{ "-", "no value: it is unknown, or there is none" },
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
	if (o->help && usage->command)
		noun_help(usage, view, out);
	else if (o->help)
		sink_printf(out, "%s: %s\nusage: %s %s\n\"help %s\" has the details.\n",
			    usage->help[0], usage->help[1], usage->help[0], usage->help[2],
			    usage->help[0]);
	else if (is_help(o->columns))
		list_columns(view, out);
	else if (is_help(o->group)) {
		list_keys(usage, view, KEY_GROUPS, out);
		glossary_print(out, "Terms", usage->terms);
	} else if (o->nfilters && is_help(o->filters[0].text)) {
		list_keys(usage, view, KEY_FILTERS | KEY_OF_GROUP, out);
		glossary_print(out, "Values", value_forms);
	} else {
		return false;
	}
	return true;
}

/* "CMD help" and "CMD --help" are "CMD -h", also of a log: "-L FILE" beside it. */
static bool is_help_word(int argc, char **argv)
{
	const char *word = NULL;
	int words = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-L") && i + 1 < argc) {
			i++;
			continue;
		}
		word = argv[i];
		words++;
	}
	return words == 1 && (!strcmp(word, "help") || !strcmp(word, "--help"));
}

/* Of a noun that is misspelt no option is known: the word is told, not the option. */
static enum status check_noun(struct dump *d, const struct command_spec *usage, int argc,
			      char **argv)
{
	const char *why = dump_why(d);
	size_t word = opts_first_word(argc, argv);

	if (!word || !usage->command || !usage->check_argument ||
	    usage->check_argument(d, argv[word]) != ST_USAGE)
		dump_usage(d, "%s", why);
	return ST_USAGE;
}

enum status cmdline_parse(struct dump *d, struct sink *out, int argc, char **argv,
			  const struct command_spec *usage, struct cmdline *ret)
{
	char *short_help[] = { argv[0], "-h", NULL };
	struct cmdline in = { .view = 0 };
	size_t n;
	char letters[OPTS_LETTERS + 1];
	enum status st;

	for (n = 0; usage->options[n].letter && n < OPTS_LETTERS; n++)
		letters[n] = usage->options[n].letter;
	letters[n] = '\0';
	if (is_help_word(argc, argv)) {
		argc = 2;
		argv = short_help;
	}
	st = opts_parse(d, argc, argv, letters, &in.opts);

	if (st == ST_USAGE)
		return check_noun(d, usage, argc, argv);
	st = st ?: check_words(d, usage, &in.opts) ?: choose_view(d, usage, &in);
	if (st != ST_OK)
		return st;
	in.done = answer(usage, in.shown, &in.opts, out);
	if (!in.done)
		st = check_arguments(d, usage, in.shown, &in.opts);
	if (!in.done && st == ST_OK)
		st = parse_keys(d, usage, in.shown, &in);
	if (!in.done && st == ST_OK)
		st = set_up_table(d, usage, in.shown, &in);
	d->tracing = in.opts.notes;
	return RESULT(st, ret, in);
}
