/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * FLATMEM: a node has one table of struct page and one of page_ext
 * (pglist_data.node_mem_map and node_page_ext; arm64 up to 5.11). The page_ext
 * table starts at the node's first pfn rounded down to MAX_ORDER_NR_PAGES
 * (mm/page_ext.c).
 */
#pragma once

#include "dump/dump.h"

#define FLATMEM_NODES 64 /* FLATMEM has one; DISCONTIGMEM, gone in 5.14, had several */

struct flat_node {
	uint64_t start, end; /* pfns, [start, end) */
	uint64_t mem_map;    /* struct page of start */
	uint64_t page_ext;   /* entry of ext_start, or 0 */
	uint64_t ext_start;  /* pfn */
};

struct flatmem {
	struct dump *dump;
	uint64_t page_bytes; /* size of struct page */
	bool has_page_ext;
	unsigned int n;
	struct flat_node nodes[FLATMEM_NODES];
};

/* ST_ABSENT: nodes have no such tables. */
enum status flatmem_open(struct dump *d, struct flatmem *ret);

/* The node of a pfn, NULL: none. */
const struct flat_node *flatmem_find(const struct flatmem *f, uint64_t pfn);

/* ST_ABSENT: the address is no struct page. */
enum status flatmem_page_to_pfn(const struct flatmem *f, uint64_t page, uint64_t *ret);
