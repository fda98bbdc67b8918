// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/places.h"

#define AHEAD 16u /* nodes whose arcs are fetched before they are asked for */

static uint32_t *array(struct budget *own, struct arena *arena, uint64_t n)
{
	return budget_alloc(own, arena, n * sizeof(uint32_t));
}

static void fetch(const struct flow *f, uint32_t at, uint32_t n)
{
	if (n - at <= 2 * AHEAD)
		return;
	__builtin_prefetch(&f->in_at[f->order[at + 2 * AHEAD]]);
	__builtin_prefetch(&f->in[f->in_at[f->order[at + AHEAD]]]);
}

static void gather(const struct flow *f, const uint32_t *of, struct places *p)
{
	uint32_t n = 0;

	for (uint32_t at = 0; at < p->n; at++) {
		uint32_t node = f->order[at];

		fetch(f, at, p->n);
		p->in_at[at] = n;
		for (uint32_t k = f->in_at[node]; at >= p->roots && k < f->in_at[node + 1]; k++)
			p->in[n++] = arc_to(of[f->in[k] & ARC_NODE], f->in[k] >> 30);
	}
	p->in_at[p->n] = n;
}

static bool fill(const struct flow *f, struct budget *own, struct arena *arena, struct places *p)
{
	uint32_t *of = array(own, arena, f->n);

	if (!of)
		return false;
	for (uint32_t i = 0; i < f->n; i++)
		of[i] = p->n;
	for (uint32_t at = 0; at < p->n; at++)
		of[f->order[at]] = at;
	gather(f, of, p);
	return true;
}

bool places_open(const struct flow *f, struct budget *budget, struct places *ret)
{
	struct arena *meanwhile = arena_within(f->g->arena);
	struct places *p = ret;
	struct budget own;
	uint64_t arcs = 0;
	bool fits;

	*p = (struct places){ .n = f->reached };
	for (uint32_t at = 0; at < p->n; at++) {
		uint32_t node = f->order[at];

		if (f->roots[node] != OWNER_NOBODY)
			p->roots = at + 1;
		else
			arcs += f->in_at[node + 1] - f->in_at[node];
	}
	p->in_at = array(budget, f->g->arena, p->n + 1ULL);
	p->in = array(budget, f->g->arena, arcs);
	own = *budget;
	fits = p->in_at && p->in && fill(f, &own, meanwhile, p);
	arena_reset(meanwhile);
	return fits;
}

bool places_turn(const struct places *p, struct budget *own, struct arena *arena, uint32_t **out_at,
		 uint32_t **out)
{
	uint32_t *at = array(own, arena, p->n + 2ULL), *to = array(own, arena, p->in_at[p->n]);

	if (!at || !to)
		return false;
	/* at[i + 1] counts, then is where those of i begin, and at last where they end. */
	for (uint32_t k = 0; k < p->in_at[p->n]; k++)
		at[(p->in[k] & ARC_NODE) + 1]++;
	for (uint32_t i = 0, sum = 0; i <= p->n; i++) {
		uint32_t here = at[i + 1];

		at[i + 1] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < p->n; i++)
		for (uint32_t k = p->in_at[i]; k < p->in_at[i + 1]; k++)
			to[at[(p->in[k] & ARC_NODE) + 1]++] = i;
	*out_at = at;
	*out = to;
	return true;
}
