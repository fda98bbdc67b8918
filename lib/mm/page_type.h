/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a page is now, by its struct page (include/linux/page-flags.h).
 *
 * Kernels since 4.18 write the type of pages that nobody maps into page_type: as a
 * bit that is cleared up to 6.11, as the top byte since 6.12.  Slab pages have
 * a bit in flags up to 6.9.  A page behind the first of a compound page points
 * to it, or since 7.1 says by how much its own address must be rounded down.
 */
#ifndef MEMOWNER_MM_PAGE_TYPE_H
#define MEMOWNER_MM_PAGE_TYPE_H

#include "dump/dump.h"
#include "mm/memmap.h"
#include "dump/read_window.h"

enum page_state {
	STATE_OTHER, /* none of the following: kernel memory without a mark, or free */
	STATE_SLAB,
	STATE_BUDDY, /* free, in the lists of the allocator */
	STATE_PGTABLE,
	STATE_HUGETLB,
	STATE_OFFLINE,
	STATE_GUARD,
	STATE_ZSMALLOC,
	STATE_UNACCEPTED,
	STATE_LARGE_KMALLOC,
	STATE_ANON,
	STATE_FILE, /* or shmem: it belongs to a mapping */
	STATES
};

enum page_field {
	PAGE_FLAGS,
	PAGE_TYPE,
	PAGE_MAPPING,
	PAGE_COMPOUND,
	PAGE_MEMCG,
	PAGE_PRIVATE,
	PAGE_FIELDS
};

struct page_types {
	uint64_t mask[STATES]; /* of page_type; 0: this kernel has no such type */
	uint64_t value[STATES];
	uint64_t slab_flag; /* of flags, or 0 */
};

struct page_states {
	struct dump *dump;
	struct memmap *memmap;
	struct field f[PAGE_FIELDS];
	struct page_types types;
	struct window window;
	uint64_t bytes;	     /* size of struct page */
	uint64_t start, end; /* pfns of the table that was asked for last */
	uint64_t base;	     /* struct page of start */
	enum status status;
};

struct page_info {
	enum page_state state; /* of the first page, for those behind it */
	uint64_t head;	       /* pfn of the first page of a compound page, else its own */
	uint64_t flags;	       /* of its own struct page */
	/* Of the first page. */
	uint64_t head_flags;
	uint64_t mapping;
	uint64_t private; /* the order, where it is the first of a free block */
	uint64_t memcg;	  /* for memcgs_path() */
};

/* DUMP_UNKNOWN: struct page is not as any kernel known had it. */
enum status page_states_open(struct dump *d, struct memmap *memmap, struct page_states *ret);

/*
 * DUMP_ABSENT: no memory there; DUMP_UNREADABLE: its struct page is not in this
 * dump; DUMP_CORRUPT: what it points to is no first page. Meant for rising pfns.
 */
enum status page_state_at(struct page_states *p, uint64_t pfn, struct page_info *ret);

const char *page_state_name(enum page_state state);

#endif
