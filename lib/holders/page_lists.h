/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of processes that no process maps, and whose struct pages stand in memory of the kernel: who pinned it and
 * keeps the list. It is inferred: a word names a page, and not that it is a reference.
 */
#pragma once

#include "holders/holders.h"

#define PAGE_LISTS 3u

/* Lists of one holder. */
struct page_list {
	struct holder of; /* owner OWNER_NOBODY: unknown */
	uint32_t node;	  /* the list that names most of them, a node of the graph */
	uint32_t most;
	uint64_t lists, pages; /* of these, each page once */
};

struct page_lists {
	uint64_t unmapped; /* anonymous pages outside of the swap cache that no process maps */
	uint64_t unread;   /* pages of which that is unknown */
	struct page_list largest[PAGE_LISTS];
	unsigned int n; /* the first names most */
};

/* h: of holders_find().  ST_ABSENT: mappings of pages are not known on this kernel; ST_STOPPED. */
enum status page_lists_find(struct holders *h, struct page_lists *ret);

/* Tenths of a percent of the unmapped pages that a list names: how sure it is that it keeps them. */
uint64_t page_list_share(const struct page_lists *lists, const struct page_list *l);

/* "50 lists of page pointers of rnic_mrs [rnic_lite]"; lives as long as the command. */
const char *page_list_name(struct holders *h, const struct page_list *l);
