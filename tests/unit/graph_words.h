/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A graph of two variables, objects of two caches and pages, whose words are added one by one. */
#pragma once

#include <stdlib.h>

#include "graph/edges.h"
#include "graph/retained.h"
#include "graph/walk.h"
#include "stub.h"
#include "test.h"

#include "graph_edge.h"

#define LINEAR 0xffff888000000000ULL
#define OBJECTS (LINEAR + 0x100000)
#define PAGES (LINEAR + 0x800000)
#define ROOM (16 << 20)

/* Two variables, of vmlinux and of module 1; objects of two caches; pages. */
enum { KERNEL, MODULE, FIRST };

static struct stub stub;
static struct graph g;
static struct arcs arcs;
static struct flow flow;
static struct retained kept;
static struct walk_end *ends;
static struct edge edges[4096];
static uint32_t nedges;
static uint32_t objects, others, pages; /* first node of each */
static uint32_t stack;			/* of a task */
static uint32_t hub;			/* the variable at which everybody registers */

static inline void open_graph(void)
{
	STUB_OPEN(stub);
	graph_init(&stub.dump, stub.dump.arena, ROOM, 0, &g);
	g.linear = LINEAR;
	g.end = 0x2000;
	g.page_spans = arena_alloc(g.arena, g.end * sizeof(*g.page_spans));
	graph_add(&g, NODE_STATIC, 0xffffffff81000000, 256, 1, 0);
	graph_add(&g, NODE_STATIC, 0xffffffffa0000000, 256, 1, 1);
	objects = g.nodes;
	graph_add(&g, NODE_OBJECT, OBJECTS, 64, 64, 0);
	others = g.nodes;
	graph_add(&g, NODE_OBJECT, OBJECTS + 0x10000, 128, 64, 1);
	pages = g.nodes;
	graph_add(&g, NODE_DIRECT, PAGES, 4096, 32, 0);
	stack = g.nodes;
	graph_add(&g, NODE_STACK, 0xffffc90000000000, 16384, 1, 0);
	CHECK(graph_seal(&g));
	nedges = 0;
	hub = UINT32_MAX;
}

static inline void word(uint32_t src, uint32_t from, uint32_t dst, uint32_t to)
{
	edges[nedges++] = (struct edge){ src, dst, from, to };
}

static inline int by_place(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

static inline bool is_hub(void *arg NOT_USED, const struct span *s)
{
	return s->first == hub;
}

static inline void fill_edges(void)
{
	qsort(edges, nedges, sizeof(*edges), by_place);
	g.first = arena_alloc(g.arena, (g.nodes + 1) * sizeof(*g.first));
	for (uint32_t i = 0; i < nedges; i++)
		put_edge(&g, edges[i]);
}

static inline enum status find_owners(void)
{
	return graph_arcs(&g, is_hub, NULL, &arcs) ?: flow_open(&arcs, &flow) ?:
		retained_find(&flow, &kept) ?: walk_find(&flow, true, &ends);
}

static inline enum status find(void)
{
	fill_edges();
	return find_owners();
}

/* How many of n nodes have an owner. */
static inline unsigned int owned(uint32_t first, uint32_t n, uint16_t owner)
{
	unsigned int count = 0;

	for (uint32_t i = first; i < first + n; i++)
		count += kept.owners[i] == owner;
	return count;
}

/* A circular list: the head at a byte of a node, the entries at the byte 16 of objects. */
static inline void list(uint32_t head, uint32_t at, uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i <= n; i++) {
		uint32_t src = i ? first + i - 1 : head, from = i ? 16 : at;
		uint32_t next = i < n ? first + i : head, to = i < n ? 16 : at;

		word(src, from, next, to);
		word(next, to + 8, src, from);
	}
}
