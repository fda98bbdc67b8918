// SPDX-License-Identifier: GPL-2.0-or-later
/* Of columns that were asked for and are "-" in all rows: why; of keys of -g that rows do not have, or do not show. */
#include "cli/rows.h"

/* Whether it is a key of -g. */
static bool is_group_key(const struct cmdline *in, enum column_id id)
{
	return ANY_OF(i, in->nkeys, in->keys[i].column == id && in->keys[i].use & KEY_GROUPS);
}

void rows_note_groups(struct cmdline *in)
{
	struct table *t = &in->table;

	for (size_t i = 0; i < t->ncolumns && in->ngroups; i++) {
		const struct view_column *c = &t->columns[i];

		t->may_differ[i] = !cmdline_groups_column(in, c->id) &&
				   (view_has_common(in->shown, c) || is_group_key(in, c->id));
	}
}

/* A view that has it where all members have the same may say so itself: why. */
static void tell(struct report *r, const struct cmdline *in, const struct view_column *c,
		 bool unknown)
{
	const char *name = view_column(c)->name, *why = view_column_why(c);
	bool ungrouped = !why && in && in->ngroups && !cmdline_groups_column(in, c->id);
	bool common = ungrouped && view_has_common(in->shown, c);

	ungrouped &= in && is_group_key(in, c->id);
	if (common)
		sink_printf(r->sink, "no row that is shown %s the same %s in all of its %s",
			    unknown ? "is known to have" : "has", name,
			    in->shown->members ?: "members");
	else
		sink_printf(r->sink,
			    unknown && !ungrouped ? "%s is unknown of all rows that are shown"
						  : "no row that is shown has %s",
			    name);
	if (ungrouped)
		sink_printf(r->sink, ": -g %s,%s groups by it, too\n", in->opts.group, name);
	else
		sink_printf(r->sink, "%s%s%s\n", why ? " (" : "", why ?: "", why ? ")" : "");
}

void rows_tell_empty(struct report *r, const struct cmdline *in, const struct table *t, size_t n)
{
	for (size_t i = 0; i < t->nselected && n && !r->json; i++) {
		const unsigned int at = t->selected[i];
		size_t unknown = 0, null = 0;

		for (size_t row = 0; row < n; row++) {
			unknown += cell_is_unknown(&t->rows[row][at]);
			null += t->rows[row][at].kind == CELL_NULL;
		}
		if (t->asked[at] && null == n)
			tell(r, in, &t->columns[at], unknown);
	}
}

/* Whether what it has is no text at all: nothing stands in its place. */
static bool is_blank(const struct cell *c)
{
	return c->kind == CELL_LIST && !c->list->n;
}

void rows_tell_keys(struct report *r, const struct cmdline *in, const struct table *t, size_t n)
{
	for (size_t i = 0; i < in->ngroups && n && !r->json; i++) {
		const size_t at = table_index(t, in->keys[in->groups[i]].column);
		const char *name = at < t->ncolumns ? table_column(t, at)->name : NULL;

		if (at < t->ncolumns && !table_shows_at(t, at) && in->opts.columns)
			sink_printf(r->sink, "rows are groups by %s, which is not shown\n", name);
		else if (at < t->ncolumns && ANY_OF(row, n, is_blank(&t->rows[row][at])))
			sink_printf(r->sink,
				    "the row without %s is of those that have none: -f %s=-\n",
				    name, name);
	}
}
