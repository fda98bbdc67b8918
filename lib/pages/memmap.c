// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/memmap.h"

enum status memmap_open(struct dump *d, struct memmap *ret)
{
	enum status st = sections_open(d, &ret->sections);

	ret->is_flat = st == ST_ABSENT;
	ret->asked.nr = 0;
	if (!ret->is_flat)
		return st;
	st = flatmem_open(d, &ret->flat);
	if (st == ST_ABSENT || st == ST_UNKNOWN)
		return dump_unknown(d, "neither mem_section nor pglist_data.node_mem_map");
	return st;
}

enum status memmap_page(struct memmap *m, uint64_t pfn, uint64_t *ret)
{
	const struct flat_node *node;

	if (!m->is_flat)
		return sections_page(&m->sections, pfn, ret);
	node = flatmem_find(&m->flat, pfn);
	if (!node)
		return dump_absent(m->flat.dump, "no node has pfn %#lx", pfn);
	*ret = node->mem_map + (pfn - node->start) * m->flat.page_bytes;
	return ST_OK;
}

/* NULL: unknown, or a kernel without sections. */
static const struct section_state *state_at(struct memmap *m, uint64_t pfn)
{
	uint64_t nr;

	if (m->is_flat)
		return NULL;
	nr = pfn >> m->sections.shift;
	if (m->asked.nr != nr + 1)
		m->asked.is_known = sections_state(&m->sections, nr, &m->asked.state) == ST_OK;
	m->asked.nr = nr + 1;
	return m->asked.is_known ? &m->asked.state : NULL;
}

bool memmap_is_removed(struct memmap *m, uint64_t pfn)
{
	const struct section_state *s = state_at(m, pfn);

	return s && !s->online;
}

bool memmap_is_offline(struct memmap *m, uint64_t pfn)
{
	return memmap_is_removed(m, pfn) && m->asked.state.mapped;
}

/* Without sections no part of memory can be taken offline. */
void memmap_find_offline(struct memmap *m, struct ram *ram)
{
	const uint64_t step = m->is_flat ? 0 : 1ULL << m->sections.shift;

	ram->offline = 0;
	for (size_t i = 0; step && i < ram->n; i++) {
		const struct ram_range *r = &ram->ranges[i];

		for (uint64_t pfn = r->start, next; pfn < r->end; pfn = next) {
			next = (pfn & ~(step - 1)) + step;
			if (next > r->end)
				next = r->end;
			ram->offline += memmap_is_removed(m, pfn) ? next - pfn : 0;
		}
	}
	/* Memory of which nothing is online has no kernel: its sections mean something else. */
	if (ram->offline == ram->pages)
		ram->offline = 0;
}

bool memmap_is_added(struct memmap *m, uint64_t pfn)
{
	const struct section_state *s = state_at(m, pfn);

	return s && s->mapped && !s->early;
}

enum status memmap_page_to_pfn(struct memmap *m, uint64_t page, uint64_t end, uint64_t *ret)
{
	return m->is_flat ? flatmem_page_to_pfn(&m->flat, page, ret)
			  : sections_page_to_pfn(&m->sections, page, end, ret);
}

enum status page_to_pfn_open(struct dump *d, struct memmap *memmap, uint64_t end,
			     struct page_to_pfn *ret)
{
	struct page_to_pfn f = { .memmap = memmap, .end = end, .left = end };

	if (dump_ask(d, type_size, "struct page", &f.page_bytes) != ST_OK || !f.page_bytes)
		return dump_unknown(d, "no size of struct page");
	*ret = f;
	return ST_OK;
}

/* The pfns that lie in one table with this one: of its section, or of its node. */
static void remember(struct page_to_pfn *f, uint64_t pfn)
{
	const struct memmap *m = f->memmap;
	const struct flat_node *node = m->is_flat ? flatmem_find(&m->flat, pfn) : NULL;
	unsigned int shift = m->is_flat ? 0 : m->sections.shift;

	f->start = node ? node->start : pfn >> shift << shift;
	f->stop = node ? node->end : f->start + (1ULL << shift);
	if (memmap_page(f->memmap, f->start, &f->base) != ST_OK)
		f->stop = f->start;
}

static bool is_in_table(const struct page_to_pfn *f, uint64_t page, uint64_t *ret)
{
	uint64_t n = (page - f->base) / f->page_bytes;

	if (page < f->base || n >= f->stop - f->start || (page - f->base) % f->page_bytes)
		return false;
	*ret = f->start + n;
	return *ret < f->end;
}

enum status page_to_pfn_find(struct page_to_pfn *f, uint64_t page, uint64_t *ret)
{
	uint64_t pfn, found;
	enum status st;

	if (is_in_table(f, page, ret))
		return ST_OK;
	/* With SPARSEMEM_VMEMMAP the tables of all sections are one. */
	pfn = f->start + (int64_t)(page - f->base) / (int64_t)f->page_bytes;
	if (f->stop > f->start && pfn < f->end && memmap_page(f->memmap, pfn, &found) == ST_OK &&
	    found == page) {
		remember(f, pfn);
		*ret = pfn;
		return ST_OK;
	}
	st = memmap_page_to_pfn(f->memmap, page, f->end, &pfn);
	if (st != ST_OK)
		return st;
	remember(f, pfn);
	*ret = pfn;
	return ST_OK;
}
