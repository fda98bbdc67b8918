// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/walk.h"

#include <stdlib.h>

#define ROUNDS 100
#define ENOUGH 64 /* of WALK_WHOLE: what changes less is done */
#define CANDIDATES 8

/* A pointer to the start of a node counts most. */
static const uint32_t weights[ARC_WEIGHTS] = {
	[ARC_START] = 100,
	[ARC_MIDDLE] = 30,
	[ARC_WEAK] = 1,
	[ARC_HUB] = 1,
};

struct sum {
	uint32_t names[CANDIDATES];
	uint64_t parts[CANDIDATES];
	unsigned int n;
	uint64_t weight;
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

static bool is_reached(const struct flow *f, uint32_t node)
{
	return f->roots[node] != OWNER_NOBODY || f->parent[node] != UINT32_MAX;
}

/* In the order of distance most is known of the nodes before. */
static unsigned int sweep(const struct flow *f, struct walk_end *ends)
{
	unsigned int most = 0;

	for (uint32_t at = 0; at < f->reached; at++) {
		uint32_t node = f->order[at];
		struct sum s = { 0 };
		unsigned int change;

		if (f->roots[node] != OWNER_NOBODY)
			continue;
		for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
			uint32_t src = f->in[k] & ARC_NODE;

			/* What no root reaches is not walked into. */
			if (is_reached(f, src))
				add_end(&s, &ends[src], weights[f->in[k] >> 30]);
		}
		if (!s.weight)
			continue;
		change = take(&s, &ends[node]);
		most = change > most ? change : most;
	}
	return most;
}

enum status walk_find(const struct flow *f, bool by_owner, struct walk_end **ret)
{
	struct graph *g = (struct graph *)f->g;
	struct walk_end *ends = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ends));

	if (!ends) {
		g->cut = "walks";
		return dump_fail(g->dump, ST_NOMEM,
				 "the pointers of this dump need more memory "
				 "than 3 percent of its RAM");
	}
	for (uint32_t i = 0; i < f->n; i++)
		if (f->roots[i] != OWNER_NOBODY)
			ends[i] = (struct walk_end){ { by_owner ? f->roots[i] : i },
						     { WALK_WHOLE } };
	for (unsigned int i = 0; i < ROUNDS && sweep(f, ends) > ENOUGH; i++)
		if (dump_stopped(g->dump))
			return ST_STOPPED;
	*ret = ends;
	return ST_OK;
}
