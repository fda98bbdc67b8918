// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What vmap() mapped, and no root leads to: a driver that lost the address, or has it where no pointer is looked for.
 * vm_struct.caller names who mapped it (include/linux/vmalloc.h, 4.18 to 7.3), which is the driver, or a library of
 * drivers: the pages are its own as long as nothing else that roots reach names them.
 */
#include "graph/edges.h"
#include "graph/flow.h"
#include "graph/spread.h"

void graph_own_mapped(struct graph *g)
{
	hash_u64_for_each(struct mapped_area, area, &g->mapped) {
		const struct span *to;
		uint32_t node, place;

		if (graph_find(g, area->caller, &to, &node, &place) && to->kind == NODE_TEXT &&
		    graph_module(g, to->group))
			area->owner = to->group;
	}
}

/* By a word that is none of a stack, or a mapping, of something that a root reaches, but this node. */
static bool is_kept(const struct flow *f, const uint32_t *names, uint32_t node, uint32_t but)
{
	for (uint32_t k = f->in_at[node]; k < f->in_at[node + 1]; k++) {
		const uint32_t src = f->in[k] & ARC_NODE;

		if (src != but && names[src] != ROOT_NONE &&
		    (f->in[k] >> 30 <= ARC_MIDDLE || hash_u64_has(&f->g->mapped, src)))
			return true;
	}
	return false;
}

static bool keeps_pages(const struct flow *f, const uint32_t *names, uint32_t area)
{
	for (uint32_t k = f->out_at[area]; k < f->out_at[area + 1]; k++)
		if (!is_kept(f, names, f->out[k] & ARC_NODE, area))
			return true;
	return false;
}

void flow_add_mapped(struct flow *f, const uint32_t *names)
{
	for (const struct hash_u64_entry *e = f->g->mapped.first; e; e = e->next) {
		const struct mapped_area *area = (const void *)e->value;
		const uint32_t node = (uint32_t)e->key;

		if (area->owner && !is_kept(f, names, node, node) && keeps_pages(f, names, node))
			f->roots[node] = area->owner;
	}
}
