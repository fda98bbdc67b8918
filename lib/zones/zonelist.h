/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which the page allocator tries the zones: pglist_data.node_zonelists of the node
 * that a request prefers (include/linux/mmzone.h, build_zonelists() in mm/page_alloc.c), 4.19 to
 * 7.3.  A kernel with NUMA has two lists of each node: of the zones of all nodes, and, for
 * __GFP_THISNODE, of its own zones.
 */
#pragma once

#include "kernel/gfp_flags.h"
#include "zones/zones.h"

struct zonelist {
	unsigned int node;
	size_t n;
	const struct zone **zones; /* of the struct zones that zonelist_read() was given */
};

struct memory_node {
	unsigned int id;
	uint64_t pgdat; /* address of its struct pglist_data */
};

/* All nodes, in the order of node_data; there is at least one. */
enum status zonelist_nodes(struct dump *d, struct memory_node **ret, size_t *n);

/*
 * thisnode: __GFP_THISNODE of the request; it chooses between the two lists of the node.  ST_CORRUPT:
 * the list has no end, a zone twice, or an entry that is none of the zones.
 */
enum status zonelist_read(struct dump *d, const struct zones *zones, const struct memory_node *node,
			  enum gfp_state thisnode, struct zonelist *ret);

/* The place of a zone in the list, from 0 on; list->n: it is not in the list. */
size_t zonelist_find(const struct zonelist *list, const struct zone *zone);
