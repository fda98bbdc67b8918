// SPDX-License-Identifier: GPL-2.0-or-later
/* faults -v -g memcg: the counters of each memory cgroup. */
#include "view.h"

/* A counter of a cgroup. */
struct counter {
	const struct vm_event_kind *kind;
	const char *path;
	struct maybe_u64 count;
};

#define ROW struct counter

static const struct view_column columns[] = {
	{ COLUMN_name, IN_BOTH | KNOWN, "as in memory.stat", .width = 24,
	  VIA(TEXT, ROW, kind, name) },
	{ COLUMN_count, IN_BOTH, "since the cgroup was made, with its descendants",
	  UINT_MAYBE(ROW, count) },
	{ COLUMN_memcg, IN_BOTH, TEXT_OF(ROW, path) },
	{ COLUMN_meaning, KNOWN, VIA(TEXT, ROW, kind, meaning) },
	BASIS(derived),
};

static const struct key keys[] = {
	{ COLUMN_memcg, "memory cgroup, with its descendants", KEY_GROUPS },
};

const struct view system_memcg_view = { "memcgs", "-v -g memcg", COLUMNS_OF(columns), KEYS_OF(keys),
					ALL_ROWS_ARE("counter", "counters", NULL, 0) };

/* Whether all counters are known. */
static bool add_rows(struct table *t, const struct memcg_tree *e, const struct memcg_counts *c)
{
	bool is_whole = true;

	for (size_t i = 0; i < VM_EVENTS; i++) {
		const struct counter row = { &vm_event_kinds[i],
					     c->path,
					     { c->counts[i], c->known[i] } };

		if (!e->counted[i])
			continue;
		row_add(t, &row, NULL);
		is_whole &= c->known[i];
	}
	return is_whole;
}

enum status system_memcg_show(struct fault_view *v, const struct memcg_tree *e)
{
	uint64_t partial = 0, unnamed = 0;

	for (const struct memcg_counts *c = e->first; c; c = c->next) {
		if (c->removed)
			continue;
		partial += !add_rows(&v->in->table, e, c) && !c->doubted;
		unnamed += !c->path;
	}
	const struct gap gaps[] = {
		{ "counts may be up to %s lower than what happened, for each CPU and cgroup, as in "
		  "memory.stat of this kernel",
		  e->batched, .why = "32", .is_note = true },
		{ "counters that cannot be true are unknown, with those of ancestors: %s",
		  e->doubted, .why = e->doubt },
		{ "the tree of memory cgroups is incomplete: %s", !e->complete, .why = e->why },
		{ "counters are not all in this dump for %s", partial, "memory cgroup",
		  "memory cgroups" },
		{ "no name in this dump for %s", unnamed, "memory cgroup", "memory cgroups" },
	};
	rows_show(&v->report, v->in);
	REPORT_GAPS(&v->report, gaps);
	report_end(&v->report, NULL, true);
	return ST_OK;
}
