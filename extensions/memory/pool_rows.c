// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows of memowner pools. */
#include "pools.h"

const char *const pool_kind_names[] = { "page_pool", "zsmalloc", "zbud", "z3fold", "hugetlb",
					"percpu",    "balloon",	 "cma",	 NULL };

void pool_add(struct view_pools *p, const struct pool *pool)
{
	struct cmdline *in = p->v->in;

	if (!rows_keep(in, pool, p))
		return;
	p->has_nodes |= pool->node.n != 0;
	row_add(&in->table, pool, p);
}

void pools_keep_going(struct view_pools *p, enum status st, const char *what)
{
	char some[64];

	if (st == ST_OK || st == ST_ABSENT)
		return;
	p->is_partial = true;
	if (st == ST_STOPPED)
		return;
	snprintf(some, sizeof(some), "some %s", what);
	report_unknown(&p->v->report, st == ST_UNKNOWN ? what : dump_strdup(p->v->dump, some),
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
