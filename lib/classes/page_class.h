/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a page is used for at the panic: one class for every page.
 *
 * struct page decides first, then the structures that list their pages: areas of vmalloc, stacks of
 * threads, per-CPU memory.  A page in use that is in none of these is "direct": its user alone
 * keeps its address.
 *
 * large kmalloc counts as slab where it has a page type (6.15 and later); before,
 * nothing in struct page tells it, and it is direct.
 * "anon" includes pages of the swap cache that are not mapped, those of tmpfs too: struct page does not
 * tell them from anonymous ones that were read ahead.
 * "zsmalloc" includes pages of zbud.
 * "offline" are pages in use that a balloon or virtio-mem gave to the host.
 */
#pragma once

#include "page_owner/page_owner_stacks.h"
#include "buddy/free_pages.h"
#include "pools/zbud.h"
#include "pools/zsmalloc.h"

enum page_class {
	CLASS_UNKNOWN, /* not listed, and some lists are not in this dump */
	/* In use. */
	CLASS_SLAB,
	CLASS_VMALLOC,
	CLASS_PGTABLE,
	CLASS_ANON,
	CLASS_FILE,
	CLASS_SHMEM,
	CLASS_HUGETLB,
	CLASS_PERCPU,
	CLASS_KSTACK,
	CLASS_ZSMALLOC,
	CLASS_PAGE_POOL,
	CLASS_EARLY, /* allocated before page_owner started, and none of the former */
	CLASS_DIRECT,
	CLASS_OFFLINE,
	CLASS_GUARD, /* debug_pagealloc's */
	/* Not in use. */
	CLASS_BUDDY, /* in the free lists */
	CLASS_PCP,   /* in the free lists of a CPU */
	CLASS_UNACCEPTED,
	CLASS_RESERVED, /* never given to the allocator */
	CLASS_REMOVED,	/* of a memory block that is offline: in no zone */
	CLASS_FREE,	/* freed, and in none of the lists */
	PAGE_CLASSES
};

struct page_classes {
	struct dump *dump;
	struct pfnset vmalloc, kstack, percpu;
	struct pfnset unsure; /* vmalloc or kstack */
	struct pfnset zbud;   /* of class zsmalloc */
	/* Pages of kstack that no task uses; 0 where a task could be missing. */
	uint64_t cached_stacks, exited_stacks;
	uint64_t filled_areas; /* pages of areas of vmalloc() that are being filled: direct */
	struct free_pages free;
	bool complete;		/* all owners that list their pages could be asked */
	bool has_holes;		/* pages may be asked for that are no System RAM */
	const char *problem;	/* NULL, or for one warning: what was missing first */
	bool cut[PAGE_CLASSES]; /* a list of pages of the class is not all in this dump */
	/* Masks of page.flags; 0: this kernel has none. */
	uint64_t reserved, head;
	uint64_t self_hosted; /* struct pages of added memory, in the memory itself */
	struct lru_masks lru;
	struct special_handles special;
	struct zspages zspages;
};

/*
 * Asks all owners once.  states: a copy is made, the caller's is its own.  What could not be asked is left out and told in
 * problem; any status but ST_OK means no class at all.
 */
enum status page_classes_open(struct dump *d, const struct page_types *states,
			      const struct ram *ram, struct page_classes *ret);

/* What page_owner says of a page; unknown: its entry is not in this dump, or corrupt. */
enum page_record { RECORD_NONE, RECORD_FREE, RECORD_LIVE, RECORD_UNKNOWN };

/*
 * info: of page_type_at().  handle: of a live record, else 0.  A page that is not live is
 * looked for in the free lists as well, and in rising order of pfns that is cheap.
 */
enum page_class page_class_at(struct page_classes *c, const struct page_info *info, uint64_t pfn,
			      enum page_record record, uint32_t handle);

/* By class; that of CLASS_UNKNOWN is NULL, and so is the one behind the last. */
extern const char *const page_class_names[PAGE_CLASSES + 1];
/* The same and, behind them, what pages are called that are of none. */
extern const char *const page_class_row_names[PAGE_CLASSES + 3];
#define PAGE_CACHE_HINT "page cache is file"

/* NULL: unknown. */
const char *page_class_name(enum page_class);
