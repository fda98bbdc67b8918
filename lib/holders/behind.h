/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variable of a module behind objects that are roots themselves, as they name the module, and behind what several
 * roots of the module keep: the nearest one, back along arcs, if it is the only one there.  The variables of vmlinux on
 * all CPUs are one.
 */
#pragma once

#include "graph/spread.h"

#define BEHIND_NODES 16

struct behind {
	uint32_t seen; /* nodes, of which each has the same chance to be kept */
	uint32_t nodes[BEHIND_NODES], n;
	uint16_t owner;
	uint32_t variable; /* ROOT_NONE: none is, or not for nearly all of them */
	uint32_t before; /* the same of vmlinux, where none of the module is, as a list of timers */
};

/* Room for the search, which many can use one after the other; memory is that of the arena. */
struct behind_search {
	const struct flow *f;
	struct step *steps;
	uint8_t *seen;
};

void behind_open(const struct flow *f, struct arena *arena, struct behind_search *ret);
void behind_add(struct behind *b, uint32_t node, uint16_t owner);
void behind_find(const struct behind_search *room, struct behind *b);

/* Nodes from one that it is behind to it, without the variable; how many. */
uint32_t behind_way(const struct flow *f, uint32_t node, uint32_t variable, uint32_t *steps,
		    uint32_t most);
