// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cgroups that are at their limit, that the OOM killer was invoked for, or that have much. */
#include "cgroup/memcg_counts.h"
#include "cgroup/memcg_state.h"
#include "summary.h"

/* Events of the cgroup itself; before 5.2 there are only those with descendants. */
static uint64_t oom_events(const struct memcg_states *m, const struct memcg_state *g)
{
	if (m->event[MEMCG_OOM_EVENT] < 0 || !g->has_events)
		return 0;
	return g->has_local ? g->local[MEMCG_OOM_EVENT] : g->events[MEMCG_OOM_EVENT];
}

/* One of them, with what the one of its children has that has most; pages. */
struct group {
	const struct memcg_counts *counts;
	uint64_t usage, ooms, child;
	struct maybe_u64 max, high, swap, swap_max;
};

static struct maybe_u64 value(const struct memcg_state *state, enum memcg_value which)
{
	return (struct maybe_u64){ state->value[which], state->has[which] };
}

static bool is_at(struct maybe_u64 usage, struct maybe_u64 max)
{
	return usage.known && max.known && limit_fills_cgroup(usage.n, max.n);
}

static enum status read_group(struct memcg_states *m, struct hash_u64 *groups,
			      const struct memcg_counts *c)
{
	struct memcg_state state;
	struct group *g, *parent;
	enum status st;

	if (!c->parent)
		return ST_OK;
	st = memcg_state_read(m, c->address, &state);
	if (st != ST_OK)
		return st;
	g = hash_u64_get(groups, c->address, NULL);
	*g = (struct group){ .counts = c,
			     .usage = state.value[MEMCG_USAGE],
			     .max = value(&state, MEMCG_MAX_LIMIT),
			     .high = value(&state, MEMCG_HIGH_LIMIT),
			     .swap = value(&state, MEMCG_SWAP_USAGE),
			     .swap_max = value(&state, MEMCG_SWAP_MAX_LIMIT),
			     .ooms = oom_events(m, &state) };
	/* A parent comes before its children. */
	parent = c->parent->parent ? hash_u64_get(groups, c->parent->address, NULL) : NULL;
	if (parent && g->usage > parent->child)
		parent->child = g->usage;
	return ST_OK;
}

static void put_group(struct summary *s, const struct group *g)
{
	const struct maybe_u64 usage = { g->usage, !g->counts->removed };
	bool is_full = is_at(usage, g->max), is_high = !is_full && is_at(usage, g->high);
	bool is_limited = g->max.known && g->max.n <= s->ram_pages;
	bool is_large = s->ram_pages && summary_reaches(s, LIMIT_HOLDER, g->usage) &&
			!limit_covers_cgroup(g->child, g->usage);
	struct strbuf b = STRBUF_OF(160);

	if (!is_full && !is_high && !is_large && (!g->ooms || g->counts->removed))
		return;
	if (g->counts->removed)
		strbuf_add(&b, "removed, and still charged");
	else if (is_full || is_limited)
		strbuf_add(&b, is_full ? "at its limit of %s" : "limit %s",
			   summary_size(s, g->max.n));
	/* No process is killed there. */
	if (is_high)
		strbuf_add(&b, "%sat its memory.high of %s, beyond which it is throttled",
			   strbuf_between(&b, ", "), summary_size(s, g->high.n));
	if (is_full && g->swap_max.n && is_at(g->swap, g->swap_max))
		strbuf_add(&b, ", swap at its limit of %s", summary_size(s, g->swap_max.n));
	if (g->ooms)
		strbuf_add(&b, "%s%s", strbuf_between(&b, ", "),
			   PLURAL_TEXT(g->ooms, "time out of memory", "times out of memory"));
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "cgroup", .name = g->counts->path,
		    .pages = { g->usage, true },
		    .remark = b.len ? arena_strdup(s->dump->arena, b.buf) : NULL);
	if (is_full || is_high || g->ooms)
		s->next_holder = "memowner cgroups";
	if (is_full && g->usage > s->full_usage) {
		s->full_path = g->counts->path ?: "";
		s->full_usage = g->usage;
		s->full_limit = g->max.n;
	}
}

enum status summary_cgroups(struct summary *s)
{
	struct memcg_states m;
	struct first_problem problem = { 0 };
	struct hash_u64 groups;
	struct memcg_tree tree;
	enum status st = memcg_counts_read(s->dump, NULL, 0, 0, &tree)
				 ?: memcg_states_open(s->dump, &m);

	if (st != ST_OK)
		return st;
	if (!tree.complete)
		summary_unknown(s, "cgroups", NOT_IN_DUMP, "%s", tree.why);
	s->has_cgroups = tree.first != NULL;
	hash_u64_init(&groups, s->dump->arena, sizeof(struct group));
	for (const struct memcg_counts *c = tree.first; c && st == ST_OK; c = c->next)
		st = first_problem_keep(s->dump, &problem, read_group(&m, &groups, c));
	for (const struct hash_u64_entry *e = groups.first; e && st == ST_OK; e = e->next)
		if (((const struct group *)e->value)->counts)
			put_group(s, (const struct group *)e->value);
	return st == ST_OK ? first_problem_end(s->dump, &problem) : st;
}
