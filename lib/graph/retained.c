// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/retained.h"

enum status retained_find(const struct flow *f, struct retained *ret)
{
	struct graph *g = (struct graph *)f->g;
	bool fits;

	ret->owners = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ret->owners));
	ret->roots = budget_alloc(&g->budget, g->arena, f->n * sizeof(*ret->roots));
	ret->reached = budget_alloc(&g->budget, g->arena, f->n / 8 + 1);
	fits = ret->owners && ret->roots && ret->reached && spread_reach(f, ret->reached) &&
	       spread_names(f, true, ret->roots);
	for (uint32_t i = 0; fits && i < f->n; i++)
		ret->owners[i] = ret->roots[i] == ROOT_NONE	? OWNER_NOBODY
				 : ret->roots[i] == ROOT_SHARED ? OWNER_SHARED
								: (uint16_t)ret->roots[i];
	if (fits && spread_names(f, false, ret->roots))
		return ST_OK;
	return graph_is_full(g, "owners");
}
