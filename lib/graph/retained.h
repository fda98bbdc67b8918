/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What would not be reached without one owner, or without one root: reached by it, and by no
 * other.  Exact, and lost by one stale word of another.
 */
#pragma once

#include "graph/spread.h"

struct retained {
	uint16_t *owners; /* by node; OWNER_SHARED: of several, OWNER_NOBODY: of none */
	uint32_t *roots;  /* by node: the one root; ROOT_SHARED, ROOT_NONE */
	uint8_t *reached; /* a bit for each node: a root leads there in whatever way */
};

/* ST_NOMEM: cut. */
enum status retained_find(const struct flow *f, struct retained *ret);
