// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/retained.h"

#include <string.h>

/* What two that lead to a node make of it. */
static uint32_t both(uint32_t a, uint32_t b)
{
	if (a == ROOT_NONE || a == b)
		return b;
	return b == ROOT_NONE ? a : ROOT_SHARED;
}

/*
 * Names flow along arcs until none changes: from none to one, from one to several, so each node is
 * asked again twice at most.
 */
struct spread {
	const struct flow *f;
	uint32_t *names;  /* by node */
	uint32_t *queue;  /* a ring of the nodes that have changed */
	uint8_t *waiting; /* a bit: it is in the queue */
	uint32_t at, n;
};

static void push(struct spread *s, uint32_t node)
{
	if (s->waiting[node / 8] >> node % 8 & 1)
		return;
	s->waiting[node / 8] |= 1 << node % 8;
	s->queue[((uint64_t)s->at + s->n++) % s->f->n] = node;
}

static void spread(struct spread *s)
{
	const struct flow *f = s->f;

	while (s->n) {
		uint32_t node = s->queue[s->at];

		s->at = (s->at + 1) % f->n;
		s->n--;
		s->waiting[node / 8] &= ~(1 << node % 8);
		for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1]; k++) {
			uint32_t dst = f->out[k] & ARC_NODE, name;

			if (f->out[k] >> 30 == ARC_HUB || f->roots[dst] != OWNER_NOBODY)
				continue;
			name = both(s->names[dst], s->names[node]);
			if (name == s->names[dst])
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

enum status retained_find(const struct flow *f, struct retained *ret)
{
	struct graph *g = (struct graph *)f->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own;
	struct spread s = { .f = f };

	ret->owners = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ret->owners));
	ret->roots = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ret->roots));
	own = g->budget;
	s.queue = budget_alloc(&own, arena, f->n * sizeof(*s.queue));
	s.waiting = budget_alloc(&own, arena, f->n / 8 + 1);
	if (ret->owners && ret->roots && s.queue && s.waiting) {
		s.names = ret->roots;
		start(&s, true);
		spread(&s);
		for (uint32_t i = 0; i < f->n; i++)
			ret->owners[i] = s.names[i] == ROOT_NONE     ? OWNER_NOBODY
					 : s.names[i] == ROOT_SHARED ? OWNER_SHARED
								     : (uint16_t)s.names[i];
		start(&s, false);
		spread(&s);
	} else {
		g->cut = "owners";
	}
	arena_reset(arena);
	return g->cut ? dump_fail(g->dump, ST_NOMEM,
				  "the pointers of this dump need more memory "
				  "than 3 percent of its RAM")
		      : ST_OK;
}
