// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/free_area.h"

#define LIST_HEAD 16	    /* bytes of struct list_head */
#define MAX_AREA_BYTES 512  /* of struct free_area */
#define MAX_PAGE_BYTES 256  /* of struct page */
#define PROGRESS_STEP 65536 /* blocks */

static const struct layout_row rows[AREA_FIELDS] = {
	[AREA_AREAS] = { "struct zone", { "free_area" }, REQUIRED, "all" },
	[AREA_LISTS] = { "struct free_area", { "free_list" }, REQUIRED, "all" },
	[AREA_NR] = { "struct free_area", { "nr_free" }, REQUIRED, "all" },
	[AREA_LINK] = { "struct page", { "buddy_list", "lru" }, OPTIONAL, "6.0, all" },
};

static void open_walk(struct free_areas *a, const struct page_types *pages, uint64_t end)
{
	struct dump *d = a->dump;
	const struct field *link = &a->f[AREA_LINK];
	enum status st = ST_UNKNOWN;

	if (!pages)
		dump_unknown(d, "struct page");
	else if (!link->present || link->offset + LIST_HEAD > pages->bytes ||
		 pages->bytes > MAX_PAGE_BYTES || !pages->f[PAGE_PRIVATE].present)
		dump_unknown(d, "links of free pages");
	else
		st = page_to_pfn_open(d, pages->memmap, end, &a->finder);
	if (st == ST_OK)
		a->pages = pages;
	else
		a->problem = dump_why(d);
}

enum status free_areas_open(struct dump *d, const struct page_types *pages, uint64_t end,
			    struct free_areas *ret)
{
	struct free_areas a = { .dump = d };
	enum status st = layout_resolve(d, rows, AREA_FIELDS, a.f);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, type_size, "struct free_area", &a.area_bytes) != ST_OK || !a.area_bytes ||
	    a.area_bytes > MAX_AREA_BYTES ||
	    a.f[AREA_NR].offset + a.f[AREA_NR].size > a.area_bytes ||
	    a.f[AREA_LISTS].offset + a.f[AREA_LISTS].size > a.area_bytes)
		return dump_unknown(d, "struct free_area");
	a.orders = a.f[AREA_AREAS].size / a.area_bytes;
	a.types = a.f[AREA_LISTS].size / LIST_HEAD;
	if (!a.orders || a.orders > FREE_AREA_ORDERS || !a.types || a.types > FREE_AREA_TYPES)
		return dump_unknown(d, "%u orders of %u migrate types", a.orders, a.types);
	open_walk(&a, pages, end);
	decoder_trace(d, "decide %u orders of %u migrate types%s%s", a.orders, a.types,
		      a.problem ? ", lists are not walked: " : "", a.problem ? a.problem : "");
	*ret = a;
	return ST_OK;
}

/* The struct page of a block, and what must be true of it. */
static enum status check_block(struct free_areas *a, const struct zone *zone, unsigned int order,
			       uint64_t page, const uint8_t *raw)
{
	const struct page_types *p = a->pages;
	uint64_t mask = p->marks.mask[PAGE_TYPE_BUDDY], pfn;
	uint64_t type = field_get(&p->f[PAGE_TYPE], raw), is = field_get(&p->f[PAGE_PRIVATE], raw);
	enum status st = page_to_pfn_find(&a->finder, page, &pfn);

	if (st == ST_ABSENT)
		return dump_corrupt(a->dump, "%#lx on a list of free blocks is no struct page",
				    page);
	if (st != ST_OK)
		return st;
	if (pfn < zone->start || pfn >= zone->end || pfn & ((1ULL << order) - 1))
		return dump_corrupt(
			a->dump, "pfn %#lx on a list of free blocks of order %u is %s", pfn, order,
			pfn < zone->start || pfn >= zone->end ? "of another zone" : "not aligned");
	if (is != order || (mask && (type & mask) != p->marks.value[PAGE_TYPE_BUDDY]))
		return dump_corrupt(
			a->dump, "pfn %#lx on a list of free blocks of order %u is no such block",
			pfn, order);
	for (uint64_t i = 0; a->free && i < 1ULL << order; i++)
		pfnset_add(a->free, pfn + i);
	return ST_OK;
}

