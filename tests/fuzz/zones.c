// SPDX-License-Identifier: GPL-2.0-or-later
/* Zones: lists of free blocks, lists of CPUs, watermarks, and the answer to a request. */
#include <string.h>

#include "fuzz.h"
#include "kernel/gfp_flags.h"
#include "zones/alloc_request.h"
#include "buddy/free_area.h"
#include "buddy/pcp_lists.h"
#include "zones/reclaim.h"
#include "zones/vmstat.h"
#include "buddy/watermark.h"
#include "zones/zones.h"

#define END (1 << 16) /* pfns */

static enum status count_block(void *arg, const struct pcp_block *b)
{
	if (b->order >= FREE_AREA_ORDERS)
		__builtin_trap();
	return ++*(unsigned int *)arg < 10000 ? ST_OK : ST_STOPPED;
}

/* Figures are numbers of the zone, whatever they are; sums of them do not wrap unseen. */
static void ask(const struct alloc_kernel *k, const struct zone_state *s, const struct zone_free *f,
		uint32_t seed)
{
	struct watermark_zone w = { .index = seed >> 30,
				    .managed = { true, (int64_t)s->managed },
				    .free = { true, (int64_t)s->present },
				    .min = { true, (int64_t)s->marks[MARK_MIN] },
				    .boost = { true, (int64_t)s->boost },
				    .reserve = { true, s->reserve[0] },
				    .highatomic = { true, (int64_t)s->reserved_highatomic },
				    .cma = { true, (int64_t)s->spanned },
				    .free_area = f };
	struct watermark_verdict v;
	struct alloc_request r;

	for (unsigned int rule = RESERVES_OF_ATOMIC; rule <= RESERVES_OF_NONBLOCK; rule++) {
		if (!alloc_request_init(k, rule, seed >> 20 & 15, seed & 0xfffff, &r))
			continue;
		watermark_check(k, &w, &r, &v);
		if (v.result == WATERMARK_BELOW && v.usable > v.limit)
			__builtin_trap();
		if ((v.result == WATERMARK_OK || v.result == WATERMARK_NO_BLOCK) &&
		    v.usable <= v.limit)
			__builtin_trap();
		if (v.largest >= (int)f->orders)
			__builtin_trap();
	}
}

static void use_zone(struct dump *d, const struct zone *zone, const struct page_types *types,
		     uint32_t seed)
{
	static struct zone_free f;
	static struct names names;
	struct alloc_kernel k;
	struct free_areas areas;
	struct zone_states states;
	struct zone_state s;
	struct pcp_lists lists;
	unsigned int blocks = 0;
	uint64_t pages;

	names_open(d, &names);
	if (free_areas_open(d, seed & 1 ? types : NULL, END, &areas) == ST_OK &&
	    free_areas_read(&areas, zone, &f) == ST_OK && zone_free_pages(&f, &pages) &&
	    pages > END)
		__builtin_trap();
	if (pcp_lists_open(d, END, &lists) == ST_OK) {
		pcp_lists_count(&lists, zone->address, &pages);
		pcp_lists_walk(&lists, zone->address, count_block, &blocks);
	}
	if (alloc_kernel_open(d, &names, &k) == ST_OK && zone_states_open(d, &states) == ST_OK &&
	    zone_state_read(&states, zone, &s) == ST_OK) {
		zone_defers_compaction(&s, seed & 15);
		ask(&k, &s, &f, seed);
	}
}

static void use_zonelists(struct dump *d, const struct zone *zone, uint32_t seed)
{
	struct zone copy = *zone;
	const struct zones zones = { &copy, 1 };
	struct memory_node *nodes;
	struct zonelist list;
	size_t n;

	if (zonelist_nodes(d, &nodes, &n) != ST_OK)
		return;
	for (size_t i = 0; i < n; i++) {
		copy.address = nodes[i].pgdat + (seed & 0xf8);
		if (zonelist_read(d, &zones, &nodes[i], seed % 3, &list) == ST_OK &&
		    (list.n > 1 || zonelist_find(&list, &copy) > list.n))
			__builtin_trap();
	}
}

void fuzz_zones(struct dump *d, struct sink *out NOT_USED, uint32_t seed)
{
	const struct zone zone = { .address = 0xffff888000000000 + (seed & 0xff8),
				   .end = END,
				   .name = "fuzz" };
	struct counter_reader *reader;
	struct node_reclaims nodes;
	struct page_types types;
	struct swap_totals swap;
	struct counters c;
	struct memmap memmap;

	reclaim_open(d, &nodes);
	swap_totals_read(d, &swap);
	use_zonelists(d, &zone, seed);
	if (counter_reader_open(d, &reader) == ST_OK) {
		counters_of_zone(reader, zone.address, seed & 1, &c);
		counters_of_node(reader, zone.address, seed & 2, &c);
	}
	if (memmap_open(d, &memmap) == ST_OK && page_types_open(d, &memmap, &types) == ST_OK)
		use_zone(d, &zone, &types, seed);
}
