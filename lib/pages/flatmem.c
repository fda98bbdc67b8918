// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/flatmem.h"

#include "dump/layout.h"
#include "zones/zones.h"

enum { N_START, N_SPANNED, N_MEM_MAP, N_PAGE_EXT, Z_FREE_AREA, N_FIELDS };

static const struct layout_row rows[N_FIELDS] = {
	[N_START] = { "struct pglist_data", { "node_start_pfn" }, REQUIRED, "all" },
	[N_SPANNED] = { "struct pglist_data", { "node_spanned_pages" }, REQUIRED, "all" },
	[N_MEM_MAP] = { "struct pglist_data", { "node_mem_map" }, OPTIONAL, "CONFIG_FLATMEM" },
	[N_PAGE_EXT] = { "struct pglist_data", { "node_page_ext" }, OPTIONAL, "CONFIG_FLATMEM" },
	[Z_FREE_AREA] = { "struct zone", { "free_area" }, REQUIRED, "all" },
};

struct reader {
	struct flatmem *flat;
	struct field f[N_FIELDS];
	uint64_t block; /* MAX_ORDER_NR_PAGES */
};

static enum status read_node(void *arg, uint64_t pgdat)
{
	struct reader *r = arg;
	struct dump *d = r->flat->dump;
	struct flat_node *node = &r->flat->nodes[r->flat->n];
	uint64_t spanned = 0;
	enum status st;

	if (r->flat->n == FLATMEM_NODES)
		return dump_fail(d, ST_CORRUPT, "more than %d nodes with FLATMEM", FLATMEM_NODES);
	st = dump_u64(d, pgdat + r->f[N_START].offset, &node->start, "struct pglist_data") ?:
		dump_u64(d, pgdat + r->f[N_SPANNED].offset, &spanned, "struct pglist_data") ?:
		dump_u64(d, pgdat + r->f[N_MEM_MAP].offset, &node->mem_map, "struct pglist_data");
	if (st == ST_OK && r->f[N_PAGE_EXT].present)
		st = dump_u64(d, pgdat + r->f[N_PAGE_EXT].offset, &node->page_ext,
			      "struct pglist_data");
	if (st != ST_OK || !spanned)
		return st;
	node->end = node->start + spanned;
	if (node->end < node->start)
		return dump_fail(d, ST_CORRUPT, "impossible node at pfn %#lx", node->start);
	node->ext_start = node->start & ~(r->block - 1);
	decoder_trace(d, "node   pfn %#lx-%#lx, mem_map %#lx, page_ext %#lx from pfn %#lx",
		      node->start, node->end - 1, node->mem_map, node->page_ext, node->ext_start);
	r->flat->n++;
	return ST_OK;
}

/* A zone has a list of free blocks for each order, so the largest is known by their number. */
static enum status largest_block(struct dump *d, const struct field *free_area, uint64_t *ret)
{
	uint64_t bytes;

	if (dump_ask(d, type_size, "struct free_area", &bytes) != ST_OK || !bytes ||
	    free_area->size < bytes || free_area->size / bytes > 32)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: zone.free_area");
	*ret = 1ULL << (free_area->size / bytes - 1);
	return ST_OK;
}

enum status flatmem_open(struct dump *d, struct flatmem *ret)
{
	struct reader r = { .flat = ret };
	enum status st;

	ret->dump = d;
	ret->n = 0;
	st = layout_resolve(d, rows, N_FIELDS, r.f);
	if (st != ST_OK)
		return st;
	ret->has_page_ext = r.f[N_PAGE_EXT].present;
	if (!r.f[N_MEM_MAP].present)
		return dump_fail(d, ST_ABSENT, "nodes have no table of pages");
	st = largest_block(d, &r.f[Z_FREE_AREA], &r.block);
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct page", &ret->page_bytes) != ST_OK || !ret->page_bytes))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: no size of struct page");
	return st ?: nodes_walk(d, read_node, &r);
}

const struct flat_node *flatmem_find(const struct flatmem *f, uint64_t pfn)
{
	for (unsigned int i = 0; i < f->n; i++)
		if (pfn >= f->nodes[i].start && pfn < f->nodes[i].end)
			return &f->nodes[i];
	return NULL;
}

enum status flatmem_page_to_pfn(const struct flatmem *f, uint64_t page, uint64_t *ret)
{
	for (unsigned int i = 0; i < f->n; i++) {
		const struct flat_node *n = &f->nodes[i];
		uint64_t bytes = page - n->mem_map;

		if (page < n->mem_map || bytes % f->page_bytes ||
		    bytes / f->page_bytes >= n->end - n->start)
			continue;
		*ret = n->start + bytes / f->page_bytes;
		return ST_OK;
	}
	return dump_fail(f->dump, ST_ABSENT, "%#lx is no struct page", page);
}
