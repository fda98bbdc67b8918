/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a maple tree (include/linux/maple_tree.h, 6.1 and later): a value for each range. */
#pragma once

#include "dump/dump.h"

enum maple_field {
	MAPLE_ROOT,
	MAPLE_RANGE_PIVOT,
	MAPLE_RANGE_SLOT,
	MAPLE_ARANGE_PIVOT,
	MAPLE_ARANGE_SLOT,
	MAPLE_FIELDS
};

struct maple {
	struct dump *dump;
	struct field f[MAPLE_FIELDS];
};

/* The layout of such trees, once for all of them. */
enum status maple_open(struct dump *d, struct maple *ret);

/*
 * Calls visit for each range that has a value, by rising index; both ends belong to it.
 * tree is the address of a struct maple_tree.  visit ends the walk by any status
 * but ST_OK.
 */
enum status maple_walk(const struct maple *m, uint64_t tree,
		       enum status (*visit)(void *arg, uint64_t first, uint64_t last,
					    uint64_t value),
		       void *arg);

/* The value at one index, through the nodes above it only; ST_ABSENT: it has none. */
enum status maple_find(const struct maple *m, uint64_t tree, uint64_t index, uint64_t *ret);
