/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that throttle_direct_reclaim() of mm/vmscan.c holds until kswapd of a node has freed pages. */
#pragma once

#include "dump/dump.h"

struct pfmemalloc_node {
	uint32_t node;
	uint64_t kswapd; /* its task_struct; 0: none runs */
};

/* Calls visit for each task that waits; ST_UNREADABLE, ST_CORRUPT: some may be missing. */
enum status pfmemalloc_walk(struct dump *d,
			    void (*visit)(void *arg, const struct pfmemalloc_node *node,
					  uint64_t task),
			    void *arg);
