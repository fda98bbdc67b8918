/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of "memowner fragmentation" share: one scan of all pages, by blocks. */
#pragma once

#include "oom/oom_report.h"
#include "pageowner/memory.h"
#include "buddy/mixed_blocks.h"
#include "classes/order_blocks.h"

/* Pageblocks of a zone and a migrate type. */
struct block_sums {
	uint64_t pageblocks; /* by the kernel's rule; 0 if has_pageblocks is false */
	uint64_t pages[MOBILITIES];
	uint64_t lost, unknown;	       /* with an unmovable or reclaimable page, or perhaps */
	uint64_t mixed, perhaps_mixed; /* with page_owner */
	uint64_t lost_order;	       /* blocks of the order asked for */
	uint64_t unknown_order;	       /* of them, perhaps lost */
	bool is_seen;
};

#define BLOCK_TYPES (FREE_AREA_TYPES + 1) /* the last: unknown */

struct zone_blocks {
	const struct zone *zone; /* NULL: pages of no zone, or of more than one */
	uint64_t states[FREE_AREA_ORDERS][BLOCK_STATES];
	struct block_sums types[BLOCK_TYPES];
	bool has_free; /* else nr_free is unknown */
	struct zone_free free;
};

/* Unmovable and reclaimable pages with the same keys of -g. */
struct mixed_group {
	struct owner_group of;
	uint64_t reclaimable;
	uint64_t mixed;	       /* pages in movable pageblocks */
	uint64_t blocks;       /* pageblocks */
	uint64_t sole;	       /* blocks of the order asked for without pages of another group */
	uint64_t order_blocks; /* blocks of the order asked for */
	uint64_t last_block, last_order_block; /* that were counted, + 1 */
};

/* A block that is free, or movable, but for the pages of one allocation. */
struct near_block {
	struct near_block *next;
	uint64_t start, pfn;	     /* of the block, of its first such page */
	uint32_t pages;		     /* of the allocation in the block */
	uint32_t free;		     /* pages of the block; the rest can be moved */
	enum page_mobility mobility; /* of the allocation */
};

struct fragmentation {
	struct owner_view *v;
	unsigned int order; /* whose blocks are looked at: asked for, else a pageblock's */
	bool has_request,
		lacks_request; /* lacks_request: a report may be in what is missing of the log */
	unsigned int request;  /* order of the newest report in the log, or of the argument */
	const struct oom_report *report; /* NULL: of the argument */
	unsigned int orders;
	struct page_mobilities mobilities;
	struct order_blocks blocks;
	struct zone_blocks *zones; /* one for each zone, and one for pages of none */
	size_t nzones;
	struct scan_stats cov;
	struct memory_gaps gaps;
	uint64_t visited;
	uint64_t undecodable; /* live pages with a stack that cannot be decoded */
	/* The pageblock that is scanned. */
	uint64_t pageblock; /* pfn >> order */
	struct zone_blocks *in;
	struct block_sums *sums;
	unsigned int type; /* BLOCK_TYPES - 1: unknown */
	struct mixed_block mixed;
	uint64_t fixed, unknown; /* its pages */
	bool has_block;
	/* Who. */
	struct owner_groups groups; /* of struct mixed_group */
	uint64_t selected;	    /* pages of the block of that order that the filters keep */
	struct mixed_group *only;   /* the group of all of them; NULL: none, or several */
	int64_t movable, cma;	    /* enum migratetype; -1: none */
	/* One allocation away. */
	struct near_block *near;
	size_t nnear;
};

/* What a row is of: pages of no zone have neither. */
struct zone_name {
	const char *name;
	uint32_t node;
	bool known;
};

static inline struct zone_name zone_name_of(const struct zone *zone)
{
	return zone ? (struct zone_name){ zone->name, zone->node, true } : (struct zone_name){ 0 };
}

/* Whether filters of node and zone keep what is told of a zone; other keys are of pages. */
static inline bool fragmentation_has_zone(const struct fragmentation *f,
					  const struct zone_blocks *z)
{
	return owner_keeps_zone(&f->v->in->filters, z->zone);
}

/* None of what can be read, where more of the same cannot be, is no count of it. */
static inline struct maybe_u64 count_among(uint64_t n, uint64_t unknown)
{
	return (struct maybe_u64){ n, n || !unknown };
}

/* What the text says of an empty list. */
static inline const char *fragmentation_none(const struct fragmentation *f)
{
	if (f->gaps.unknown || f->gaps.unreadable)
		return ": none is known";
	return f->v->in->filters.n ? ": none that the filters keep" : ": none";
}

/* ST_STOPPED: what was seen is there. */
enum status fragmentation_scan(struct fragmentation *f);

/* Opens a view of it. */
enum status fragmentation_open(void *owner_view, enum availability *why);

/* The end of the report. */
void fragmentation_end(struct fragmentation *f, enum status st);

/* Parts of the scan, in fragmentation_mixed.c: an unmovable or reclaimable page, and its block. */
void mixed_add_page(struct fragmentation *f, const struct owner_page *page,
		    const struct page_info *info, uint64_t first, enum page_mobility mobility);
void mixed_end_block(struct fragmentation *f, const struct order_block *b);
/* ST_USAGE: a key needs records, and there are none. */
enum status mixed_open(struct fragmentation *f);

/* In fragmentation_near.c: takes a block of the order asked for. */
void near_add(struct fragmentation *f, const struct order_block *b);

/* With -g, instead of all that follows. */
#define MIXED_NCOLUMNS 33
extern const struct view_column mixed_columns[MIXED_NCOLUMNS];
void mixed_prepare(struct cmdline *in);
void mixed_put(struct fragmentation *f);

/* Pageblocks by migrate type. */
extern const struct view fragmentation_types_view;
void fragmentation_types_put(struct fragmentation *f);

/* Who has unmovable and reclaimable pages. */
extern const struct view fragmentation_owners_view;
void fragmentation_owners_put(struct fragmentation *f);

/* Blocks that one allocation keeps from being free. */
extern const struct view fragmentation_near_view;
enum status fragmentation_near_put(struct fragmentation *f);
