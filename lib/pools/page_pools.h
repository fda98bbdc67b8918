/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Page pools of network drivers (net/core/page_pool.c): what struct page_info.pool points to.  A page is of
 * its pool until the pool, or the packet that has it, frees it.
 */
#pragma once

#include "dump/structure.h"

struct page_pools {
	struct dump *dump;
	struct structure pool, device, driver;
	struct field netdev_name, netdev_device; /* of struct net_device */
};

#define POOL_NAME 64

struct page_pool {
	unsigned int order; /* of its allocations */
	uint64_t held;	    /* pages that it allocated and that were not released, as it counts */
	char device
		[POOL_NAME]; /* network device, else the device that pages are mapped for; "": unknown */
	char driver[POOL_NAME]; /* of that device; "": unknown */
};

/* ST_ABSENT: this kernel has no page pools; ST_UNKNOWN. */
enum status page_pools_open(struct dump *d, struct page_pools *ret);

/* ST_UNREADABLE; ST_CORRUPT: impossible numbers.  A name that is missing is "". */
enum status page_pool_read(const struct page_pools *p, uint64_t pool, struct page_pool *ret);
