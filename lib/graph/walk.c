// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/walk.h"
#include "graph/places.h"

#include <stdlib.h>

#define ROUNDS 30
#define ENOUGH 655 /* of WALK_WHOLE, one percent: what changes less is done */
#define CANDIDATES 4
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
	const struct places *p;
	struct walk_end *ends; /* by place; one more for what has none: a walk there is lost */
	uint64_t *asked;       /* a bit for each place: behind one that has changed */
	uint32_t *out_at, *out;
	uint8_t *weights; /* by arc, as the places have them; 0: it leads back */
	uint8_t *depths;  /* by place: steps from a root */
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

static void ask_behind(struct walk *w, uint32_t at)
{
	for (uint32_t k = w->out_at[at]; k < w->out_at[at + 1]; k++)
		w->asked[w->out[k] / 64] |= 1ULL << w->out[k] % 64;
}

/* From a place on, the next that is asked for; its mark is taken. */
static uint32_t next_asked(struct walk *w, uint32_t at)
{
	while (at < w->p->n) {
		uint64_t word = w->asked[at / 64] >> at % 64;

		if (word) {
			at += (uint32_t)__builtin_ctzll(word);
			w->asked[at / 64] &= ~(1ULL << at % 64);
			break;
		}
		at = (at | 63) + 1;
	}
	return at;
}

/*
 * Whether a word leads back to what its node hangs from, as buffers name the open file that has them: a walk that
 * goes there comes from there, and has to leave by another word.
 */
static bool leads_back(const struct walk *w, uint32_t src, uint32_t dst)
{
	const struct flow *f = w->f;
	uint8_t steps = w->depths[src] - w->depths[dst];
	uint32_t node;

	if (!steps || steps >= MOST_STEPS)
		return src == dst;
	node = f->order[src];
	for (; steps && node != UINT32_MAX; steps--)
		node = f->parent[node];
	return node == f->order[dst];
}

/* What leads to a place; whether all words that do are of stacks. */
static bool add_up(const struct walk *w, uint32_t at, struct sum *s)
{
	uint8_t by_stacks = OF_STACK;

	s->n = 0;
	s->weight = 0;
	for (uint32_t k = w->p->in_at[at]; k < w->p->in_at[at + 1]; k++) {
		if (!w->weights[k])
			continue;
		add_end(s, &w->ends[w->p->in[k] & ARC_NODE], w->weights[k] & ~OF_STACK);
		by_stacks &= w->weights[k];
	}
	return by_stacks;
}

/* In the order of distance most is known of the nodes before.  Returns how many have changed. */
static uint32_t sweep(struct walk *w)
{
	uint32_t changed = 0;

	for (uint32_t at = next_asked(w, w->p->roots); at < w->p->n; at = next_asked(w, at + 1)) {
		struct sum s;

		/* What words of stacks alone lead to may be left there: half of the walks are lost. */
		if (add_up(w, at, &s))
			s.weight *= 2;
		if (!s.weight || take(&s, &w->ends[at]) <= ENOUGH)
			continue;
		ask_behind(w, at);
		changed++;
	}
	return changed;
}

/* A way is as weak as its weakest word: frail are nodes that weak arcs alone lead to, those behind the firm ones. */
static void weigh(struct walk *w)
{
	const struct flow *f = w->f;
	const struct graph *g = f->g;

	for (uint32_t at = w->p->roots; at < w->p->n; at++)
		for (uint32_t k = w->p->in_at[at]; k < w->p->in_at[at + 1]; k++) {
			uint32_t arc = w->p->in[k], src = arc & ARC_NODE;

			if (src == w->p->n) {
				w->weights[k] = weights[arc >> 30];
				continue;
			}
			if (src >= w->p->roots && leads_back(w, src, at))
				continue;
			w->weights[k] = weights[src >= f->firm ? ARC_WEAK : arc >> 30];
			if (src < w->p->roots && f->order[src] < g->nodes &&
			    graph_span_of(g, f->order[src])->kind == NODE_STACK)
				w->weights[k] |= OF_STACK;
		}
}

#define AHEAD 16u /* places before it is asked for, what belongs to one is fetched */

static void find_depths(struct walk *w)
{
	const struct flow *f = w->f;

	for (uint32_t at = 0; at < w->p->n; at++) {
		if (w->p->n - at > AHEAD)
			__builtin_prefetch(&f->depth[f->order[at + AHEAD]]);
		w->depths[at] = f->depth[f->order[at]];
	}
}

static struct walk_end *array_of_ends(struct budget *own, struct arena *arena, uint64_t n)
{
	return budget_alloc(own, arena, n * sizeof(struct walk_end));
}

static bool open_walk(struct walk *w, bool by_owner, struct budget *own, struct arena *arena)
{
	const struct flow *f = w->f;
	uint64_t words = f->reached / 64 + 1;

	if (!places_turn(w->p, own, arena, &w->out_at, &w->out))
		return false;
	w->asked = budget_alloc(own, arena, words * sizeof(*w->asked));
	w->weights = budget_alloc(own, arena, w->p->in_at[w->p->n]);
	w->depths = budget_alloc(own, arena, w->p->n);
	if (!w->asked || !w->weights || !w->depths)
		return false;
	find_depths(w);
	for (uint32_t at = 0; at < w->p->roots; at++)
		w->ends[at] = (struct walk_end){
			{ by_owner ? f->roots[f->order[at]] : f->order[at] }, { WALK_WHOLE }
		};
	weigh(w);
	memset(w->asked, 0xff, words * sizeof(*w->asked));
	return true;
}

/* The ends by place.  What this alone needs is given back. */
static enum status find_ends(struct walk *w, bool by_owner, struct budget own)
{
	struct graph *g = (struct graph *)w->f->g;
	struct arena *arena = arena_within(g->arena);
	enum status st = ST_OK;
	bool fits = open_walk(w, by_owner, &own, arena);

	for (unsigned int i = 0; fits && i < ROUNDS && st == ST_OK && sweep(w); i++)
		st = dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
	arena_reset(arena);
	return fits ? st : graph_is_full(g, "walks");
}

enum status walk_find(const struct flow *f, bool by_owner, struct walk_end **ret)
{
	struct graph *g = (struct graph *)f->g;
	struct walk w = { .f = f, .p = f->places };
	struct budget own = g->budget;
	struct arena *arena = arena_within(g->arena);
	struct walk_end *ends = NULL;
	enum status st;

	w.ends = array_of_ends(&own, arena, w.p->n + 1ULL);
	st = w.ends ? find_ends(&w, by_owner, own) : graph_is_full(g, "walks");
	if (st == ST_OK && !(ends = array_of_ends(&g->budget, g->arena, f->n)))
		st = graph_is_full(g, "walks");
	for (uint32_t at = 0; st == ST_OK && at < w.p->n; at++)
		ends[f->order[at]] = w.ends[at];
	arena_reset(arena);
	return RESULT(st, ret, ends);
}
