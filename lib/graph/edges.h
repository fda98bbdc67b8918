/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The edges of the graph: one pass over the words of all nodes.
 *
 * What book-keeping of allocators refers to is not owned by it, but for nodes of a kmem_cache: kmem_cache_node, sheaves,
 * vm_struct and vmap_area are no sources.
 */
#pragma once

#include "graph/graph.h"

/* Fills g->edges, g->first and g->tags.  ST_STOPPED; ST_NOMEM: g->cut. */
enum status graph_edges(struct graph *g);

/* What it then fails with where there are more edges than were to be. */
enum status graph_has_more(struct dump *d, uint32_t most);

/* Then: the module whose function a kernel thread runs, where its stack does not tell. (stacks.c) */
void graph_tag_threads(struct graph *g);

/* What objects of a module's own caches do not name themselves. (own_caches.c) */
void graph_tag_own_caches(struct graph *g);

/* The module that called vmap(), by the caller. (mapped.c) */
void graph_own_mapped(struct graph *g);

/* Private data of open files and entries of proc that a module's functions get. (private.c) */
void graph_find_private(struct graph *g);
