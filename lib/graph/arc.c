// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/arcs.h"

bool arcs_add(struct arcs *a, uint32_t src, uint32_t dst, enum arc_weight w)
{
	struct arc *arc = chunks_add(&a->arcs);

	if (!arc) {
		a->g->cut = "arcs";
		return false;
	}
	*arc = (struct arc){ src, arc_to(dst, w) };
	return true;
}
