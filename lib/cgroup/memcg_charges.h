/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is charged to each memory cgroup, found at the pages and objects themselves: struct page
 * (memcg_data), the obj_cgroup of each slab object (up to 5.8 the cgroup of each slab's cache), and
 * what CPUs keep in stock.
 */
#pragma once

#include "cgroup/memcg.h"
#include "pages/page_type.h"
#include "slab/slub.h"

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
	uint64_t second_pages; /* of page directories: memcg_charges_add_directory() */
	int64_t spare_bytes;   /* of pages that are charged for objects, beside the objects */
};

struct memcg_charges {
	struct dump *dump;
	struct memcgs *memcgs;
	struct slabs *slabs;	 /* NULL: they cannot be decoded */
	struct hash_u64 charged; /* of struct memcg_charged by address of mem_cgroup */
	struct hash_u64 objcgs;	 /* that were met */
	struct field objcg_bytes;
	struct field objcg, objcg_list, objcg_link; /* of mem_cgroup, of it, of obj_cgroup */
	bool by_cache; /* slabs are charged by pages, to the cgroup of their cache: up to 5.8 */
	struct field cache_root, cache_memcg;
	/* The slab that was met last. */
	uint64_t slab_head, slab_data;
	enum {
		SLAB_UNCHARGED,
		SLAB_CHARGED,
		SLAB_UNSURE
	} slab_objects; /* whether one is charged */
	enum status slab_status;
	struct lru_masks lru;
	uint64_t uncharged;	    /* pages that no cgroup is charged for */
	uint64_t slab_pages;	    /* whose objects are charged one by one */
	uint64_t charged_slabs;	    /* of these, of slabs with an object that is charged */
	uint64_t unsure_slabs;	    /* of these, of slabs of which that is unknown */
	uint64_t unreadable;	    /* pages without a struct page in this dump */
	uint64_t unknown;	    /* pages that are charged to a cgroup that cannot be read */
	uint64_t other_directories; /* that do not seem to have a second page */
	uint64_t unknown_slabs;	    /* that may be charged to any cgroup, or objects of them */
	const char *stock_problem;  /* NULL, or why the stocks are unknown */
	const char *bytes_problem;  /* NULL, or why spare_bytes are unknown */
	/* The page that was added last. */
	uint64_t last_data;
	struct memcg_charged *last;
};

/* In place.  memcgs: open; slabs may be NULL. */
enum status memcg_charges_open(struct dump *d, struct memcgs *memcgs, struct slabs *slabs,
			       struct memcg_charges *ret);

/* Adds a page; info NULL: its struct page is not in this dump. */
enum status memcg_charges_add(struct memcg_charges *c, uint64_t pfn, const struct page_info *info);

/*
 * Adds what is left over of pages that objects of a cgroup are charged from, also where no object
 * that was met leads there: those of per-CPU memory, and those that came of removed cgroups. These
 * have given all to their parents, and a list that is none any more (memcg_reparent_objcgs()).
 */
enum status memcg_charges_add_memcg(struct memcg_charges *c, uint64_t memcg);

/*
 * With CONFIG_PAGE_TABLE_ISOLATION of x86 (MITIGATION_PAGE_TABLE_ISOLATION) the page directory of a
 * process is two pages that are no compound page: both are charged, only the first one says so
 * (pgd_alloc() in arch/x86/mm/pgtable.c, __memcg_kmem_charge_page()). pfn: of the first; a kernel
 * without is told by any whose second page is of another use.
 */
enum status memcg_charges_add_directory(struct memcg_charges *c, uint64_t pfn,
					const struct page_info *first,
					const struct page_info *second);

/* After the last page: stocks, and what is left over of pages that objects are charged from. */
enum status memcg_charges_end(struct memcg_charges *c);

/* What is charged to the cgroup; all 0 if nothing was found. */
struct memcg_charged memcg_charges_of(struct memcg_charges *c, uint64_t memcg);
