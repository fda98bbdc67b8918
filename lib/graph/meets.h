/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all ways from roots to a node lead through: where several roots reach memory it hangs on the last
 * node at which they meet (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
 */
#pragma once

#include "graph/flow.h"

#define MEET_NONE UINT32_MAX

/*
 * *ret: by node, the first node behind the roots that all ways to it lead through; itself where its own ways have none
 * in common; MEET_NONE: no word that is firm leads there.  NULL: there was no room, or no end, which dump_lacks() has
 * told; owners do without.  ST_STOPPED.
 */
enum status meets_find(const struct flow *f, uint32_t **ret);
