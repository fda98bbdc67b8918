// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/spread.h"

#include "graph/places.h"
#include "util/bits.h"

struct spread {
	const struct flow *f;
	uint32_t *names;
	uint32_t *queue;  /* a ring of the nodes that have changed */
	uint8_t *waiting; /* a bit: it is in the queue */
	uint8_t *settled; /* a bit: arcs that are not weak lead there from a root */
	bool by_weak;	  /* the second time: what weak arcs alone lead to */
	uint32_t at, n;
};

/* What two that lead to a node make of it. */
static uint32_t both(uint32_t a, uint32_t b)
{
	if (a == ROOT_NONE || a == b)
		return b;
	return b == ROOT_NONE ? a : ROOT_SHARED;
}

static void push(struct spread *s, uint32_t node)
{
	if (bit_has(s->waiting, node))
		return;
	bit_set(s->waiting, node);
	/* No more wait than there are nodes. */
	s->queue[s->at + s->n < s->f->n ? s->at + s->n : s->at + s->n - s->f->n] = node;
	s->n++;
}

/* A leftover on some stack shares no memory with those that keep it. */
static bool is_followed(const struct spread *s, uint32_t arc)
{
	uint32_t dst = arc & ARC_NODE, weight = arc >> 30;

	if (weight == ARC_HUB || s->f->roots[dst] != OWNER_NOBODY)
		return false;
	return s->by_weak ? !bit_has(s->settled, dst) : weight != ARC_WEAK;
}

static void spread(struct spread *s)
{
	const struct flow *f = s->f;

	while (s->n) {
		uint32_t node = s->queue[s->at];

		s->at = s->at + 1 < f->n ? s->at + 1 : 0;
		s->n--;
		bit_clear(s->waiting, node);
		for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1]; k++) {
			uint32_t dst = f->out[k] & ARC_NODE;
			uint32_t name = both(s->names[dst], s->names[node]);

			if (name == s->names[dst] || !is_followed(s, f->out[k]))
				continue;
			s->names[dst] = name;
			push(s, dst);
		}
	}
}

static void start(struct spread *s, bool by_owner)
{
	for (uint32_t i = 0; i < s->f->n; i++) {
		uint16_t owner = s->f->roots[i];

		s->names[i] = ROOT_NONE;
		if (owner == OWNER_NOBODY)
			continue;
		s->names[i] = by_owner ? owner : i;
		push(s, i);
	}
}

static void start_weak(struct spread *s)
{
	s->by_weak = true;
	for (uint32_t i = 0; i < s->f->n; i++)
		if (s->names[i] != ROOT_NONE) {
			bit_set(s->settled, i);
			push(s, i);
		}
}

#define SWEEPS 4 /* in the order; what changes in the last one goes on from node to node */

/* By place: of what firm arcs alone lead to. */
static bool sweep_firm(struct spread *s, uint32_t *names, bool is_last)
{
	const struct flow *f = s->f;
	const struct places *p = f->places;
	bool changed = false;

	for (uint32_t at = p->roots; at < f->firm; at++) {
		uint32_t name = names[at];

		for (uint32_t k = p->in_at[at]; k < p->in_at[at + 1]; k++) {
			uint32_t src = p->in[k] & ARC_NODE;

			if (src < f->firm && p->in[k] >> 30 <= ARC_MIDDLE)
				name = both(name, names[src]);
		}
		if (name == names[at])
			continue;
		names[at] = name;
		changed = true;
		if (is_last)
			push(s, f->order[at]);
	}
	return changed;
}

/* Of what is behind these. */
static bool sweep_weak(struct spread *s, bool is_last)
{
	const struct flow *f = s->f;
	const struct places *p = f->places;
	bool changed = false;

	for (uint32_t at = f->firm; at < p->n; at++) {
		uint32_t *name = &s->names[f->order[at]], before = *name;

		for (uint32_t k = p->in_at[at]; k < p->in_at[at + 1]; k++) {
			uint32_t src = p->in[k] & ARC_NODE;

			if (src < p->n && p->in[k] >> 30 <= ARC_WEAK)
				*name = both(*name, s->names[f->order[src]]);
		}
		if (*name == before)
			continue;
		changed = true;
		if (is_last)
			push(s, f->order[at]);
	}
	return changed;
}

/* The same names as from node to node, since none depends on the order. */
static void spread_in_order(struct spread *s, bool by_owner, uint32_t *names)
{
	const struct flow *f = s->f;

	for (uint32_t at = 0; at < f->firm; at++)
		names[at] = at >= f->places->roots ? ROOT_NONE
			    : by_owner		   ? f->roots[f->order[at]]
						   : f->order[at];
	for (unsigned int i = 1; i <= SWEEPS && sweep_firm(s, names, i == SWEEPS); i++)
		;
	memset(s->names, 0xff, f->n * sizeof(*s->names));
	for (uint32_t at = 0; at < f->firm; at++) {
		s->names[f->order[at]] = names[at];
		bit_set(s->settled, f->order[at]);
	}
	spread(s);
	s->by_weak = true;
	for (unsigned int i = 1; i <= SWEEPS && sweep_weak(s, i == SWEEPS); i++)
		;
	spread(s);
}

bool spread_names(const struct flow *f, bool by_owner, uint32_t *names)
{
	struct arena *arena = arena_within(f->g->arena);
	struct budget own = f->g->budget;
	struct spread s = { .f = f, .names = names };
	uint32_t *by_place = f->places ? budget_alloc(&own, arena, f->firm * sizeof(*by_place))
				       : NULL;

	s.queue = budget_alloc(&own, arena, f->n * sizeof(*s.queue));
	s.waiting = budget_alloc(&own, arena, f->n / 8 + 1);
	s.settled = budget_alloc(&own, arena, f->n / 8 + 1);
	if (s.queue && s.waiting && s.settled && by_place) {
		spread_in_order(&s, by_owner, by_place);
	} else if (s.queue && s.waiting && s.settled) {
		start(&s, by_owner);
		spread(&s);
		start_weak(&s);
		spread(&s);
	}
	arena_reset(arena);
	return s.queue && s.waiting && s.settled;
}

static bool is_led_to(const struct flow *f, const uint8_t *reached, uint32_t node)
{
	for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++)
		if (bit_has(reached, f->in[k] & ARC_NODE))
			return true;
	return false;
}

bool spread_reach(const struct flow *f, uint8_t *reached)
{
	struct arena *arena = arena_within(f->g->arena);
	struct budget own = f->g->budget;
	uint32_t *queue = budget_alloc(&own, arena, f->n * sizeof(*queue)), n = 0;

	for (uint32_t at = 0; queue && at < f->reached; at++)
		bit_set(reached, f->order[at]);
	/* Hubs and leftovers lead to some more. */
	for (uint32_t i = 0; queue && i < f->n; i++)
		if (!bit_has(reached, i) && is_led_to(f, reached, i)) {
			bit_set(reached, i);
			queue[n++] = i;
		}
	for (uint32_t at = 0; queue && at < n; at++)
		for (uint32_t k = f->out_at[queue[at]]; k < f->out_at[queue[at] + 1]; k++) {
			uint32_t dst = f->out[k] & ARC_NODE;

			if (bit_has(reached, dst))
				continue;
			bit_set(reached, dst);
			queue[n++] = dst;
		}
	arena_reset(arena);
	return queue;
}
