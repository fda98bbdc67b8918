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

/*
 * How struct page says that a compound page is one of hugetlb, where the type of the page does not have a name
 * of its own for it (before 6.10).  It is checked on pages that the pools of hugetlb list.
 */

enum hugetlb_place {
	HUGETLB_NOWHERE,     /* this kernel has no huge page, or problem is set */
	HUGETLB_SECOND_PAGE, /* a member of the second page */
	HUGETLB_PAGE_TYPE,   /* page_type of the first page */
};

struct hugetlb_mark {
	enum hugetlb_place place;
	struct field member;  /* as a member of that struct page */
	uint64_t mask, value; /* of it */
	const char *problem;  /* NULL, or why pages of hugetlb cannot be told from others */
};

/*
 * bytes: of struct page.  type: page_type; flags: of struct page.  taken: the bits of page_type that
 * stand for others.
 */
enum status hugetlb_mark_open(struct dump *d, uint64_t bytes, const struct field *type,
			      const struct field *flags, uint64_t taken, struct hugetlb_mark *ret);

/* first, second: struct page of the first and of the second page of a compound page. */
bool hugetlb_mark_has(const struct hugetlb_mark *m, const uint8_t *first, const uint8_t *second);
