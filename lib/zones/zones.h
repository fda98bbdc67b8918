/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes and zones by pfn, from the spans in pglist_data.node_zones. */
#pragma once

#include "dump/structure.h"
#include "kernel/gfp_flags.h"

struct zone {
	uint64_t address; /* of struct zone */
	unsigned int node;
	unsigned int index; /* in node_zones: enum zone_type */
	const char *name;
	uint64_t start, end; /* pfns; end is the first one behind */
};

struct zones {
	struct zone *zones;
	size_t n;
};

/* Populated zones of every node. */
enum status zones_open(struct dump *d, struct zones *ret);

/* The zone of a pfn; NULL if none or, where nodes interleave, more than one spans it. */
const struct zone *zones_find(const struct zones *z, uint64_t pfn);

/*
 * NUMA nodes, by the address of their struct pglist_data: node_data is an array of pointers, with holes;
 * a kernel without NUMA has contig_page_data alone (include/linux/mmzone.h).
 */
struct nodes {
	uint64_t *pgdat;
	size_t n;
};

enum status nodes_open(struct dump *d, struct nodes *ret);

/*
 * What struct zone says besides its free blocks: sizes, watermarks, reserves, deferred compaction
 * (include/linux/mmzone.h).
 */

#define ZONE_RESERVES 8 /* lowmem_reserve[] by zone index */

enum zone_mark { MARK_MIN, MARK_LOW, MARK_HIGH, ZONE_MARKS };

struct zone_states {
	struct structure zone;
	bool has_even_steps; /* min, low and high are equally far apart */
};

struct zone_state {
	uint64_t managed, spanned, present;
	uint64_t marks[ZONE_MARKS]; /* without the boost, which every use adds */
	uint64_t boost;
	bool has_boost, has_reserved_highatomic, has_free_highatomic, has_cma, has_deferral;
	bool has_considered, has_order_failed;
	/* Pages of pageblocks that are reserved for atomic allocations, and those of them free. */
	uint64_t reserved_highatomic, free_highatomic;
	int64_t reserve[ZONE_RESERVES];
	unsigned int reserves; /* how many there are */
	uint64_t cma;
	/* Compaction for order_failed and above is left out while considered is below 2^shift. */
	uint64_t defer_shift, considered;
	int64_t order_failed;
};

/* ST_UNKNOWN: no watermarks. */
enum status zone_states_open(struct dump *d, struct zone_states *ret);

/* ST_CORRUPT: figures that no zone has (__setup_per_zone_wmarks() in mm/page_alloc.c). */
enum status zone_state_read(const struct zone_states *z, const struct zone *zone,
			    struct zone_state *ret);

/* Whether compaction of a zone leaves out an order now (mm/compaction.c, compaction_deferred()). */
bool zone_defers_compaction(const struct zone_state *s, unsigned int order);

/* MemAvailable of /proc/meminfo, and what it is made of, in pages: si_mem_available() in mm/show_mem.c. */

struct mem_available {
	uint64_t free,
		reserve; /* of zones; totalreserve_pages, which no request of a user may have */
	uint64_t file,
		reclaimable; /* without the part that stays: half of it, at most the low watermarks */
	uint64_t pages;	     /* all of it */
};

enum status mem_available_read(struct dump *d, struct mem_available *ret);

/* Where that is not known: what it is at least and at most, by the parts of it that are. */
struct mem_bounds {
	uint64_t least, most; /* pages */
	bool has_most;	      /* it may be any number */
};

/* free: pages that are.  Without totalreserve_pages it is at least 0. */
void mem_bounds_read(struct dump *d, uint64_t free, struct mem_bounds *ret);

/*
 * The order in which the page allocator tries the zones: pglist_data.node_zonelists of the node
 * that a request prefers (include/linux/mmzone.h, build_zonelists() in mm/page_alloc.c), 4.19 to
 * 7.3.  A kernel with NUMA has two lists of each node: of the zones of all nodes, and, for
 * __GFP_THISNODE, of its own zones.
 */

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
