/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums in a tree of names, and which of its nodes are shown: the biggest with all above them. */
#pragma once

#include "cli/cmdline.h"
#include "cli/report.h"

#define TREE_NAME 60 /* columns of an indented name */

/* The first member of a caller's own node. */
struct tree_node {
	struct tree_node *parent, *sibling, *child; /* parent of a root: tree.top */
	const char *name;
	uint64_t id; /* 1 and up; that of a parent is less, that of tree.top 0 */
	uint64_t depth;
	int64_t weight; /* for the caller to sum */
	bool shown;
};

struct tree {
	struct dump *dump;
	struct hash_bytes nodes; /* of the caller's nodes, by parent and address of the name */
	struct tree_node *top;	 /* above all roots; it is no row */
};

/* In place, node_bytes for each node. */
void tree_init(struct tree *t, struct dump *d, size_t node_bytes);

/*
 * The child of that name, zeroed but for its struct tree_node if it was not there; equal names
 * have one address (intern()).
 */
void *tree_child(struct tree *t, void *parent, const char *name);

/*
 * Shows nodes as rows of in, as many as -n asks for: children behind their parent, the biggest
 * first.  Recursive: as deep as the caller made it.
 */
void tree_show(struct tree *t, struct cmdline *in, struct report *r, void *view);

/* The cells that all trees have. */
struct cell tree_parent_cell(const struct tree_node *n);
/* The name, in text with the depth before it. */
struct cell tree_name_cell(const struct tree *t, const struct tree_node *n, bool json);
