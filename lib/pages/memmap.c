// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/memmap.h"

enum status memmap_open(struct dump *d, struct memmap *ret)
{
	enum status st = sections_open(d, &ret->sections);

	ret->is_flat = st == ST_ABSENT;
	if (!ret->is_flat)
		return st;
	st = flatmem_open(d, &ret->flat);
	if (st == ST_ABSENT || st == ST_UNKNOWN)
		return dump_fail(
			d, ST_UNKNOWN,
			"unknown layout: neither mem_section nor pglist_data.node_mem_map");
	return st;
}

enum status memmap_page(struct memmap *m, uint64_t pfn, uint64_t *ret)
{
	const struct flat_node *node;

	if (!m->is_flat)
		return sections_page(&m->sections, pfn, ret);
	node = flatmem_find(&m->flat, pfn);
	if (!node)
		return dump_fail(m->flat.dump, ST_ABSENT, "no node has pfn %#lx", pfn);
	*ret = node->mem_map + (pfn - node->start) * m->flat.page_bytes;
	return ST_OK;
}

enum status memmap_page_to_pfn(struct memmap *m, uint64_t page, uint64_t end, uint64_t *ret)
{
	return m->is_flat ? flatmem_page_to_pfn(&m->flat, page, ret)
			  : sections_page_to_pfn(&m->sections, page, end, ret);
}
