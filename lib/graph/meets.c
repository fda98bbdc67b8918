// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/meets.h"

#define ROUNDS 100u
#define EVERY 0u /* the place in front of all roots */

/* Places are those of the order of nodes, plus one: what is on all ways to a node has a smaller one. */
struct search {
	const struct flow *f;
	uint32_t *place; /* by node; EVERY: it is not reached */
	uint32_t *over;	 /* by place: the nearest that all ways lead through */
};

static uint32_t meet(const uint32_t *over, uint32_t a, uint32_t b)
{
	while (a != b) {
		if (a > b)
			a = over[a];
		else
			b = over[b];
	}
	return a;
}

static bool sweep(struct search *s)
{
	const struct flow *f = s->f;
	bool changed = false;

	for (uint32_t at = 0; at < f->firm; at++) {
		uint32_t node = f->order[at], over = UINT32_MAX;

		if (f->roots[node] != OWNER_NOBODY)
			continue;
		for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
			uint32_t src = s->place[f->in[k] & ARC_NODE];

			if (f->in[k] >> 30 > ARC_MIDDLE || !src || s->over[src] == UINT32_MAX)
				continue;
			over = over == UINT32_MAX ? src : meet(s->over, over, src);
		}
		changed |= s->over[at + 1] != over;
		s->over[at + 1] = over;
	}
	return changed;
}

static void find_first(const struct search *s, uint32_t *ret)
{
	const struct flow *f = s->f;

	for (uint32_t i = 0; i < f->n; i++)
		ret[i] = MEET_NONE;
	for (uint32_t at = 0; at < f->firm; at++) {
		uint32_t over = s->over[at + 1];

		ret[f->order[at]] = over == EVERY ? f->order[at] : ret[f->order[over - 1]];
	}
}

enum status meets_find(const struct flow *f, uint32_t **ret)
{
	struct graph *g = (struct graph *)f->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	struct search s = { .f = f };
	enum status st = ST_NOMEM;

	*ret = budget_alloc(&g->budget, g->arena, f->n * sizeof(**ret));
	own.left = g->budget.left;
	s.place = budget_alloc(&own, arena, f->n * sizeof(*s.place));
	s.over = budget_alloc(&own, arena, (f->firm + 1ULL) * sizeof(*s.over));
	if (*ret && s.place && s.over) {
		for (uint32_t at = 0; at < f->firm; at++) {
			s.place[f->order[at]] = at + 1;
			s.over[at + 1] = f->roots[f->order[at]] == OWNER_NOBODY ? UINT32_MAX
										: EVERY;
		}
		for (unsigned int i = 0; st == ST_NOMEM && i < ROUNDS; i++) {
			if (dump_stopped(g->dump))
				st = ST_STOPPED;
			else if (!sweep(&s))
				st = ST_OK;
		}
		if (st == ST_OK)
			find_first(&s, *ret);
	}
	arena_reset(arena);
	if (st != ST_NOMEM)
		return st;
	*ret = NULL;
	dump_lacks(g->dump, "what several roots lead through", ST_UNKNOWN,
		   "the pointers of this dump leave no room for it, or have no order");
	return ST_OK;
}
