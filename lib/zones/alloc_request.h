/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the page allocator makes of an order and gfp flags: the highest zone that it may use, and
 * the reserves that it may go into (gfp_zone() in include/linux/gfp.h, gfp_to_alloc_flags() in
 * mm/page_alloc.c, alloc_flags_slowpath() in 7.3), of a task that is neither a victim of the OOM
 * killer nor has a realtime policy.
 */
#pragma once

#include "kernel/gfp_flags.h"

/*
 * Which gfp flags give which reserves. 6.3 (mm/page_alloc: explicitly define how __GFP_HIGH
 * non-blocking allocations accesses reserves, and others of that series), which stable releases
 * of 6.1 have as well.
 */
enum reserve_rule {
	RESERVES_OF_ATOMIC,   /* __GFP_ATOMIC, up to 6.2 */
	RESERVES_OF_NONBLOCK, /* the lack of __GFP_DIRECT_RECLAIM */
	RESERVES_UNKNOWN,     /* either */
};

struct alloc_kernel {
	enum reserve_rule rule;
	int64_t zone_dma, zone_dma32, zone_normal, zone_movable; /* enum zone_type; -1: none */
	struct gfp_flags flags;
	int64_t pcp_types; /* MIGRATE_PCPTYPES: migrate types that any request may take */
	int64_t highatomic, cma, isolate; /* enum migratetype; -1: none */
	bool no_mobility;		  /* all requests are Unmovable */
};

struct alloc_request {
	unsigned int order;
	uint32_t gfp;
	unsigned int highest_zone; /* index */
	bool half;		   /* min is halved: __GFP_HIGH */
	bool quarter;		   /* and then, a quarter is taken away */
	bool reserves;		   /* free pages of highatomic blocks count as free */
	bool highatomic;	   /* and its lists may be taken from */
	bool cma;		   /* so with CMA */
	bool ignores_cpuset;
	bool ignores_boost; /* of order 0 */
	bool no_watermarks; /* __GFP_MEMALLOC */
	bool is_nowait;	    /* it cannot wait for reclaim */
	/* The flag that decides and whose bit is unknown: what the request may take is, too; or NULL. */
	const char *unknown_flag;
};

struct names;

/* gfp_names: with the bits of the flags. ST_UNKNOWN: no enum zone_type. */
enum status alloc_kernel_open(struct dump *d, const struct names *gfp_names,
			      struct alloc_kernel *ret);

/*
 * rule: that of the kernel or, where that is not known, each in turn.  false: the flags name
 * no zone that this kernel has.  Where a flag that chooses the zone is unknown, any zone may be.
 */
bool alloc_request_init(const struct alloc_kernel *k, enum reserve_rule rule, unsigned int order,
			uint32_t gfp, struct alloc_request *ret);
