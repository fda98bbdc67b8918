/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pools of huge pages of hugetlbfs, one for each size (mm/hugetlb.c). */
#pragma once

#include "dump/dump.h"

#define HUGETLB_NODES 1024
#define HUGETLB_PAGES 8

struct hugetlb_pool {
	unsigned int order;
	/* Huge pages of all nodes. */
	uint64_t total, free, reserved, surplus;
	/* The same by node, up to nodes; 0 for the others. */
	unsigned int nodes;
	uint32_t node_total[HUGETLB_NODES], node_free[HUGETLB_NODES];
	/* Some of the huge pages, by the struct page of the first page of each: what they look like. */
	unsigned int npages;
	uint64_t pages[HUGETLB_PAGES];
};

/* Calls visit for each size; ST_ABSENT: a kernel without hugetlbfs. */
enum status hugetlb_walk(struct dump *d,
			 enum status (*visit)(void *arg, const struct hugetlb_pool *pool),
			 void *arg);
