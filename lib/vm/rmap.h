/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that map a page (mm/rmap.c): the interval tree of its anon_vma or address_space has
 * the VMAs that may map it, and each has the page only where its page table says so.
 *
 * Since 7.3 a VMA has two offsets: that of its file, and that of the anonymous pages in it.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/rb_tree.h"
#include "pages/page_type.h"
#include "pages/pgtable.h"
#include "util/hash_u64.h"

struct rmap {
	struct dump *dump;
	struct structure page, vma, chain, mm;
	struct field anon_root, file_root; /* of struct anon_vma, address_space */
	struct field chain_node, vma_node; /* of struct anon_vma_chain, vm_area_struct */
	struct memmap *memmap;
	struct page_types *types;
	struct rb_types rb;
	struct page_tables tables; /* of any process, but for the top table */
	struct hash_u64 trees;	   /* of struct rmap_tree by page.mapping */
	struct hash_u64 tops;	   /* physical addresses of top tables by mm_struct, 0: unknown */
};

/* One place where the page is mapped. */
struct rmap_user {
	uint64_t mm;	  /* mm_struct */
	uint64_t address; /* virtual */
};

/* types is asked for the page; it, memmap and *ret stay where they are. */
enum status rmap_open(struct dump *d, struct memmap *memmap, struct page_types *types,
		      struct rmap *ret);

/*
 * Calls visit for each mapping of a page of class anon, file or shmem.  ST_ABSENT: the page is none
 * of these, or one that KSM merged, which is not looked up.  ST_UNREADABLE, ST_CORRUPT: a VMA or a page
 * table is not in this dump, or a tree is corrupt; others were visited.
 */
enum status rmap_walk(struct rmap *r, uint64_t pfn,
		      enum status (*visit)(void *arg, const struct rmap_user *user), void *arg);
