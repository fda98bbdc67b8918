// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/walk.h"
#include "util/bits.h"

#include <stdlib.h>

#define ROUNDS 30
#define ENOUGH 655 /* of WALK_WHOLE, one percent: what changes less is done */
#define CANDIDATES 4
#define MOST_STEPS 64u /* from a node towards its root */

/* A pointer to the start of a node counts most. */
static const uint32_t weights[ARC_WEIGHTS] = {
	[ARC_START] = 100,
	[ARC_MIDDLE] = 30,
	[ARC_WEAK] = 1,
	[ARC_HUB] = 1,
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

static void ask_behind(const struct flow *f, uint8_t *asked, uint32_t node)
{
	for (uint32_t k = f->out_at[node]; k < f->out_at[node + 1]; k++)
		bit_set(asked, f->out[k] & ARC_NODE);
}

static bool is_stack(const struct graph *g, uint32_t node)
{
	return node < g->nodes && graph_span_of(g, node)->kind == NODE_STACK;
}

/*
 * Whether a word leads back to what its node hangs from, as buffers name the open file that has them: a walk that
 * goes there comes from there, and has to leave by another word.
 */
static bool leads_back(const struct flow *f, uint32_t src, uint32_t dst)
{
	for (uint32_t i = 0; i < MOST_STEPS && src != UINT32_MAX; i++, src = f->parent[src])
		if (src == dst)
			return true;
	return false;
}

/*
 * In the order of distance most is known of the nodes before.  asked: nodes behind one that has changed;
 * frail: a bit for those that weak arcs alone lead to, as a way is as weak as its weakest word.  Returns how many did.
 */
static uint32_t sweep(const struct flow *f, struct walk_end *ends, uint8_t *asked,
		      const uint8_t *frail)
{
	uint32_t changed = 0;

	for (uint32_t at = 0; at < f->reached; at++) {
		uint32_t node = f->order[at];
		bool by_stacks = true;
		struct sum s;

		if (!take_mark(asked, node) || f->roots[node] != OWNER_NOBODY)
			continue;
		s.n = 0;
		s.weight = 0;
		for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
			uint32_t src = f->in[k] & ARC_NODE;

			if (leads_back(f, src, node))
				continue;
			/* A walk into what no root reaches is lost. */
			add_end(&s, &ends[src],
				weights[bit_has(frail, src) ? ARC_WEAK : f->in[k] >> 30]);
			by_stacks = by_stacks && is_stack(f->g, src);
		}
		/* What words of stacks alone lead to may be left there: half of the walks are lost. */
		if (by_stacks)
			s.weight *= 2;
		if (!s.weight || take(&s, &ends[node]) <= ENOUGH)
			continue;
		ask_behind(f, asked, node);
		changed++;
	}
	return changed;
}

enum status walk_find(const struct flow *f, bool by_owner, struct walk_end **ret)
{
	struct graph *g = (struct graph *)f->g;
	struct walk_end *ends = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ends));
	uint8_t *asked = budget_alloc(&g->budget, g->arena, f->n / 8 + 1);
	uint8_t *frail = budget_alloc(&g->budget, g->arena, f->n / 8 + 1);

	if (!ends || !asked || !frail)
		return graph_is_full(g, "walks");
	for (uint32_t i = 0; i < f->n; i++)
		if (f->roots[i] != OWNER_NOBODY)
			ends[i] = (struct walk_end){ { by_owner ? f->roots[i] : i },
						     { WALK_WHOLE } };
	for (uint32_t i = f->firm; i < f->reached; i++)
		bit_set(frail, f->order[i]);
	memset(asked, 0xff, f->n / 8 + 1);
	for (unsigned int i = 0; i < ROUNDS && sweep(f, ends, asked, frail); i++)
		if (dump_stopped(g->dump))
			return ST_STOPPED;
	*ret = ends;
	return ST_OK;
}
