/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of numbers in one page, in equal steps, each of which leads to memory as no pointer does: addresses or page frame numbers. */
#pragma once

#include "graph/graph.h"
#include "util/bits.h"

#define PAGE_ROW_NUMBERS 16384u /* of 4 bytes in the largest page, 64 KiB */

struct page_row {
	uint32_t at, n, stride; /* in numbers */
};

struct page_rows {
	struct graph *g;
	const struct row_kind *kind;
	const uint8_t *bytes;
	uint32_t n;
	uint32_t src, from; /* the node, and its byte that the page begins with */
	/* A bit for each. */
	uint8_t may_lead[PAGE_ROW_NUMBERS / 8 + 1], taken[PAGE_ROW_NUMBERS / 8 + 1];
};

struct row_kind {
	unsigned int width; /* bytes of a number */
	uint32_t least;	    /* numbers of a row */
	const char *name;   /* of what the budget did not suffice for */
	bool (*may_lead)(const struct graph *g, uint64_t number);
	/* Whether the number at next may follow that at i, besides that it may lead; NULL: it may. */
	bool (*follows)(const struct page_rows *p, uint32_t i, uint32_t next);
	bool (*is_enough)(const struct page_rows *p, const struct page_row *r);
	/* False: cut. */
	bool (*keep)(struct page_rows *p, const struct page_row *r);
};

static inline uint64_t page_number(const struct page_rows *p, uint32_t i)
{
	return le_bytes(p->bytes + (uint64_t)i * p->kind->width, p->kind->width);
}

/* Rows among n bytes of a node, at most a page, where at least kind->least of its numbers may lead.  False: cut. */
bool page_rows_find(struct graph *g, const struct row_kind *kind, const uint8_t *bytes, size_t n,
		    uint32_t src, uint32_t from);

/* The node, and the byte of it, that the number at i leads to; shift: of numbers, to be addresses.  False: none, or that which has it. */
bool page_row_leads(struct page_rows *p, uint32_t i, unsigned int shift, uint32_t *dst,
		    uint32_t *place);
