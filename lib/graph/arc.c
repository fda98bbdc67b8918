// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/arcs.h"
#include "util/bits.h"

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

uint8_t *arcs_named(const struct arcs *a, struct budget *own, struct arena *arena)
{
	uint8_t *named = budget_alloc(own, arena, a->nodes / 8 + 1);

	for (uint32_t i = 0; named && i < a->arcs.n; i++)
		bit_set(named, ((const struct arc *)chunks_at(&a->arcs, i))->dst & ARC_NODE);
	return named;
}
