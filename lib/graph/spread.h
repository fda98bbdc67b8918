/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names flow from roots along arcs until none changes: a node has none, then one, then several, so it
 * is asked three times at most.
 */
#pragma once

#include "graph/flow.h"

#define ROOT_SHARED (UINT32_MAX - 1)
#define ROOT_NONE UINT32_MAX

/* reached: a bit for each node to which any arc leads from a root, be it of a hub or a leftover.  False: no room. */
bool spread_reach(const struct flow *f, uint8_t *reached);

/* names: by node; that of a root: its owner, or itself.  False: no room. */
bool spread_names(const struct flow *f, bool by_owner, uint32_t *names);
