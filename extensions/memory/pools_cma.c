// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner pools: areas of CMA, and who has the pages that cma_alloc() did not give away. */
#include "pools/cma.h"
#include "pools.h"

struct view_cma {
	struct view_pools *p;
	struct free_pages *free;
};

/* Pages that no driver has: free, or lent. */
struct cma_use {
	uint64_t listed, lent;
	bool known;
};

static void add_page(struct view_cma *c, uint64_t pfn, struct cma_use *use)
{
	struct owner_view *v = c->p->v;
	struct page_info info;

	if (free_pages_has_block(c->free, pfn))
		use->listed++;
	else if (page_type_at(&v->states, pfn, &info) != ST_OK || c->free->blocks.is_cut)
		use->known = false;
	else if (!free_pages_has_pcp(c->free, pfn))
		use->lent++;
}

static enum status add_range(struct view_cma *c, const struct cma_area *area,
			     const struct cma_range *r, struct cma_use *use)
{
	struct dump *d = c->p->v->dump;

	if (!r->bitmap) {
		use->known = false;
		return ST_OK;
	}
	for (uint64_t pfn = r->base; pfn < r->base + r->pages && use->known; pfn++) {
		if (!(pfn & 0xfff) && dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!cma_page_is_used(area, r, pfn))
			add_page(c, pfn, use);
	}
	return ST_OK;
}

static enum status add_area(void *arg, const struct cma_area *area)
{
	struct view_cma *c = arg;
	struct view_pools *p = c->p;
	struct cma_use use = { .known = c->free };
	struct pool pool = { POOL_CMA,
			     { area->pages, true },
			     area->name,
			     .used = { area->used << p->v->page_shift, area->has_used },
			     .order = { area->order_per_bit, true },
			     .pfn = { area->ranges[0].base, area->nranges },
			     .address = area->address };
	enum status st = ST_OK;

	for (unsigned int i = 0; i < area->nranges && st == ST_OK; i++)
		st = add_range(c, area, &area->ranges[i], &use);
	if (st != ST_OK)
		use.known = false;
	else
		p->cma_unknown += !use.known || !area->has_used;
	pool.listed = (struct maybe_u64){ use.listed, use.known };
	/* A page on the list of a CPU is free. */
	pool.movable = (struct maybe_u64){ use.lent, use.known && !c->free->no_pcp.text };
	pool_add(p, &pool);
	return st;
}

void pools_add_cma(struct view_pools *p)
{
	struct owner_view *v = p->v;
	struct view_cma c = { .p = p };
	const struct ram *ram = &v->owner.ram;

	if (!dump_has_symbol(v->dump, "cma_areas"))
		return;
	if (v->has_states && ram->n) {
		c.free = dump_alloc(v->dump, sizeof(*c.free));
		free_pages_open(v->dump, &v->states, ram->ranges[ram->n - 1].end, c.free);
		/* Blocks of unknown orders: no page is known to be free, or not to be. */
		if (!c.free->blocks.orders)
			c.free = NULL;
	}
	pools_keep_going(p, cma_walk(v->dump, add_area, &c), "areas of CMA");
}
