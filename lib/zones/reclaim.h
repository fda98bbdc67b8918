/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How reclaim and compaction of a node stand (struct pglist_data), and how full swap is. */
#pragma once

#include "dump/dump.h"

/* MAX_RECLAIM_RETRIES in mm/internal.h: kswapd stops after this many runs without success. */
#define RECLAIM_RETRIES 16

struct node_reclaim {
	uint64_t pgdat; /* address */
	uint32_t node;
	uint32_t failures;     /* runs of kswapd in a row that reclaimed nothing */
	uint32_t kswapd_order; /* that kswapd was woken for, or works at */
	bool has_compact;
	uint32_t compact_order; /* that kcompactd was woken for */
};

struct node_reclaims {
	struct node_reclaim *nodes;
	size_t n;
};

enum status reclaim_open(struct dump *d, struct node_reclaims *ret);

struct swap_totals {
	uint64_t total; /* pages */
	int64_t free;	/* negative while swapoff() empties an area, which is in neither any more */
};

/* ST_ABSENT: a kernel without swap. */
enum status swap_totals_read(struct dump *d, struct swap_totals *ret);
