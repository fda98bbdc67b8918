/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks a maple tree (include/linux/maple_tree.h, 6.1 and later): a value for each range. */
#ifndef MEMOWNER_KERNEL_MAPLE_TREE_H
#define MEMOWNER_KERNEL_MAPLE_TREE_H

#include "dump/dump.h"

/*
 * Calls visit for each range that has a value, by rising index; both ends belong to it.
 * tree is the address of a struct maple_tree.  visit ends the walk by any status
 * but ST_OK.
 */
enum status maple_walk(struct dump *d, uint64_t tree,
		       enum status (*visit)(void *arg, uint64_t first, uint64_t last,
					    uint64_t value),
		       void *arg);

/* The value at one index, through the nodes above it only; ST_ABSENT: it has none. */
enum status maple_find(struct dump *d, uint64_t tree, uint64_t index, uint64_t *ret);

#endif
