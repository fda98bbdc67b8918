// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/free_pages.h"

#include "buddy/pcp_lists.h"
#include "zones/zones.h"

struct reader {
	struct dump *dump;
	struct field zones; /* pglist_data.node_zones */
	uint64_t zone_bytes;
	struct pcp_lists lists;
	struct page_to_pfn finder;
	struct pfnset *pcp;
};

static const struct layout_row rows[] = {
	{ "struct pglist_data", { "node_zones" }, REQUIRED, "all" },
};

static enum status add_block(void *arg, const struct pcp_block *b)
{
	struct reader *r = arg;
	uint64_t pfn, pages = 1ULL << b->order;
	enum status st;

	/* All lists together have no more pages than there are. */
	if (r->finder.left < pages)
		return dump_corrupt(r->dump, "lists of free pages of CPUs are too long");
	r->finder.left -= pages;
	st = page_to_pfn_find(&r->finder, b->page, &pfn);
	if (st != ST_OK)
		return st == ST_ABSENT ? ST_CORRUPT : st;
	for (uint64_t i = 0; i < pages; i++)
		pfnset_add(r->pcp, pfn + i);
	return ST_OK;
}

static enum status read_node(struct reader *r, uint64_t pgdat)
{
	enum status st = ST_OK;

	for (uint64_t at = 0; st == ST_OK && at + r->zone_bytes <= r->zones.size;
	     at += r->zone_bytes)
		st = pcp_lists_walk(&r->lists, pgdat + r->zones.offset + at, add_block, r);
	return st;
}

static enum status read_cpus(struct reader *r, uint64_t end)
{
	struct dump *d = r->dump;
	struct nodes nodes;
	enum status st;

	if (dump_ask(d, type_size, "struct zone", &r->zone_bytes) != ST_OK || !r->zone_bytes)
		return dump_unknown(d, "no size of struct zone");
	st = pcp_lists_open(d, end, &r->lists) ?: nodes_open(d, &nodes);
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++)
		st = read_node(r, nodes.pgdat[i]);
	return st;
}

enum status free_pages_open(struct dump *d, const struct page_types *states, uint64_t end,
			    struct free_pages *ret)
{
	struct reader r = { .dump = d, .pcp = &ret->pcp };
	enum status st;

	*ret = (struct free_pages){ 0 };
	pfnset_init(&ret->pcp, d->arena, end);
	st = free_blocks_open(d, states, &ret->blocks) ?: layout_resolve(d, rows, 1, &r.zones);
	ret->blocks.end = end;
	ret->no_pcp = problem_of_part(
		d, st ?: page_to_pfn_open(d, states->memmap, end, &r.finder) ?: read_cpus(&r, end));
	if (st == ST_OK)
		decoder_trace(d, "decide blocks of up to 2^%u free pages; CPUs keep %lu pages",
			      ret->blocks.orders - 1, ret->pcp.n);
	return ST_OK;
}

bool free_pages_has_block(struct free_pages *f, uint64_t pfn)
{
	return free_blocks_has(&f->blocks, pfn);
}

bool free_pages_has_pcp(struct free_pages *f, uint64_t pfn)
{
	return pfnset_has(&f->pcp, pfn);
}

static const struct layout_row area_row = { "struct zone", { "free_area" }, REQUIRED, "all" };

enum status free_blocks_open(struct dump *d, const struct page_types *states,
			     struct free_blocks *ret)
{
	struct field areas;
	uint64_t area;
	enum status st = layout_resolve(d, &area_row, 1, &areas);

	*ret = (struct free_blocks){ .states = *states, .start = UINT64_MAX, .end = UINT64_MAX };
	if (st == ST_OK && (dump_ask(d, type_size, "struct free_area", &area) != ST_OK || !area ||
			    areas.size / area < 1 || areas.size / area > FREE_MAX_ORDER))
		st = dump_unknown(d, "zone.free_area");
	if (st == ST_OK)
		read_window_init(&ret->states.window, d);
	if (st != ST_OK)
		return st;
	/* The table that the copy remembers is the other's. */
	ret->states.start = ret->states.end = 0;
	ret->orders = areas.size / area;
	return ST_OK;
}

static void read_block(struct free_blocks *f, uint64_t start)
{
	uint64_t n = 1ULL << (f->orders - 1);

	memset(f->bits, 0, sizeof(f->bits));
	f->is_cut = false;
	f->start = start;
	for (uint64_t i = 0; i < n && start + i < f->end;) {
		struct page_info info;
		uint64_t free = 0;
		enum status st = page_type_at(&f->states, start + i, &info);

		f->is_cut |= st != ST_OK && st != ST_ABSENT;
		if (st == ST_OK && info.state == PAGE_TYPE_BUDDY && info.private < f->orders)
			free = 1ULL << info.private;
		for (uint64_t k = i; k < i + free && k < n; k++)
			f->bits[k / 64] |= 1ULL << (k & 63);
		i += free ? free : 1;
	}
}

bool free_blocks_has(struct free_blocks *f, uint64_t pfn)
{
	uint64_t at;

	if (!f->orders)
		return false;
	at = pfn & ((1ULL << (f->orders - 1)) - 1);
	if (f->start != pfn - at)
		read_block(f, pfn - at);
	return f->bits[at / 64] >> (at & 63) & 1;
}
