/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arcs between places: a place is where a node is in the order in which roots reach nodes.
 *
 * What is asked of each node again and again, in that order, finds what it asks for side by side: objects of a
 * list follow each other here, and in memory they do not.
 */
#pragma once

#include "graph/flow.h"

struct places {
	uint32_t n;	      /* nodes that roots reach */
	uint32_t roots;	      /* of these in front, which no arc is asked for */
	uint32_t *in_at, *in; /* as those of the flow, by place, with n for what has none */
};

/* What flow_order() does last.  False: the budget has no room. */
bool places_open(const struct flow *f, struct budget *budget, struct places *ret);

/* By node its place, the number of places for what has none; NULL: the budget has no room. */
uint32_t *places_of(const struct flow *f, const struct places *p, struct budget *own,
		    struct arena *arena);
