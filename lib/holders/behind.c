// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/behind.h"

#include "holders/content.h"
#include "util/bits.h"

#define MOST_NODES 8192u /* that are looked at on the way back */
#define STEPS 8u	 /* to the variable */
#define MORE_STEPS 2u	 /* where another would make it unsure */
#define MOST_EIGHTHS 7u	 /* of the nodes that were kept have it */

struct step {
	uint32_t node, next; /* step that is nearer to where it began */
	uint32_t distance;
};

struct search {
	const struct flow *f;
	uint16_t owner; /* 0: vmlinux, whose per-CPU variables count as well */
	bool by_hubs;	/* and those in whose lists everybody registers */
	struct step *steps;
	uint32_t n;
	uint8_t *seen;		      /* a bit for each node that has a step */
	uint32_t found, at, distance; /* variable, and the step that it leads to */
};

/* What is in a list names who has it, and does not keep it. */
static bool is_entry_of(const struct flow *f, uint32_t node, uint32_t list)
{
	for (uint32_t k = f->in_at[node]; list >= f->g->nodes && k < f->in_at[node + 1]; k++)
		if ((f->in[k] & ARC_NODE) == list)
			return true;
	return false;
}

static bool is_same(const struct graph *g, uint32_t a, uint32_t b)
{
	const struct span *x, *y;
	uint64_t base;

	if (a == b || a == ROOT_NONE || b == ROOT_NONE)
		return a == b;
	x = graph_span_of(g, a);
	y = graph_span_of(g, b);
	base = x->kind == NODE_PERCPU ? graph_percpu_base(g, x) : 0;
	return base && y->kind == NODE_PERCPU && base == graph_percpu_base(g, y);
}

/*
 * What the kernel calls functions of a module by, a struct platform_driver or __this_module: its lists lead from there to
 * what registers.
 */
static bool is_registered(const struct graph *g, uint32_t node, const struct span *s)
{
	const struct module *m = graph_module(g, s->group);

	return m && (g->tags[node] == s->group || m->address - s->start < s->stride);
}

/* A variable as near as the one that was found; false: it is not known which has what is behind. */
static bool add_other(const struct search *s, uint32_t node, const struct span *span)
{
	return s->owner && is_registered(s->f->g, node, span) &&
	       !is_registered(s->f->g, s->found, graph_span_of(s->f->g, s->found));
}

static void add_step(struct search *s, uint32_t node, uint32_t next, uint32_t distance)
{
	if (s->n == MOST_NODES)
		return;
	bit_set(s->seen, node);
	s->steps[s->n++] = (struct step){ node, next, distance };
}

/* False: another variable is as near. */
static bool add(struct search *s, uint32_t node, uint32_t at)
{
	const struct span *span;

	/* It is no root, but for where it began. */
	if (bit_has(s->seen, node) && node != s->steps[0].node)
		return true;
	span = node < s->f->g->nodes ? graph_span_of(s->f->g, node) : NULL;
	if (span && graph_is_root(span)) {
		if (span->kind > NODE_PERCPU || span->group != s->owner ||
		    is_same(s->f->g, node, s->found))
			return true;
		if (s->found != ROOT_NONE)
			return add_other(s, node, span);
		if (s->owner && span->kind == NODE_PERCPU)
			return false;
		s->found = node;
		s->at = at;
		s->distance = s->steps[at].distance;
		return true;
	}
	if (is_entry_of(s->f, node, s->steps[s->steps[at].next].node))
		return true;
	if (!bit_has(s->seen, node))
		add_step(s, node, at, s->steps[at].distance + 1);
	return true;
}

/* Words that few of their kind have are followed by none. */
static bool is_followed(const struct search *s, uint32_t arc)
{
	uint32_t src = arc & ARC_NODE;

	if (arc >> 30 != ARC_HUB || !s->by_hubs)
		return arc >> 30 <= ARC_MIDDLE;
	return src >= s->f->g->nodes || graph_node_is_root(s->f->g, src);
}

static bool look(struct search *s)
{
	const struct flow *f = s->f;

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t at = s->steps[i].node;

		if (s->steps[i].distance > (s->found == ROOT_NONE ? STEPS
					    : s->owner		  ? s->distance + MORE_STEPS
								  : s->distance))
			break;
		for (uint32_t k = f->in_at[at]; k < f->in_at[at + 1]; k++)
			if (is_followed(s, f->in[k]) && !add(s, f->in[k] & ARC_NODE, i))
				return false;
	}
	return s->found != ROOT_NONE;
}

/* The bits are zeros again. */
static bool search(struct search *s, const struct behind_search *room, uint32_t node,
		   uint16_t owner, bool by_hubs)
{
	bool ret;

	*s = (struct search){ .f = room->f,
			      .owner = owner,
			      .by_hubs = by_hubs,
			      .steps = room->steps,
			      .seen = room->seen,
			      .found = ROOT_NONE };
	add_step(s, node, 0, 0);
	ret = look(s);
	for (uint32_t i = 0; i < s->n; i++)
		bit_clear(s->seen, s->steps[i].node);
	return ret;
}

void behind_open(const struct flow *f, struct arena *arena, struct behind_search *ret)
{
	*ret = (struct behind_search){
		.f = f,
		.steps = arena_alloc(arena, MOST_NODES * sizeof(*ret->steps)),
		.seen = arena_alloc(arena, f->n / 8 + 1ULL),
	};
}

void behind_add(struct behind *b, uint32_t node, uint16_t owner)
{
	uint32_t at = content_slot(b->seen, BEHIND_NODES);

	b->owner = owner;
	b->n += b->seen++ < BEHIND_NODES;
	if (at < BEHIND_NODES)
		b->nodes[at] = node;
}

/* The one of an owner that is behind nearly all of the nodes. */
static uint32_t find(const struct behind_search *room, const struct behind *b, uint16_t owner,
		     bool by_hubs)
{
	uint32_t agree = 0, ret = ROOT_NONE;

	for (uint32_t i = 0; i < b->n; i++) {
		struct search s;

		if (search(&s, room, b->nodes[i], owner, by_hubs)) {
			ret = agree ? ret : s.found;
			agree += is_same(room->f->g, s.found, ret);
		}
	}
	return agree * 8 < b->n * MOST_EIGHTHS ? ROOT_NONE : ret;
}

void behind_find(const struct behind_search *room, struct behind *b)
{
	b->variable = find(room, b, b->owner, false);
	b->before = b->variable == ROOT_NONE ? find(room, b, 0, false) : ROOT_NONE;
	if (b->variable == ROOT_NONE && b->before == ROOT_NONE)
		b->before = find(room, b, 0, true);
}

uint32_t behind_way(const struct flow *f, uint32_t node, uint32_t variable, uint32_t *steps,
		    uint32_t most)
{
	struct arena *arena = arena_within(f->g->arena);
	struct behind_search room;
	struct search s;
	uint32_t n = 0;
	const uint16_t owner = graph_span_of(f->g, variable)->group;
	bool is_found = false;

	behind_open(f, arena, &room);
	for (int by_hubs = 0; by_hubs < 2 && !is_found; by_hubs++)
		is_found = search(&s, &room, node, owner, by_hubs) &&
			   is_same(f->g, s.found, variable);
	for (uint32_t at = s.at; is_found && n < most; at = s.steps[at].next) {
		steps[n++] = s.steps[at].node;
		if (!at)
			break;
	}
	arena_reset(arena);
	for (uint32_t i = 0; i < n / 2; i++) {
		uint32_t other = steps[i];

		steps[i] = steps[n - 1 - i];
		steps[n - 1 - i] = other;
	}
	return n;
}
