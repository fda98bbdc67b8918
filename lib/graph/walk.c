// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/walk.h"
#include "util/bits.h"

#include <stdlib.h>

#define ROUNDS 30
#define ENOUGH 655 /* of WALK_WHOLE, one percent: what changes less is done */
#define CANDIDATES 4
#define AHEAD 8u       /* nodes */
#define MOST_STEPS 64u /* from a node towards its root */

/* A pointer to the start of a node counts most. */
static const uint8_t weights[ARC_WEIGHTS] = {
	[ARC_START] = 100,
	[ARC_MIDDLE] = 30,
	[ARC_WEAK] = 1,
	[ARC_HUB] = 1,
};
#define OF_STACK 0x80u /* with a weight: the arc is of a stack */

struct walk {
	const struct flow *f;
	struct walk_end *ends;
	uint8_t *asked;	  /* a bit for each node: behind one that has changed */
	uint8_t *weights; /* by arc, as f->in has them; 0: it leads back */
};

struct sum {
	unsigned int n;
	uint64_t weight;
	uint32_t names[CANDIDATES];
	uint64_t parts[CANDIDATES];
};

/* The smallest makes room. */
static void add(struct sum *s, uint32_t name, uint64_t part)
{
	unsigned int least = 0;

	for (unsigned int i = 0; i < s->n; i++) {
		if (s->names[i] == name) {
			s->parts[i] += part;
			return;
		}
		if (s->parts[i] < s->parts[least])
			least = i;
	}
	if (s->n < CANDIDATES)
		least = s->n++;
	else if (s->parts[least] >= part)
		return;
	s->names[least] = name;
	s->parts[least] = part;
}

static void add_end(struct sum *s, const struct walk_end *e, uint32_t weight)
{
	s->weight += weight;
	for (unsigned int i = 0; i < 2 && e->parts[i]; i++)
		add(s, e->names[i], (uint64_t)e->parts[i] * weight);
}

/* The two largest; how much the first part has changed. */
static unsigned int take(const struct sum *s, struct walk_end *e)
{
	struct walk_end found = { 0 };
	unsigned int before = e->parts[0];

	for (unsigned int i = 0; i < s->n; i++) {
		uint16_t part = (uint16_t)(s->parts[i] / s->weight);

		if (part > found.parts[0]) {
			found.names[1] = found.names[0];
			found.parts[1] = found.parts[0];
			found.names[0] = s->names[i];
			found.parts[0] = part;
		} else if (part > found.parts[1]) {
			found.names[1] = s->names[i];
			found.parts[1] = part;
		}
	}
	if (e->names[0] != found.names[0])
		before = found.parts[0] ? 0 : before;
	*e = found;
	return (unsigned int)abs((int)found.parts[0] - (int)before);
}

static bool take_mark(uint8_t *asked, uint32_t node)
{
	bool was = bit_has(asked, node);

	bit_clear(asked, node);
	return was;
}

static void ask_behind(struct walk *w, uint32_t node)
{
	const struct flow *f = w->f;

	for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1]; k++)
		bit_set(w->asked, f->out[k] & ARC_NODE);
}

/*
 * Whether a word leads back to what its node hangs from, as buffers name the open file that has them: a walk that
 * goes there comes from there, and has to leave by another word.
 */
static bool leads_back(const struct flow *f, uint32_t src, uint32_t dst)
{
	uint8_t steps = f->depth[src] - f->depth[dst];

	if (steps >= MOST_STEPS)
		return false;
	for (; steps && src != UINT32_MAX; steps--)
		src = f->parent[src];
	return src == dst;
}

/*
 * Most of the time is misses of the cache, since the order is not that of nodes: what is asked for soon is fetched,
 * first where its words begin, then the words, then what they lead from.
 */
