/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of the graph, from what the other rooms know of memory. */
#pragma once

#include "classes/page_class.h"
#include "graph/graph.h"

struct graph_sources {
	struct dump *dump;
	const struct ram *ram;
	struct memmap *memmap;
	struct page_types *types;
	struct page_classes *classes;
	struct slabs *slabs;
	const uint64_t *watched; /* addresses of free objects that count as in use */
	size_t nwatched;
	uint32_t most_edges; /* with more there is no answer; 0: with more than there is room for */
	/* What was seen on the way. */
	uint64_t unreadable; /* pages without a struct page in this dump */
	uint64_t unknown;    /* pages of an unknown class */
	uint64_t bad_slabs;  /* slabs that cannot be decoded, or whose free objects are unknown */
	uint64_t pages[PAGE_CLASSES];
	const char *problem; /* NULL, or what was missing first */
	bool lacks_roots;    /* more than their names */
};

/*
 * Fills g, which graph_init() made, up to graph_seal().  ST_STOPPED; ST_NOMEM: the budget does not
 * suffice for the nodes, as g->cut says.
 */
enum status graph_nodes(struct graph *g, struct graph_sources *s);

/* Parts of it. */
void graph_add_statics(struct graph *g, struct graph_sources *s);	/* statics.c */
void graph_add_percpu(struct graph *g, struct graph_sources *s);	/* percpu.c */
enum status graph_add_stacks(struct graph *g, struct graph_sources *s); /* stacks.c */
enum status graph_add_areas(struct graph *g, struct graph_sources *s);	/* areas.c */
enum status graph_add_pages(struct graph *g, struct graph_sources *s);	/* nodes.c */

/* Keep the first problem (sources.c); of the second, words are missing. */
void graph_lacks_names(struct graph_sources *s, const char *what);
void graph_lacks(struct graph_sources *s, const char *what);
