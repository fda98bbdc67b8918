/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of page frame numbers, of 32 bits each or in words of 64, as a driver has them that counts its pages and maps
 * them when it needs them.  Numbers of pages are small and many a table has such numbers, so a row says something if all
 * of it are different pages, each the first of an allocation to which no pointer leads, and if what stands around the row
 * are no numbers of that size.
 */
#pragma once

#include "graph/arcs.h"

#define PFN_ROW 16    /* numbers */
#define PFN_LEAST 256 /* smaller ones count something */

/* Numbers in n bytes that are as large as those of pages. */
uint32_t pfns_count(const struct graph *g, const uint8_t *bytes, size_t n);

/* Rows among n bytes of a node, at most a page, the first of which is its byte from.  False: cut. */
bool pfn_rows(struct graph *g, const uint8_t *bytes, size_t n, uint32_t src, uint32_t from);

/* Whether what a span has may be such a row: the memory of drivers. */
bool pfns_may_be_in(const struct graph *g, const struct span *s);
