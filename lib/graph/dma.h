/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of DMA addresses, as rings of descriptors have them.  Without an IOMMU such an address is that of physical
 * memory: a number like any other, so a row of neighbours has to agree that each is of another page in use.
 *
 * A device writes descriptors of packets that are done back, with the old address in them: a row counts
 * for memory alone that no pointer leads to.
 */
#pragma once

#include "graph/arcs.h"

#define DMA_ROW 8 /* words; a number is that of a page in use by chance, eight in a row are not */
#define DMA_LEAST 0x100000 /* smaller numbers count or size something */

/* Rows among n bytes of a node, at most a page, the first of which is its byte from.  False: cut. */
bool dma_rows(struct graph *g, const uint8_t *bytes, size_t n, uint32_t src, uint32_t from);
