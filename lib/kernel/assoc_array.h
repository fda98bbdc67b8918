/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Associative arrays (lib/assoc_array.c), which keyrings are. */
#pragma once

#include "dump/structure.h"

#define ASSOC_SLOTS 64 /* of a node, which has 16: more are another layout */

struct assoc_arrays {
	struct dump *dump;
	struct structure node, shortcut;
	unsigned int slots; /* of a node */
};

/* ST_UNKNOWN: a layout that this build does not know. *ret must stay where it is. */
enum status assoc_arrays_open(struct dump *d, struct assoc_arrays *ret);

/*
 * Visits the leaves of the array of a root, as they are in its nodes: bit 1 is for who put them there. A node that
 * cannot be read, or does not name the one above it and its slot there, is left out with all below it, so none is
 * reached twice: ST_UNREADABLE, ST_CORRUPT. What visit returns ends it.
 */
enum status assoc_array_walk(const struct assoc_arrays *a, uint64_t root,
			     enum status (*visit)(void *arg, uint64_t leaf), void *arg);
