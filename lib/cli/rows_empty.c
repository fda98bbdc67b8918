// SPDX-License-Identifier: GPL-2.0-or-later
/* Of columns that were asked for and are "-" in all rows: why. */
#include "cli/rows.h"

/* Whether it is a key of -g that rows are not grouped by: groups have it of none of their members. */
static bool is_ungrouped(const struct cmdline *in, enum column_id id)
{
	return in && in->ngroups && !cmdline_groups_column(in, id) &&
	       ANY_OF(i, in->nkeys, in->keys[i].column == id && in->keys[i].use & KEY_GROUPS);
}

static void tell(struct report *r, const struct cmdline *in, const struct view_column *c,
		 bool unknown)
{
	const char *name = view_column(c)->name, *why = view_column_why(c);

	/* A view that has it where all members have the same says so itself. */
	if (!why && is_ungrouped(in, c->id))
		sink_printf(r->sink, "no row that is shown has %s: -g %s,%s groups by it, too\n",
			    name, in->opts.group, name);
	else
		sink_printf(r->sink,
			    unknown ? "%s is unknown of all rows that are shown%s%s%s\n"
				    : "no row that is shown has %s%s%s%s\n",
			    name, why ? " (" : "", why ?: "", why ? ")" : "");
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
