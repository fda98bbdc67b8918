// SPDX-License-Identifier: GPL-2.0-or-later
#include "slab/kmalloc.h"

#include "dump/pointer.h"

#define MAX_PAGES 1024 /* of a large one: order 10 */

static enum status of_slab(struct slabs *s, uint64_t pfn, uint64_t address, uint64_t *ret)
{
	struct slab slab;
	uint32_t i;
	enum status st = slab_at(s, pfn, &slab);

	if (st != ST_OK)
		return st;
	if (slab_index(&slab, address, &i) != ST_OK || slab_object(&slab, i) != address)
		return dump_corrupt(s->dump, "no object of its slab begins at %#lx", address);
	*ret = slab.cache->size;
	return ST_OK;
}

/* Before 6.15 its pages have no type of their own; a block of one page is no compound page. */
static enum status of_block(struct slabs *s, struct page_types *types, uint64_t phys,
			    const struct page_info *info, uint64_t *ret)
{
	const unsigned int shift = s->dump->page_shift;
	struct page_info tail;
	uint64_t n = 1;

	if (phys != info->head << shift)
		return dump_corrupt(s->dump, "no block of pages begins at physical %#lx", phys);
	while (n < MAX_PAGES && info->head_flags & types->marks.head_flag &&
	       page_type_at(types, info->head + n, &tail) == ST_OK && tail.head == info->head)
		n++;
	*ret = n << shift;
	return ST_OK;
}

enum status kmalloc_bytes(struct slabs *s, struct page_types *types, uint64_t address,
			  uint64_t *ret)
{
	struct dump *d = s->dump;
	struct page_info info;
	uint64_t phys;
	enum status st = dump_pointer_phys(d, address, "an allocation", &phys);

	st = st ?: page_type_at(types, phys >> d->page_shift, &info);
	if (st == ST_ABSENT)
		return dump_corrupt(d, "there is no memory at %#lx", address);
	if (st != ST_OK)
		return st;
	switch (info.state) {
	case PAGE_TYPE_SLAB:
		return of_slab(s, info.head, address, ret);
	case PAGE_TYPE_LARGE_KMALLOC:
	case PAGE_TYPE_OTHER:
		return of_block(s, types, phys, &info, ret);
	case PAGE_TYPE_KFENCE:
		return ST_ABSENT;
	case PAGE_TYPE_UNSURE:
		return dump_fail(d, ST_UNKNOWN, "what has the page at %#lx is unknown", address);
	default:
		return dump_corrupt(d, "the page at %#lx is none of kmalloc()", address);
	}
}
