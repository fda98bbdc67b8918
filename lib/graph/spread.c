// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/spread.h"
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

bool spread_names(const struct flow *f, bool by_owner, uint32_t *names)
{
	struct arena *arena = arena_within(f->g->arena);
	struct budget own = f->g->budget;
	struct spread s = { .f = f, .names = names };

	s.queue = budget_alloc(&own, arena, f->n * sizeof(*s.queue));
	s.waiting = budget_alloc(&own, arena, f->n / 8 + 1);
	s.settled = budget_alloc(&own, arena, f->n / 8 + 1);
	if (s.queue && s.waiting && s.settled) {
		start(&s, by_owner);
		spread(&s);
		start_weak(&s);
		spread(&s);
	}
	arena_reset(arena);
	return s.queue && s.waiting && s.settled;
}

bool spread_reach(const struct flow *f, uint8_t *reached)
{
	struct arena *arena = arena_within(f->g->arena);
	struct budget own = f->g->budget;
	uint32_t *queue = budget_alloc(&own, arena, f->n * sizeof(*queue)), n = 0;

	for (uint32_t i = 0; queue && i < f->n; i++)
		if (f->roots[i] != OWNER_NOBODY) {
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
