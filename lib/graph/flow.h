/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arcs by node, in both directions, and the order in which the roots reach nodes.
 *
 * A root is what exists of itself, and an object that names the text or data of one module: drivers hang
 * on structures of vmlinux, not on their own variables.
 */
#pragma once

#include "graph/arcs.h"

struct places;

struct flow {
	const struct graph *g;
	uint32_t n;		  /* nodes, with lists */
	uint32_t *out_at, *out;	  /* arcs of node i: out[out_at[i]] up to out[out_at[i + 1]] */
	uint32_t *in_at, *in;	  /* the same with the nodes that they come from */
	uint32_t *order, reached; /* nodes that roots reach, in the order of their distance */
	uint32_t firm;		  /* of these in front: by more than words of stacks and guesses */
	uint32_t *parent; /* by node: the one that reached it first; UINT32_MAX: a root, or none */
	uint8_t *depth;	  /* by node: parents up to the root, modulo 256 */
	uint16_t *roots;  /* by node: owner; OWNER_NOBODY: it is no root */
	struct places *places; /* the same arcs in that order; NULL: it is not known yet */
};

/* By node: a->arcs is not needed then (arcs_done()).  ST_NOMEM: cut. */
enum status flow_arcs(const struct arcs *a, struct flow *ret);

/* The rest.  ST_NOMEM: cut. */
enum status flow_order(struct flow *f);

/*
 * Areas that a module mapped by vmap(), and to which no word of what roots reach leads, are roots of that module, if
 * the same is true of a page of theirs.  names: by node, ROOT_NONE of what no root reaches. (mapped.c)
 */
void flow_add_mapped(struct flow *f, const uint32_t *names);

static inline enum status flow_open(const struct arcs *a, struct flow *ret)
{
	return flow_arcs(a, ret) ?: flow_order(ret);
}
