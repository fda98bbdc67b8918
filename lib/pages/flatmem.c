// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/flatmem.h"

#include "zones/zones.h"

struct reader {
	struct flatmem *flat;
	struct structure node;
	struct field free_area; /* of struct zone */
	uint64_t block;		/* MAX_ORDER_NR_PAGES */
};

struct raw_node {
	struct flat_node n;
	uint64_t spanned;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct reader, node, "struct pglist_data"),
	READS(struct raw_node, n.start, REQUIRED, "all", "node_start_pfn"),
	READS(struct raw_node, spanned, REQUIRED, "all", "node_spanned_pages"),
	READS(struct raw_node, n.mem_map, OPTIONAL, "CONFIG_FLATMEM", "node_mem_map"),
	READS(struct raw_node, n.page_ext, OPTIONAL, "CONFIG_FLATMEM", "node_page_ext"),
	FINDS(struct reader, free_area, "struct zone", REQUIRED, "all", "free_area"),
};

static enum status read_node(struct reader *r, uint64_t pgdat)
{
	struct dump *d = r->flat->dump;
	struct raw_node raw = { 0 };
	struct flat_node *node = &raw.n;
	enum status st;

	if (r->flat->n == FLATMEM_NODES)
		return dump_corrupt(d, "more than %d nodes with FLATMEM", FLATMEM_NODES);
	st = struct_read(&r->node, pgdat, &raw);
	if (st != ST_OK || !raw.spanned)
		return st;
	node->end = node->start + raw.spanned;
	if (node->end < node->start)
		return dump_corrupt(d, "impossible node at pfn %#lx", node->start);
	node->ext_start = node->start & ~(r->block - 1);
	decoder_trace(d, "node   pfn %#lx-%#lx, mem_map %#lx, page_ext %#lx from pfn %#lx",
		      node->start, node->end - 1, node->mem_map, node->page_ext, node->ext_start);
	r->flat->nodes[r->flat->n++] = *node;
	return ST_OK;
}

/* A zone has a list of free blocks for each order, so the largest is known by their number. */
static enum status largest_block(struct dump *d, const struct field *free_area, uint64_t *ret)
{
	uint64_t bytes;

	if (dump_ask(d, type_size, "struct free_area", &bytes) != ST_OK || !bytes ||
	    free_area->size < bytes || free_area->size / bytes > 32)
		return dump_unknown(d, "zone.free_area");
	*ret = 1ULL << (free_area->size / bytes - 1);
	return ST_OK;
}

enum status flatmem_open(struct dump *d, struct flatmem *ret)
{
	struct reader r = { .flat = ret };
	struct nodes nodes;
	enum status st;

	ret->dump = d;
	ret->n = 0;
	st = STRUCTS_OPEN(d, rows, &r);
	if (st != ST_OK)
		return st;
	ret->has_page_ext = STRUCT_HAS(&r.node, struct raw_node, n.page_ext);
	if (!STRUCT_HAS(&r.node, struct raw_node, n.mem_map))
		return dump_absent(d, "nodes have no table of pages");
	st = largest_block(d, &r.free_area, &r.block);
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct page", &ret->page_bytes) != ST_OK || !ret->page_bytes))
		st = dump_unknown(d, "no size of struct page");
	st = st ?: nodes_open(d, &nodes);
	for (size_t i = 0; st == ST_OK && i < nodes.n; i++)
		st = read_node(&r, nodes.pgdat[i]);
	return st;
}

const struct flat_node *flatmem_find(const struct flatmem *f, uint64_t pfn)
{
	return FIND_IN(f->nodes, f->n, pfn >= found->start && pfn < found->end);
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
	return dump_absent(f->dump, "%#lx is no struct page", page);
}
