// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Areas of vmalloc that own their pages, but stacks, memory of modules and per-CPU memory; and those in which vmap()
 * mapped pages of others, of which the vm_struct names the caller.
 */
#include "graph/nodes.h"
#include "vm/kstacks.h"

struct finder {
	struct graph *g;
	struct kstacks stacks;
	struct percpu_pages percpu;
};

static bool has_module(const struct graph *g, const struct vm_area *area)
{
	for (const struct module *m = g->modules.first; m; m = m->next)
		for (unsigned int i = 0; i < m->nranges; i++)
			if (m->ranges[i].base - area->address < area->size)
				return true;
	return false;
}

static void add_mapped(struct graph *g, const struct vm_area *area)
{
	const uint64_t size = vm_area_mapped(g->dump, area);

	if (!size || size > PLACE_MAX ||
	    !graph_add(g, NODE_VMAP, area->address, (uint32_t)size, 1, 0))
		return;
	graph_map(g, area->address, area->address + size, g->spans.n - 1, 1);
	((struct mapped_area *)hash_u64_get(&g->mapped, graph_last(g)->first, NULL))->caller =
		area->caller;
}

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct finder *f = arg;
	struct graph *g = f->g;
	uint64_t size = area->nr_pages << g->dump->page_shift;

	hash_u64_add(&g->vms, area->vm);
	hash_u64_add(&g->vmaps, area->vmap);
	add_mapped(g, area);
	if (!vm_area_owns(area) || percpu_pages_have(&f->percpu, area) ||
	    kstacks_have(&f->stacks, area) || has_module(g, area) || !size || size > area->size ||
	    size > UINT32_MAX / 2)
		return ST_OK;
	if (graph_add(g, NODE_AREA, area->address, (uint32_t)size, 1, 0))
		graph_map(g, area->address, area->address + size, g->spans.n - 1, 1);
	return dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
}

enum status graph_add_areas(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	struct finder f = { .g = g };
	struct pfnset pages;
	struct vm_layout layout;
	enum status st = vm_layout_open(d, &layout);

	pfnset_init(&pages, d->arena, g->end);
	st = st ?: kstacks_open(&layout, &pages, &f.stacks);
	percpu_pages_open(d, &f.percpu);
	st = st ?: vm_areas_walk(&layout, add_area, &f);
	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK)
		graph_lacks(s, "areas of vmalloc");
	return ST_OK;
}
