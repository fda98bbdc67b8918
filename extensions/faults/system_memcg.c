// SPDX-License-Identifier: GPL-2.0-or-later
#include "system_memcg.h"

#include "util/units.h"
#include "cli/filter.h"

/* faults -v -g memcg: the counters of each memory cgroup. */

enum { COL_NAME, COL_COUNT, COL_MEMCG, COL_MEANING, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_COUNT] = { COLUMN_count, IN_BOTH, "since the cgroup was made, with its descendants" },
	[COL_NAME] = { COLUMN_name, IN_BOTH | KNOWN, "as in memory.stat", .width = 24 },
	[COL_MEMCG] = { COLUMN_memcg, IN_BOTH },
	[COL_MEANING] = { COLUMN_meaning, KNOWN },
};

static const struct key keys[] = {
	{ COLUMN_memcg, "memory cgroup, with its descendants", KEY_GROUPS, .is_text = true },
};

const struct view system_memcg_view = { "memcgs", "-v -g memcg", COLUMNS_OF(columns), .keys = keys,
					.nkeys = 1 };

/* Whether all counters are known. */
static bool is_whole(const struct memcg_tree *e, const struct memcg_counts *c)
{
	for (size_t i = 0; i < VM_EVENTS; i++)
		if (e->counted[i] && !c->known[i])
			return false;
	return true;
}

static enum status add_rows(struct table *t, const struct memcg_tree *e,
			    const struct memcg_counts *c)
{
	for (size_t i = 0; i < VM_EVENTS; i++) {
		struct cell *row;

		if (!e->counted[i])
			continue;
		row = table_add(t);
		if (!row)
			return ST_NOMEM;
		row[COL_NAME] = cell_text(vm_event_kinds[i].name);
		row[COL_COUNT] = cell_if(c->known[i], cell_uint(c->counts[i]));
		row[COL_MEMCG] = cell_text(c->path);
		row[COL_MEANING] = cell_text(vm_event_kinds[i].meaning);
	}
	return ST_OK;
}

static void warn(struct report *r, const struct memcg_tree *e, uint64_t partial, uint64_t unnamed)
{
	char n[UNITS_PLURAL];

	if (e->batched)
		report_warn(r,
			    "counts may be up to %d lower than what happened, for each CPU and "
			    "cgroup, as in memory.stat of this kernel",
			    MEMCG_BATCH);
	if (e->doubted)
		report_warn(r,
			    "counters that cannot be true are unknown, with those of ancestors: %s",
			    e->doubt);
	if (!e->complete)
		report_warn(r, "the tree of memory cgroups is incomplete: %s", e->why);
	if (partial)
		report_warn(r, "counters are not all in this dump for %s",
			    units_plural(n, partial, "memory cgroup", "memory cgroups"));
	if (unnamed)
		report_warn(r, "no name in this dump for %s",
			    units_plural(n, unnamed, "memory cgroup", "memory cgroups"));
}

enum status system_memcg_show(struct fault_view *v, const struct memcg_tree *e)
{
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;
	uint64_t partial = 0, unnamed = 0;
	enum status st = ST_OK;

	for (const struct memcg_counts *c = e->first; c && st == ST_OK; c = c->next) {
		if (c->removed)
			continue;
		partial += !c->doubted && !is_whole(e, c);
		unnamed += !c->path;
		st = add_rows(t, e, c);
	}
	if (st == ST_OK && o->sort)
		st = table_sort(t, o->sort, o->reverse);
	if (st != ST_OK)
		return st;
	warn(&v->report, e, partial, unnamed);
	report_rest(&v->report, t->n - report_rows(&v->report, t, o, 0), "counter", "counters",
		    NULL);
	report_end(&v->report, NULL, e->complete && !e->doubted && !partial && !unnamed);
	return ST_OK;
}
