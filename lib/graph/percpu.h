/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-CPU memory of boot whose addresses are small numbers: whose it is, by the one word that has its number.
 * Where numbers count something, as in a table of events, some have each address of the chunk by chance: words of
 * pages and stacks count for nothing, and those of a cache only if hardly any of them is no address.
 */
#pragma once

#include "graph/graph.h"

/* A word of a node, at a place, that may be such an address. */
void first_chunk_note(struct graph *g, const struct span *from, uint32_t node, uint32_t place,
		      uint64_t word);

/* When all edges and tags are there: what a module's variables, and objects of it or behind these, have. */
void first_chunk_own(struct graph *g);
