/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Edges by their shape: the group and place of the word, and of what it leads to (edge_shape()).  Chains and back
 * pointers are told by what edges of one shape have in common.
 */
#pragma once

#include "graph/arcs.h"

struct shape {
	uint32_t number; /* in order of first use */
	uint32_t edges;
	bool is_within; /* from objects of a cache to others of it */
};

struct shapes {
	uint32_t *by_edge;   /* number + 1; 0: cut, of struct page, or of a root */
	struct hash_u64 all; /* of struct shape by hash, in the order of their numbers */
};

/* False: the budget has no room. */
bool shapes_find(const struct arcs *a, struct budget *own, struct arena *arena, struct shapes *ret);
