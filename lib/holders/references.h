/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that lead to memory: what is in the dump, whoever put it there.  That a word is a reference, and no
 * number or a leftover, is not said.
 */
#pragma once

#include "holders/holders.h"

struct reference {
	uint32_t node;	  /* what has the word */
	uint32_t from;	  /* byte of that; PLACE_PAGE: of its struct page */
	uint32_t to;	  /* byte of the memory that it leads to; PLACE_PAGE: its struct page */
	uint64_t address; /* of the word */
	bool is_dma;	  /* it is a DMA address */
};

/*
 * The first of them, room at most, variables and stacks in front of others; DMA addresses where there is no pointer.
 * *total: all.
 */
size_t references_to(const struct graph *g, uint32_t node, struct reference *ret, size_t room,
		     uint64_t *total);

/* The same of a page that is no node, as those of processes: words that name it by its struct page. */
size_t references_to_page(const struct graph *g, uint64_t pfn, struct reference *ret, size_t room,
			  uint64_t *total);

/*
 * *ret: a bit for each node that words lead to from a variable, a stack or memory of boot on, be they back pointers
 * or leftovers; and DMA addresses, whoever has them.  ST_NOMEM: no room.
 */
enum status references_reach(struct graph *g, uint8_t **ret);

/* "ledger+0x10 [leaky]", "kmalloc-64 0xffff888001234540+0x8"; lives as long as the command. */
const char *reference_name(struct holders *h, const struct reference *r);
