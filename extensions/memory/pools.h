/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of "memowner pools" share: the table, and the pages that were found. */
#pragma once

#include "pageowner/view.h"

enum pool_kind {
	POOL_PAGE_POOL,
	POOL_ZSMALLOC,
	POOL_ZBUD,
	POOL_Z3FOLD,
	POOL_HUGETLB,
	POOL_PERCPU,
	POOL_BALLOON,
	POOL_CMA,
	POOL_KINDS
};

/* What is shown of a pool; texts need not outlive pool_add(). */
struct pool {
	enum pool_kind kind; /* POOL_KINDS: unknown */
	struct maybe_u64 pages;
	const char *name, *driver;	 /* NULL or empty: unknown */
	const struct text_list *used_by; /* NULL: unknown; it outlives pool_add() */
	struct maybe_u64 used, stored, reserved, surplus, counted, listed, movable, order, node,
		pfn;
	uint64_t address; /* 0: unknown */
};

extern const char *const pool_kind_names[]; /* NULL behind the last */

struct view_pools {
	struct owner_view *v;
	struct table swap, percpu;
	struct hash_u64 found;	      /* pages by address of struct page_pool */
	struct hash_u64 inflated;     /* offline pages by what their private points to, not 0 */
	uint64_t unreadable, unnamed; /* pages without struct page; pools that cannot be read */
	uint64_t named_pages;	      /* of pools of zsmalloc that have a name */
	const char *zram_problem;     /* why some have none */
	uint64_t cma_unknown;	      /* CMA areas with pages of unknown use */
	bool is_partial;
	bool has_no_swap;
	bool has_no_marks; /* before 5.14 no page is of a page pool: that these are unknown is of no other row */
	bool has_sizes; /* report.has_sizes, where they alone are */
	bool has_nodes; /* a row is of a node that is not 0 */
	bool has_text;	/* a table, or a line, stands above */
};

/* The row of a pool, if the filters keep it. */
void pool_add(struct view_pools *p, const struct pool *pool);

/* Goes on without what is missing, with a warning. */
void pools_keep_going(struct view_pools *p, enum status st, const char *what);

/* Areas of CMA. */
void pools_add_cma(struct view_pools *p);

extern const struct view pools_percpu_view;

/* Prints a table behind the rows: as records, in text with a title. */
void pools_put_table(struct view_pools *p, const struct table *t, const char *record,
		     const char *title);

/* Opens and fills p->percpu: static per-CPU memory by module. */
void pools_add_percpu(struct view_pools *p);

/* Balloons by device, then what the kernel counts beyond them. */
void pools_add_balloons(struct view_pools *p);
