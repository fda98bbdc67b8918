/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a page is now, by its struct page (include/linux/page-flags.h).
 *
 * Kernels since 4.18 write the type of pages that are not mapped into page_type: as a
 * bit that is cleared up to 6.11, as the top byte since 6.12.  Slab pages have
 * a bit in flags up to 6.9.  A page behind the first of a compound page points
 * to it, or since 7.1 says by how much its own address must be rounded down.
 */
#pragma once

#include "dump/read_window.h"
#include "pages/hugetlb.h"
#include "pages/memmap.h"

enum page_type {
	PAGE_TYPE_OTHER, /* none of the following: kernel memory without a mark, or free */
	PAGE_TYPE_SLAB,
	PAGE_TYPE_BUDDY, /* free, in the lists of the allocator */
	PAGE_TYPE_PGTABLE,
	PAGE_TYPE_HUGETLB,
	PAGE_TYPE_OFFLINE,
	PAGE_TYPE_GUARD,
	PAGE_TYPE_ZSMALLOC,
	PAGE_TYPE_UNACCEPTED,
	PAGE_TYPE_LARGE_KMALLOC,
	PAGE_TYPE_ANON,
	PAGE_TYPE_FILE,	  /* or shmem: it belongs to a mapping */
	PAGE_TYPE_KFENCE, /* of its pool: marked as slabs, but none of SLUB */
	PAGE_TYPE_UNSURE, /* one of several, which have the same mark here */
	PAGE_TYPES
};

enum page_field {
	PAGE_FLAGS,
	PAGE_TYPE,
	PAGE_MAPPING,
	PAGE_COMPOUND,
	PAGE_MEMCG,
	PAGE_PRIVATE,
	PAGE_MAPCOUNT,
	PAGE_REFCOUNT,
	PAGE_PP_MAGIC,
	PAGE_PP,
	PAGE_FIELDS
};

struct page_type_marks {
	uint64_t mask[PAGE_TYPES]; /* of page_type; 0: this kernel has no such type */
	uint64_t value[PAGE_TYPES];
	uint64_t slab_flag; /* of flags, or 0 */
	uint64_t head_flag; /* of flags: it is the first of a compound page */
	struct hugetlb_mark hugetlb;
	enum page_type of_guard; /* what the mark of PAGE_TYPE_GUARD stands for */
};

struct page_info {
	enum page_type state; /* of the first page, for those behind it */
	uint64_t head;	      /* pfn of the first page of a compound page, else its own */
	uint64_t flags;	      /* of its own struct page */
	/* Of the first page. */
	uint64_t head_flags;
	uint64_t private; /* the order, where it is the first of a free block */
	uint64_t memcg;	  /* for memcgs_path() */
	uint64_t mapping; /* address of the address_space of page cache and hugetlb, else 0 */
	uint64_t pool;	  /* struct page_pool of the network stack that has the page, or 0 */
	bool is_merged;	  /* by KSM: processes share it, and none of them by fork() */
};

struct page_types {
	struct dump *dump;
	struct memmap *memmap;
	struct field f[PAGE_FIELDS];
	struct quick_field quick[PAGE_FIELDS]; /* the same, for every page */
	struct page_type_marks marks;
	uint64_t kernel_half;
	uint64_t kfence_pfn, kfence_pages; /* the pool of KFENCE */
	uint64_t reserved;		   /* PG_reserved */
	struct read_window window;
	uint64_t bytes;	     /* size of struct page */
	uint64_t start, end; /* pfns of the table that was asked for last */
	uint64_t base;	     /* struct page of start */
	enum status status;
	struct page_info head; /* of the compound page that was asked for last, by its pfn */
};

/* ST_UNKNOWN: struct page is not as any kernel known had it. */
enum status page_types_open(struct dump *d, struct memmap *memmap, struct page_types *ret);

/* Whether a page tells that it is of a page pool: before 5.14 (c07aea3ef4d4, "mm: add a signature in struct page") none does. */
bool page_types_mark_pools(const struct page_types *p);

/*
 * Of a memory block that is offline nothing is in struct page: what does not decode there is
 * PAGE_TYPE_OTHER without flags, and memmap_is_removed() tells.
 * ST_ABSENT: no memory there; ST_UNREADABLE: its struct page is not in this
 * dump; ST_CORRUPT: what it points to is no first page. Meant for rising pfns.
 */
enum status page_type_at(struct page_types *p, uint64_t pfn, struct page_info *ret);

/* Who uses a page that belongs to no larger one. */
struct page_users {
	int32_t mapcount; /* page tables that map it - 1 */
	int32_t refcount;
};

/* As page_type_at(); ST_ABSENT also where this kernel has no such members. */
enum status page_type_users(struct page_types *p, uint64_t pfn, struct page_users *ret);

/* NULL: it is not known. */
const char *page_type_name(enum page_type state);

/* Mask of page.flags of an enumerator, "PG_lru"; 0: this kernel has none. */
uint64_t page_flag_mask(struct dump *d, const char *name);
/* That of a flag that every kernel has; 0: a gap is noted. */
uint64_t page_flag_always(struct dump *d, const char *name);

/* Flags of pages of processes and files. */
struct lru_masks {
	uint64_t lru, swapbacked, swapcache;
};

void lru_masks_open(struct dump *d, struct lru_masks *ret);

/*
 * Memory of processes without page.mapping: moving to or from swap, which is PAGE_TYPE_ANON, else
 * truncated from its file; else PAGE_TYPE_OTHER. Shared memory is PAGE_TYPE_FILE, with PG_swapbacked.
 */
enum page_type lru_type(const struct lru_masks *m, const struct page_info *info);
