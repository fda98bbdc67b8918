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

/*
 * The same arcs by the place that they come from, but for those of what has none: *out_at of n + 1, *out without
 * weights.  False: no room.
 */
bool places_turn(const struct places *p, struct budget *own, struct arena *arena, uint32_t **out_at,
		 uint32_t **out);