static enum status walk_list(struct free_areas *a, const struct zone *zone, uint64_t head,
			     const uint8_t *links, unsigned int order, struct free_list *list)
{
	uint64_t next = le64(links);
	struct dump *d = a->dump;
	uint32_t link = a->f[AREA_LINK].offset;
	uint64_t previous = head;
	uint8_t raw[MAX_PAGE_BYTES];

	while (next != head) {
		enum status st;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		/* All lists together have no more pages than there are. */
		if (a->finder.left < 1ULL << order)
			return dump_corrupt(d, "list of free blocks at %#lx is too long", head);
		st = dump_read(d, next - link, raw, a->pages->bytes, "struct page of a free block");
		if (st == ST_OK && le64(raw + link + 8) != previous)
			st = dump_corrupt(
				d, "list of free blocks at %#lx: a link does not point back", head);
		st = st ?: check_block(a, zone, order, next - link, raw);
		if (st != ST_OK)
			return st;
		a->finder.left -= 1ULL << order;
		list->blocks++;
		if (d->ops->progress && !(list->blocks % PROGRESS_STEP))
			dump_ask(d, progress, a->finder.end - a->finder.left, a->finder.end);
		previous = next;
		next = le64(raw + link);
	}
	if (le64(links + 8) != previous)
		return dump_corrupt(
			d, "list of free blocks at %#lx ends at %#lx, and has %#lx as the last",
			head, previous, le64(links + 8));
	return ST_OK;
}

/* links: of the head. It is empty where both lead to it. */
static enum status read_list(struct free_areas *a, const struct zone *zone, uint64_t head,
			     const uint8_t *links, unsigned int order, struct free_list *list)
{
	const bool is_end = le64(links) == head;

	list->head = is_end != (le64(links + 8) == head) ? LIST_UNKNOWN
		     : is_end				 ? LIST_EMPTY
							 : LIST_FILLED;
	if (list->head == LIST_EMPTY)
		return ST_OK;
	if (!a->pages)
		return dump_fail(a->dump, ST_UNKNOWN, "%s", a->problem);
	return walk_list(a, zone, head, links, order, list);
}

static enum status read_area(struct free_areas *a, const struct zone *zone, unsigned int order,
			     struct zone_free *z)
{
	struct dump *d = a->dump;
	uint64_t at = zone->address + a->f[AREA_AREAS].offset + order * a->area_bytes;
	uint8_t raw[MAX_AREA_BYTES];
	enum status st = dump_read(d, at, raw, a->area_bytes, "struct free_area");

	if (st != ST_OK) {
		z->has_nr_free = false;
		return st;
	}
	z->nr_free[order] = field_get(&a->f[AREA_NR], raw);
	for (unsigned int type = 0; type < a->types; type++) {
		struct free_list *list = &z->lists[order][type];
		uint32_t head = a->f[AREA_LISTS].offset + type * LIST_HEAD;

		list->status = read_list(a, zone, at + head, raw + head, order, list);
		if (list->status == ST_STOPPED)
			return list->status;
		if (list->status != ST_OK && !z->problem)
			z->problem = dump_why(d);
	}
	return ST_OK;
}

enum status free_areas_read(struct free_areas *a, const struct zone *zone, struct zone_free *ret)
{
	enum status st = ST_OK;

	*ret = (struct zone_free){ .orders = a->orders, .types = a->types, .has_nr_free = true };
	for (unsigned int o = 0; o < a->orders; o++)
		for (unsigned int t = 0; t < a->types; t++)
			ret->lists[o][t].status = ST_UNREADABLE;
	for (unsigned int o = 0; o < a->orders; o++) {
		st = read_area(a, zone, o, ret);
		if (st == ST_STOPPED)
			return st;
		if (st != ST_OK && !ret->problem)
			ret->problem = dump_why(a->dump);
	}
	return ST_OK;
}

bool zone_free_blocks(const struct zone_free *z, unsigned int order, unsigned int type,
		      uint64_t *ret)
{
	const struct free_list *list = &z->lists[order][type];

	if (list->status != ST_OK)
		return false;
	*ret = list->blocks;
	return true;
}

bool zone_free_pages(const struct zone_free *z, uint64_t *ret)
{
	uint64_t pages = 0, blocks;

	for (unsigned int o = 0; o < z->orders; o++)
		for (unsigned int t = 0; t < z->types; t++) {
			if (!zone_free_blocks(z, o, t, &blocks))
				return false;
			pages += blocks << o;
		}
	*ret = pages;
	return true;
}
