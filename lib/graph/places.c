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

static void gather(const struct flow *f, struct places *p)
{
	uint32_t n = 0;

	for (uint32_t at = 0; at < p->n; at++) {
		uint32_t node = f->order[at];

		fetch(f, at, p->n);
		p->in_at[at] = n;
		for (uint32_t k = f->in_at[node]; at >= p->roots && k < f->in_at[node + 1]; k++) {
			uint32_t src = p->of[f->in[k] & ARC_NODE];

			p->in[n++] = arc_to(src < p->n ? src : p->n, f->in[k] >> 30);
		}
	}
	p->in_at[p->n] = n;
}

bool places_open(const struct flow *f, uint32_t n, struct budget *own, struct arena *arena,
		 struct places *ret)
{
	struct places *p = ret;
	uint64_t arcs = 0;

	*p = (struct places){ .n = n, .of = array(own, arena, f->n) };
	p->in_at = array(own, arena, n + 1ULL);
	if (!p->of || !p->in_at)
		return false;
	memset(p->of, 0xff, f->n * sizeof(*p->of));
	for (uint32_t at = 0; at < n; at++) {
		uint32_t node = f->order[at];

		p->of[node] = at;
		if (f->roots[node] != OWNER_NOBODY)
			p->roots = at + 1;
		else
			arcs += f->in_at[node + 1] - f->in_at[node];
	}
	p->in = array(own, arena, arcs);
	if (p->in)
		gather(f, p);
	return p->in;
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
