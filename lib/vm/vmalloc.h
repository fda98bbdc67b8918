/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Areas of the kernel's vmalloc space (mm/vmalloc.c): vmap_area_list up to 6.8; since 6.9
 * lists of vmap_nodes.  Each list is in the order of addresses, and a
 * vm_struct repeats the address of its vmap_area: both are checked.
 */
#pragma once

#include "dump/structure.h"
#include "pages/memmap.h"
#include "pages/pgtable.h"
#include "util/hash_u64.h"

/* Flags of vm_struct, include/linux/vmalloc.h: the same from 4.19 to 7.3. */
#define VM_IOREMAP 1
#define VM_ALLOC 2
#define VM_MAP 4
#define VM_USERMAP 8
#define VM_DMA_COHERENT 0x10
#define VM_NO_GUARD 0x40	   /* else the last page of its size is not mapped */
#define VM_FLUSH_RESET_PERMS 0x100 /* 5.2 and later: text of modules and of BPF */
#define VM_MAP_PUT_PAGES 0x200	   /* 5.10 and later: vmap() was given the pages for good */
#define VM_SPARSE 0x1000	   /* 6.9 and later */

struct vm_area {
	uint64_t vm;   /* address of its vm_struct; 0: of vm_map_ram(), or is_lazy */
	uint64_t vmap; /* address of its vmap_area; 0: of vm_area_read(), or as vm */
	bool is_lazy;  /* freed, and not unmapped yet */
	uint64_t address, size;
	uint64_t flags;
	uint64_t pages, nr_pages; /* array of struct page *, and how many of them it owns */
	uint64_t caller;	  /* return address, or a function; 0: none was noted */
	uint64_t phys;		  /* of an area of ioremap() */
};

/* How areas are read. */
struct vm_layout {
	struct dump *dump;
	struct structure vm;
	/* Set by the caller: areas without a vm_struct too, of vm_map_ram() or freed lazily. */
	bool visits_ram;
};

enum status vm_layout_open(struct dump *d, struct vm_layout *ret);

/* The area of one vm_struct; ST_CORRUPT: more pages than it has room for. */
enum status vm_area_read(const struct vm_layout *l, uint64_t vm, struct vm_area *ret);

/*
 * Pages of an area of vmalloc() that is being filled: vm_struct.nr_pages is 0 until it has all of them
 * (__vmalloc_area_node() in mm/vmalloc.c, 5.10 to 7.3), VmallocUsed of 7.3 counts each of them. 0: it is
 * no such area.
 */
enum status vm_area_filled(struct dump *d, const struct vm_area *area, uint64_t *ret);

/* Whether its pages are its own: not mapped from elsewhere, not a device's. */
bool vm_area_owns(const struct vm_area *area);

/* Bytes that vmap() mapped there of pages that are not the area's own; 0: it is no such area. */
uint64_t vm_area_mapped(struct dump *d, const struct vm_area *area);

/*
 * Calls visit for each area that has a vm_struct (and others: visits_ram).  What is missing or corrupt costs
 * only itself where it can: ST_UNREADABLE or ST_CORRUPT then comes after
 * all others were visited.  visit ends the walk by ST_STOPPED.
 */
enum status vm_areas_walk(const struct vm_layout *l,
			  enum status (*visit)(void *arg, const struct vm_area *area), void *arg);

/* Adds the pages that an area owns; ST_CORRUPT: one of them is no struct page. */
enum status vm_area_pages(struct dump *d, const struct vm_area *area, struct page_to_pfn *finder,
			  struct pfnset *ret);

/*
 * Pages of per-CPU memory (mm/percpu.c).  A chunk is mapped into areas that
 * pcpu_get_vm_areas() makes, page by page as it is needed: what the kernel's
 * page tables have there.  The first chunk is early memory, and not among them.  A kernel that was built
 * without SMP has no such areas: a chunk is a block of the direct map (mm/percpu-km.c).
 */

struct percpu_pages {
	struct dump *dump;
	bool has_areas; /* false: the kernel was built without SMP */
	bool has_tables;
	struct page_tables tables;
	uint64_t left;	/* pages of areas that can still be looked at */
	uint64_t maker; /* address of pcpu_get_vm_areas(), the caller of its areas; 0: none */
};

void percpu_pages_open(struct dump *d, struct percpu_pages *ret);

static inline bool percpu_pages_have(const struct percpu_pages *p, const struct vm_area *area)
{
	return p->maker && area->caller == p->maker;
}

/* Adds the pages that are mapped there; ST_UNREADABLE: a page table is not in this dump. */
enum status percpu_pages_add(struct percpu_pages *p, const struct vm_area *area,
			     struct pfnset *ret);

/* The same for all chunks of a kernel without SMP; ST_ABSENT: this one was built with it. */
enum status percpu_pages_of_one_cpu(struct dump *d, struct pfnset *ret);
