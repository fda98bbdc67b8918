// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of pageowner -t pools. */
#include "pools.h"

#include <stdio.h>

#include "util/units.h"

const char *const pool_kind_names[] = { "page_pool", "zsmalloc", "zbud", "z3fold", "hugetlb",
					"percpu",    "balloon",	 "cma",	 NULL };

/* The column that has the value of a key. */
static const unsigned int column_of[POOL_KEYS] = {
	[BY_KIND] = COL_KIND,
	[BY_NAME] = COL_NAME,
	[BY_SIZE] = COL_BYTES,
};

struct cell *pool_row_add(struct view_pools *p, enum pool_kind kind, const char *name,
			  uint64_t pages)
{
	const struct owner_view *v = p->v;
	struct cell *row = table_add(&p->v->in->table);

	if (!row)
		return NULL;
	row[COL_KIND] = cell_text(pool_kind_names[kind]);
	row[COL_NAME] = cell_text(name);
	row[COL_PAGES] = cell_uint(pages);
	row[COL_BYTES] = cell_uint(pages << v->page_shift);
	row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
	return row;
}

enum status pool_row_end(struct view_pools *p, const struct cell *row)
{
	if (!row)
		return ST_NOMEM;
	if (!table_keeps_keys(&p->v->in->filters, column_of, row)) {
		p->v->in->table.n--;
		p->v->in->table.refused++;
	}
	return ST_OK;
}

enum status pools_keep_going(struct view_pools *p, enum status st, const char *what)
{
	char some[64];

	if (st == ST_OK || st == ST_ABSENT || st == ST_NOMEM)
		return st == ST_NOMEM ? st : ST_OK;
	p->is_partial = true;
	if (st == ST_STOPPED)
		return ST_OK;
	snprintf(some, sizeof(some), "some %s", what);
	return report_unknown(&p->v->report,
			      st == ST_UNKNOWN ? what : arena_strdup(p->v->dump->arena, some),
			      availability_of(st), "%s", p->v->dump->error);
}

void pools_put_table(struct view_pools *p, const struct table *t, const char *record,
		     const char *title)
{
	struct sink *out = p->v->out;

	for (size_t i = 0; p->v->in->opts.json && i < t->n; i++)
		table_json_record(t, out, record, t->rows[i]);
	if (p->v->in->opts.json || !t->n)
		return;
	sink_printf(out, "%s%s:\n", p->has_text ? "\n" : "", title);
	p->has_text = true;
	table_text(t, out, t->n);
}
