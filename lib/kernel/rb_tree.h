/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Red-black trees, struct rb_node (include/linux/rbtree_types.h). */
#pragma once

#include "dump/dump.h"

#define RB_DEPTH 64 /* a tree of 2^31 nodes is no deeper */

struct rb_types {
	struct field left, right, parent;
	uint32_t bytes; /* that are read of a node */
};

/* ST_UNKNOWN: a layout that this build does not know. */
enum status rb_types_open(struct dump *d, struct rb_types *ret);

struct rb_nodes {
	struct dump *dump;
	const struct rb_types *types;
	const char *what;	      /* names the tree in messages */
	struct first_problem problem; /* of a node that was left out, with all below it */
	unsigned int depth;
	struct {
		uint64_t address, right;
	} path[RB_DEPTH]; /* nodes whose right side is still to be visited */
};

/* node: that of the root, 0 for an empty tree. */
void rb_begin(struct rb_nodes *n, struct dump *d, const struct rb_types *types, uint64_t node,
	      const char *what);

/*
 * The next node, in the order of the tree; false: there is none, or the user has asked to stop.  A node
 * that cannot be read, or does not name the one above it as its parent, is left out with all below it,
 * so none is reached twice.
 */
bool rb_next(struct rb_nodes *n, uint64_t *node);

/* ST_OK: all were visited; else what was left out first; ST_STOPPED. */
enum status rb_end(const struct rb_nodes *n);
