/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pages of classes file, shmem and hugetlb, summed by the address_space that struct page names.
 * Each page is added once, so the sum of all is that of its class.
 */
#pragma once

#include "classes/page_class.h"

enum file_class { FILE_CACHE, FILE_SHMEM, FILE_HUGETLB, FILE_CLASSES };

/* Pages of one address_space, of one class. */
struct file_use {
	uint64_t pages;
	uint64_t dirty, writeback, mlocked;
	uint64_t unevictable;  /* locked ones, and those on the list of these */
	uint64_t mapped;       /* by a page table, of pages that belong to no larger one */
	uint64_t large;	       /* pages of compound pages: whether each is mapped is unknown */
	uint64_t memcg;	       /* of the first page, for memcgs_path() */
	uint64_t shares_memcg; /* pages that have the same */
};

struct file_pages {
	struct page_types *types;
	struct hash_u64 uses;	 /* of struct file_use by file_key() */
	struct hash_u64 charged; /* by page.memcg_data: the mapping of one page, of shmem if any */
	/* Masks of page.flags; 0: this kernel has none. */
	uint64_t dirty, writeback, mlocked, unevictable, head;
	/* Of the page before: neighbours often belong to the same file. */
	uint64_t last, last_memcg;
	struct file_use *use;
};

/* types is asked while pages are added.  *ret must stay where it is. */
void file_pages_open(struct dump *d, struct page_types *types, struct file_pages *ret);

/*
 * Adds one page with its class; a page of another class, and one of hugetlb without an
 * address_space, is left out.
 */
enum status file_pages_add(struct file_pages *p, uint64_t pfn, const struct page_info *info,
			   enum page_class class);

/* The use of an address_space that has no page so far. */
enum status file_pages_want(struct file_pages *p, uint64_t mapping, enum file_class class);

/* The two low bits of page.mapping are clear; address 0: pages that were truncated from their file. */
static inline uint64_t file_key(uint64_t mapping, enum file_class class)
{
	return (mapping & ~3ULL) | class;
}

static inline uint64_t file_key_mapping(uint64_t key)
{
	return key & ~3ULL;
}

static inline enum file_class file_key_class(uint64_t key)
{
	return key & 3;
}

/* Whether most are unevictable and not for mlock(): of a file system in memory, or SHM_LOCK. */
static inline bool file_use_is_kept(const struct file_use *u)
{
	return u->unevictable - u->mlocked > u->pages / 2;
}

/* Pages of an address_space, of all classes. */
uint64_t file_pages_of(const struct file_pages *p, uint64_t mapping);
