// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner pools: pages that balloons gave to the host, by device. */
#include "pools/balloon.h"
#include "pools.h"

struct view_balloons {
	struct view_pools *p;
	struct hash_u64 known; /* balloon_dev_infos that have a row */
	uint64_t pages;	       /* of all rows */
	bool is_partial;       /* a device of virtio_balloon may have no row */
};

static void add_balloon(struct view_balloons *b, const struct pool *pool)
{
	hash_u64_get(&b->known, pool->address, NULL);
	b->pages += pool->pages.n;
	pool_add(b->p, pool);
}

/* Where pages do not tell their device, or have no struct page in the dump, its driver counts them. */
static enum status add_device(void *arg, const struct balloon *balloon)
{
	struct view_balloons *b = arg;
	const uint64_t *found = hash_u64_find(&b->p->inflated, balloon->info);
	bool is_all = found && (!b->p->unreadable || *found > balloon->pages);
	const struct pool pool = { POOL_BALLOON,
				   { is_all ? *found : balloon->pages, true },
				   balloon->name,
				   "virtio_balloon",
				   .counted = { balloon->pages, true },
				   .address = balloon->info };

	if (pool.pages.n)
		add_balloon(b, &pool);
	return ST_OK;
}

/*
 * Another driver, or one without debug information: its text tells its module. A function of vmlinux
 * tells no more than that it is not virtio_balloon, which is unknown where its devices are.
 */
static void add_others(struct view_balloons *b)
{
	struct owner_view *v = b->p->v;

	for (const struct hash_u64_entry *e = b->p->inflated.first; e; e = e->next) {
		const struct frame *f;
		uint64_t function;

		if (hash_u64_has(&b->known, e->key) ||
		    balloon_driver(v->dump, e->key, &function) != ST_OK || !function)
			continue;
		if (!v->stacks.symbols.dump)
			symbolizer_open(v->dump, &v->stacks.symbols);
		f = symbolize(&v->stacks.symbols, function);
		if (!f->module && !f->symbol)
			continue;
		add_balloon(b, &(struct pool){ POOL_BALLOON,
					       { *(const uint64_t *)e->value, true },
					       .driver = f->module || b->is_partial ? f->module
										    : f->symbol,
					       .address = e->key });
	}
}

void pools_add_balloons(struct view_pools *p)
{
	struct dump *d = p->v->dump;
	struct view_balloons b = { .p = p };
	uint64_t pages;
	enum status st;

	hash_u64_init(&b.known, d->arena, 0);
	st = balloons_walk(d, add_device, &b);
	b.is_partial = st != ST_OK && st != ST_ABSENT;
	pools_keep_going(p, st, "balloons");
	add_others(&b);
	if (balloon_pages(d, &pages) == ST_OK && pages > b.pages)
		add_balloon(&b, &(struct pool){ POOL_BALLOON, { pages - b.pages, true } });
}
