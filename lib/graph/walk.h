/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a walk from a node ends that goes back along arcs, each with its weight, until it comes to a
 * root.  One stale word costs its part only.
 */
#pragma once

#include "graph/flow.h"

#define WALK_WHOLE 65535u

/* The two names to which most walks from a node come, of WALK_WHOLE. */
struct walk_end {
	uint32_t names[2];
	uint16_t parts[2];
};

/*
 * by_owner: names are owners, else roots.  *ret: by node.  ST_NOMEM: cut; ST_STOPPED.
 */
enum status walk_find(const struct flow *f, bool by_owner, struct walk_end **ret);