static void fetch(const struct walk *w, uint32_t at)
{
	const struct flow *f = w->f;
	uint32_t node, k;

	if (f->reached - at <= 3 * AHEAD)
		return;
	node = f->order[at + 3 * AHEAD];
	if (bit_has(w->asked, node))
		__builtin_prefetch(&f->in_at[node]);
	node = f->order[at + 2 * AHEAD];
	if (bit_has(w->asked, node)) {
		__builtin_prefetch(&f->in[f->in_at[node]]);
		__builtin_prefetch(&w->weights[f->in_at[node]]);
	}
	node = f->order[at + AHEAD];
	for (k = f->in_at[node]; bit_has(w->asked, node) && k < f->in_at[node + 1]; k++)
		__builtin_prefetch(&w->ends[f->in[k] & ARC_NODE]);
}

/* In the order of distance most is known of the nodes before.  Returns how many have changed. */
static uint32_t sweep(struct walk *w)
{
	const struct flow *f = w->f;
	uint32_t changed = 0;

	for (uint32_t at = 0; at < f->reached; at++) {
		uint32_t node = f->order[at];
		uint8_t by_stacks = OF_STACK;
		struct sum s;

		fetch(w, at);
		if (!take_mark(w->asked, node) || f->roots[node] != OWNER_NOBODY)
			continue;
		s.n = 0;
		s.weight = 0;
		for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
			/* A walk into what no root reaches is lost. */
			if (!w->weights[k])
				continue;
			add_end(&s, &w->ends[f->in[k] & ARC_NODE], w->weights[k] & ~OF_STACK);
			by_stacks &= w->weights[k];
		}
		/* What words of stacks alone lead to may be left there: half of the walks are lost. */
		if (by_stacks)
			s.weight *= 2;
		if (!s.weight || take(&s, &w->ends[node]) <= ENOUGH)
			continue;
		ask_behind(w, node);
		changed++;
	}
	return changed;
}

static void mark_stacks(const struct graph *g, uint8_t *stacks)
{
	for (uint32_t i = 0; i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0; s->kind == NODE_STACK && k < s->count; k++)
			bit_set(stacks, s->first + k);
	}
}

/* A way is as weak as its weakest word: frail are nodes that weak arcs alone lead to. */
static void weigh(struct walk *w, uint8_t *frail, uint8_t *stacks)
{
	const struct flow *f = w->f;

	mark_stacks(f->g, stacks);
	for (uint32_t i = f->firm; i < f->reached; i++)
		bit_set(frail, f->order[i]);
	for (uint32_t node = 0; node < f->n; node++)
		for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
			uint32_t src = f->in[k] & ARC_NODE;

			if (leads_back(f, src, node))
				continue;
			w->weights[k] = weights[bit_has(frail, src) ? ARC_WEAK : f->in[k] >> 30];
			if (bit_has(stacks, src))
				w->weights[k] |= OF_STACK;
		}
}

enum status walk_find(const struct flow *f, bool by_owner, struct walk_end **ret)
{
	struct graph *g = (struct graph *)f->g;
	struct walk w = { f, budget_alloc(&g->budget, g->arena, f->n * sizeof(*w.ends)) };
	struct budget own = g->budget;
	struct arena *arena = arena_within(g->arena);
	uint8_t *frail = budget_alloc(&own, arena, f->n / 8 + 1);
	uint8_t *stacks = budget_alloc(&own, arena, f->n / 8 + 1);
	enum status st = ST_OK;

	w.asked = budget_alloc(&own, arena, f->n / 8 + 1);
	w.weights = budget_alloc(&own, arena, f->in_at[f->n]);
	if (!w.ends || !w.asked || !w.weights || !frail || !stacks) {
		arena_reset(arena);
		return graph_is_full(g, "walks");
	}
	for (uint32_t i = 0; i < f->n; i++)
		if (f->roots[i] != OWNER_NOBODY)
			w.ends[i] = (struct walk_end){ { by_owner ? f->roots[i] : i },
						       { WALK_WHOLE } };
	weigh(&w, frail, stacks);
	memset(w.asked, 0xff, f->n / 8 + 1);
	for (unsigned int i = 0; i < ROUNDS && st == ST_OK && sweep(&w); i++)
		st = dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
	arena_reset(arena);
	if (st == ST_OK)
		*ret = w.ends;
	return st;
}
