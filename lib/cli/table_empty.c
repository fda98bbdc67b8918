// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/table_empty.h"

#include "util/units.h"

/* What cells of a column are that tell nothing: bits. */
enum {
	IS_ZERO = 1,
	IS_ROUNDED = 2, /* a share that is shown as 0.0 */
	IS_MAX = 4,	/* as much as a counter can count: no limit */
	IS_NONE = 8,
	IS_UNKNOWN = 16,
	KINDS = 5,
	MASKS = 1 << KINDS,
};

static const char *const words[KINDS] = { "0", "0.0", "max", "none", "unknown" };

/* Numbers that name what a row is of: there is a 0 among them. */
static const enum column_id names[] = {
	COLUMN_node,	      COLUMN_cpu,	   COLUMN_uid,		 COLUMN_order,
	COLUMN_pool,	      COLUMN_depth,	   COLUMN_line,		 COLUMN_offset,
	COLUMN_bpf_id,	      COLUMN_shm_id,	   COLUMN_number,	 COLUMN_tracepoint,
	COLUMN_frame_id,      COLUMN_shrinker_id,  COLUMN_inode,	 COLUMN_zonelist_node,
	COLUMN_overcommit,    COLUMN_swappiness,   COLUMN_leads_to,	 COLUMN_utc_s,
	COLUMN_mtime_utc_s,   COLUMN_ctime_utc_s,  COLUMN_end_utc_s,	 COLUMN_signal_number,
	COLUMN_compact_order, COLUMN_kswapd_order, COLUMN_largest_order,
};

static bool is_quantity(const struct column *col)
{
	if (col->type == JSON_PID || col->type == JSON_ORDINAL || col->format == FORMAT_STAMP ||
	    col->format == FORMAT_PFN)
		return false;
	return !ANY_OF(i, ARRAY_SIZE(names), col == &column_catalogue[names[i]]);
}

/* Which of the bits a cell is; 0: it tells something. */
static unsigned int kind_of(const struct column *col, const struct cell *c)
{
	const char *text = cell_words(c);

	/* Not every view says whether there is none or it is not known. */
	if (c->kind == CELL_NULL)
		return c->is_none ? IS_NONE : IS_NONE | IS_UNKNOWN;
	if (text)
		return *text ? 0 : IS_NONE;
	if ((c->kind != CELL_UINT && c->kind != CELL_INT) || !is_quantity(col))
		return 0;
	if (col->format == FORMAT_LIMIT && c->u >= NUMBER_NO_LIMIT)
		return IS_MAX;
	if (c->u)
		return 0;
	return col->format == FORMAT_PERCENT || col->format == FORMAT_HUNDREDTHS ? IS_ROUNDED
										 : IS_ZERO;
}

static bool may_go(const struct table *t, size_t column)
{
	const struct view_column *c = &t->columns[column];
	bool is_whole = t->has_late || (!c->from.is_late && !t->put_off[column]);

	return view_column(c)->title && view_column(c)->format != FORMAT_WAY && is_whole &&
	       !table_was_asked(t, column);
}

/* The bits of a column's cells; 0: it stays.  No limit beside a limit of 0 tells something. */
static unsigned int kinds_of(const struct table *t, size_t column)
{
	unsigned int kinds = 0, kind;

	if (!may_go(t, column))
		return 0;
	for (size_t r = 0; r < t->n; r++) {
		kind = kind_of(table_column(t, column), &t->rows[r][column]);
		if (!kind)
			return 0;
		kinds |= kind;
	}
	return kinds & IS_MAX && kinds & IS_ZERO ? 0 : kinds;
}

/* "0, none or unknown" */
static void add_words(struct strbuf *s, unsigned int kinds)
{
	const char *between = "";

	for (unsigned int i = 0; i < KINDS; i++) {
		if (!(kinds >> i & 1))
			continue;
		strbuf_add(s, "%s%s", between, words[i]);
		between = (kinds >> (i + 1)) & ((kinds >> (i + 1)) - 1) ? ", " : " or ";
	}
}

bool table_tells(const struct table *t, enum column_id id)
{
	const size_t column = table_index(t, id);

	return table_shows_at(t, column) &&
	       (t->n < 2 || t->selected[0] == column || !kinds_of(t, column));
}

void table_leave_out_empty(struct table *t, struct strbuf *told)
{
	unsigned int kinds[VIEW_COLUMNS] = { 0 };
	const size_t n = t->nselected;
	size_t left = 0;

	for (size_t i = 1; t->n > 1 && i < n; i++)
		kinds[i] = kinds_of(t, t->selected[i]);
	for (unsigned int mask = 1; mask < MASKS; mask++) {
		bool is_first = true;

		for (size_t i = 0; i < n; i++) {
			if (kinds[i] != mask)
				continue;
			if (is_first) {
				const bool begins = !told->len;

				strbuf_add(told, "%s", begins ? "" : "; ");
				add_words(told, mask);
				strbuf_add(told, "%s: ", begins ? " in every row" : "");
			}
			strbuf_add(told, "%s%s", is_first ? "" : ", ",
				   table_column(t, t->selected[i])->title);
			is_first = false;
		}
	}
	for (size_t i = 0; i < n; i++)
		if (!kinds[i])
			t->selected[left++] = t->selected[i];
	t->nselected = left;
}
