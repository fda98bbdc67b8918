// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zbud.h"

#include "dump/pointer.h"
#include "dump/structure.h"
#include "pools/zswap.h"

#define MAX_LISTS 4096 /* NCHUNKS is 63 of 4 KiB pages, at most 64 */

struct walk {
	struct dump *dump;
	struct field lru, unbuddied, page_lru, page_buddy; /* of struct zbud_pool, zbud_header */
	struct pfnset *pages;
	bool has_pool;
	struct first_problem problem; /* of a pool */
};

static const struct layout_row rows[] = {
	/* A list of all pages. */
	FINDS(struct walk, lru, "struct zbud_pool", OPTIONAL, "3.11 to 6.1 and later", "lru"),
	/* A list for each number of free chunks.  In kernels without lru the first has the full pages. */
	FINDS(struct walk, unbuddied, "struct zbud_pool", OPTIONAL, "3.11 to 6.12 and later",
	      "unbuddied"),
	FINDS(struct walk, page_lru, "struct zbud_header", OPTIONAL, "3.11 to 6.1 and later",
	      "lru"),
	FINDS(struct walk, page_buddy, "struct zbud_header", OPTIONAL, "3.11 to 6.12 and later",
	      "buddy"),
};

static enum status add_page(struct walk *w, uint64_t header)
{
	struct dump *d = w->dump;
	uint64_t phys, pfn;
	enum status st = dump_pointer_phys(d, header, "a page of zbud", &phys);

	if (st != ST_OK)
		return st;
	if (header & (dump_page_size(d) - 1) || (pfn = phys >> d->page_shift) >= w->pages->end)
		return dump_corrupt(d, "a list of zbud has a page at %#lx", header);
	/* Each page is linked once. */
	if (pfnset_has(w->pages, pfn))
		return dump_corrupt(d, "a list of zbud has the page at %#lx twice", header);
	pfnset_add(w->pages, pfn);
	return ST_OK;
}

static enum status walk_list(struct walk *w, uint64_t head, const struct field *link)
{
	struct dump *d = w->dump;
	uint64_t node;
	enum status st = dump_u64(d, head, &node, "zbud_pool");

	while (st == ST_OK && node != head) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = add_page(w, node - link->offset) ?: dump_u64(d, node, &node, "zbud_header");
	}
	return st;
}

static enum status walk_pool(struct walk *w, uint64_t pool)
{
	enum status st = ST_OK;

	if (w->lru.present && w->page_lru.present)
		return walk_list(w, pool + w->lru.offset, &w->page_lru);
	if (!w->unbuddied.present || !w->page_buddy.present || w->unbuddied.size > MAX_LISTS * 16)
		return dump_unknown(w->dump, "struct zbud_pool");
	for (size_t at = 0; st == ST_OK && at < w->unbuddied.size; at += 16)
		st = walk_list(w, pool + w->unbuddied.offset + at, &w->page_buddy);
	return st;
}

static enum status visit_pool(void *arg, const struct zswap_pool *pool)
{
	struct walk *w = arg;
	enum status st = ST_OK;

	if (strcmp(pool->allocator, "zbud"))
		return ST_OK;
	w->has_pool = true;
	for (unsigned int i = 0; i < pool->nstores && st == ST_OK; i++)
		if (pool->stores[i])
			st = first_problem_keep(w->dump, &w->problem,
						walk_pool(w, pool->stores[i]));
	return st;
}

enum status zbud_pages(struct dump *d, struct pfnset *ret)
{
	struct walk w = { .dump = d, .pages = ret };
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: zswap_walk(d, visit_pool, &w) ?:
		first_problem_end(d, &w.problem);

	if (st != ST_OK)
		return st;
	return w.has_pool ? ST_OK : dump_absent(d, "no pool of zbud");
}
