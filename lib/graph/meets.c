// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/meets.h"

#include "graph/places.h"

#define ROUNDS 100u
#define EVERY 0u /* the place in front of all roots */

/* Places here are those of the order of nodes, plus one: what is on all ways to a node has a smaller one. */
struct search {
	const struct flow *f;
	uint32_t *over; /* by place: the nearest that all ways lead through */
	/*
	 * By place: one that is farther, so that few steps lead through a list of any length (Myers: An Applicative
	 * Random-Access Stack), and how many are over it.
	 */
	uint32_t *jump, *depth;
};

/* The nearest over a place that stands before another: what stands behind that is of the pass before. */
static uint32_t climb(const struct search *s, uint32_t a, uint32_t before)
{
	while (a >= before)
		a = s->jump[a] >= before ? s->jump[a] : s->over[a];
	return a;
}

static uint32_t rise(const struct search *s, uint32_t a, uint32_t depth)
{
	while (s->depth[a] > depth)
		a = s->depth[s->jump[a]] >= depth ? s->jump[a] : s->over[a];
	return a;
}

/* Of two places before the one that is looked at. */
static uint32_t meet(const struct search *s, uint32_t a, uint32_t b)
{
	a = rise(s, a, s->depth[b]);
	b = rise(s, b, s->depth[a]);
	while (a != b) {
		bool far = s->jump[a] != s->jump[b];

		a = far ? s->jump[a] : s->over[a];
		b = far ? s->jump[b] : s->over[b];
	}
	return a;
}

static void put_over(struct search *s, uint32_t at, uint32_t over)
{
	uint32_t far = s->jump[over];

	s->over[at] = over;
	s->depth[at] = s->depth[over] + 1;
	s->jump[at] = s->depth[over] - s->depth[far] == s->depth[far] - s->depth[s->jump[far]]
			      ? s->jump[far]
			      : over;
}

static bool sweep(struct search *s)
{
	const struct places *p = s->f->places;
	bool changed = false;

	for (uint32_t at = p->roots; at < s->f->firm; at++) {
		uint32_t over = UINT32_MAX;

		for (uint32_t k = p->in_at[at]; k < p->in_at[at + 1]; k++) {
			uint32_t src = p->in[k] & ARC_NODE;

			if (p->in[k] >> 30 > ARC_MIDDLE || src >= s->f->firm ||
			    s->over[src + 1] == UINT32_MAX)
				continue;
			src = climb(s, src + 1, at + 1);
			over = over == UINT32_MAX ? src : meet(s, over, src);
		}
		changed |= s->over[at + 1] != over;
		if (over != UINT32_MAX)
			put_over(s, at + 1, over);
	}
	return changed;
}

/* The first of those that all ways lead through: behind it come only others, so one pass finds them. */
static void find_first(struct search *s, uint32_t *ret)
{
	const struct flow *f = s->f;

	for (uint32_t i = 0; i < f->n; i++)
		ret[i] = MEET_NONE;
	for (uint32_t at = 0; at < f->firm; at++) {
		uint32_t over = s->over[at + 1];

		s->over[at + 1] = over == EVERY ? at + 1 : s->over[over];
		ret[f->order[at]] = f->order[s->over[at + 1] - 1];
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
	s.over = budget_alloc(&own, arena, (f->firm + 1ULL) * sizeof(*s.over));
	s.jump = budget_alloc(&own, arena, (f->firm + 1ULL) * sizeof(*s.jump));
	s.depth = budget_alloc(&own, arena, (f->firm + 1ULL) * sizeof(*s.depth));
	if (*ret && s.over && s.jump && s.depth) {
		for (uint32_t at = 0; at < f->firm; at++) {
			s.over[at + 1] = UINT32_MAX;
			if (at < f->places->roots)
				put_over(&s, at + 1, EVERY);
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
	dump_lacks(g->dump, "what several roots lead through", ST_NOMEM,
		   "the pointers of this dump leave no room for it, or have no order");
	return ST_OK;
}
