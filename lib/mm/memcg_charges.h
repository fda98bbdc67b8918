/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is charged to each memory cgroup, found at the pages and objects themselves: struct page
 * (memcg_data), the obj_cgroup of each slab object, and what CPUs keep in stock.
 */
#ifndef MEMOWNER_MM_MEMCG_CHARGES_H
#define MEMOWNER_MM_MEMCG_CHARGES_H

#include "mm/memcg.h"
#include "mm/page_type.h"
#include "mm/slub.h"

enum memcg_page_kind {
	MEMCG_PAGES_ANON, /* swap cache that is not mapped included */
	MEMCG_PAGES_FILE, /* those that were truncated included, of shmem as well */
	MEMCG_PAGES_SHMEM,
	MEMCG_PAGES_KERNEL, /* and all others: page tables, stacks of threads, hugetlb */
	MEMCG_PAGE_KINDS
};

/* Of one cgroup, without its descendants. */
struct memcg_charged {
	uint64_t pages[MEMCG_PAGE_KINDS];
	uint64_t direct;       /* compound pages that point to the mem_cgroup itself */
	uint64_t objects;      /* of slabs */
	uint64_t object_bytes; /* that were charged for them: obj_full_size() in mm/slab.h */
	uint64_t stock_pages;  /* charged in advance by CPUs (memcg_stock) */
	uint64_t stocks;       /* that refer to the cgroup */
	int64_t spare_bytes;   /* of pages that are charged for objects, beside the objects */
};

struct memcg_charges {
	struct dump *dump;
	struct memcgs *memcgs;
	struct slabs *slabs;	 /* NULL: they cannot be decoded */
	struct hash_u64 charged; /* of struct memcg_charged by address of mem_cgroup */
	struct hash_u64 objcgs;	 /* that were met */
	struct field objcg_bytes;
	struct lru_masks lru;
	uint64_t uncharged;	   /* pages that no cgroup is charged for */
	uint64_t unreadable;	   /* pages without a struct page in this dump */
	uint64_t unknown;	   /* pages that are charged to a cgroup that cannot be read */
	uint64_t unknown_slabs;	   /* whose objects may be charged to any cgroup */
	const char *stock_problem; /* NULL, or why the stocks are unknown */
	const char *bytes_problem; /* NULL, or why spare_bytes are unknown */
	/* The page that was added last. */
	uint64_t last_data;
	struct memcg_charged *last;
};

/* In place.  memcgs: open; slabs may be NULL. */
enum status memcg_charges_open(struct dump *d, struct memcgs *memcgs, struct slabs *slabs,
			       struct memcg_charges *ret);

/* Adds a page; info NULL: its struct page is not in this dump.  ST_NOMEM */
enum status memcg_charges_add(struct memcg_charges *c, uint64_t pfn, const struct page_info *info);

/* After the last page: stocks, and what is left over of pages that objects are charged from. */
enum status memcg_charges_end(struct memcg_charges *c);

/* What is charged to the cgroup; all 0 if nothing was found. */
struct memcg_charged memcg_charges_of(struct memcg_charges *c, uint64_t memcg);

#endif
