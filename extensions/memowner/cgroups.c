// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups that are at their limit, or that the OOM killer was invoked for. */
#include "limits.h"
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"
#include "summary.h"
#include "util/strbuf.h"
#include "util/units.h"

/* Events of the cgroup itself; before 5.2 there are only those with descendants. */
static uint64_t oom_events(const struct memcg_states *m, const struct memcg_state *g)
{
	if (m->event[MEMCG_OOM_EVENT] < 0 || !g->has_events)
		return 0;
	return g->has_local ? g->local[MEMCG_OOM_EVENT] : g->events[MEMCG_OOM_EVENT];
}

static enum status put_cgroup(struct summary *s, struct memcg_states *m,
			      const struct memcg_counts *c)
{
	struct memcg_state g;
	char text[128], limit[UNITS_BYTES], n[UNITS_PLURAL];
	uint64_t ooms, usage, max;
	struct strbuf b;
	bool is_full;
	enum status st;

	if (!c->parent || c->removed)
		return ST_OK;
	st = memcg_state_read(m, c->address, &g);
	if (st != ST_OK)
		return st;
	ooms = oom_events(m, &g);
	usage = g.value[MEMCG_USAGE];
	max = g.value[MEMCG_MAX_LIMIT];
	is_full = g.has[MEMCG_MAX_LIMIT] && limit_fills_cgroup(usage, max);
	if (!is_full && !ooms)
		return ST_OK;
	strbuf_init(&b, text, sizeof(text));
	if (is_full)
		strbuf_add(&b, "at its limit of %s",
			   units_size(limit, (int64_t)(max << s->dump->page_shift)));
	if (ooms)
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "),
			   units_plural(n, ooms, "time out of memory", "times out of memory"));
	summary_add(s, &(struct statement){ .section = SECTION_HOLDER,
					    .by = "cgroup",
					    .name = c->path,
					    .pages = { usage, true },
					    .remark = arena_strdup(s->dump->arena, text) });
	s->next_holder = "pageowner -t cgroups";
	return ST_OK;
}

enum status summary_cgroups(struct summary *s)
{
	struct memcg_states m;
	struct first_problem problem = { 0 };
	struct memcg_tree tree;
	enum status st = memcg_counts_read(s->dump, NULL, 0, 0, &tree);

	if (st == ST_OK)
		st = memcg_states_open(s->dump, &m);
	if (st != ST_OK)
		return st;
	if (!tree.complete)
		summary_unknown(s, "cgroups", NOT_IN_DUMP, "%s", tree.why);
	s->has_cgroups = tree.first != NULL;
	for (const struct memcg_counts *c = tree.first; c && st == ST_OK; c = c->next)
		st = first_problem_keep(s->dump, &problem, put_cgroup(s, &m, c));
	return st == ST_OK ? first_problem_end(s->dump, &problem) : st;
}
