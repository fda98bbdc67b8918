// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/page_mapcount.h"

#include "dump/layout.h"

#define MAX_FOLIO_PAGES (1U << 18) /* 1 GiB */

static const struct layout_row rows[MAPCOUNT_FIELDS] = {
	[MAPCOUNT_ENTIRE_FOLIO] = FIELD_ROW("struct folio", OPTIONAL, "6.3", "_entire_mapcount"),
	/* Of the second page. */
	[MAPCOUNT_ENTIRE_PAGE] = FIELD_ROW("struct page", OPTIONAL, "to 6.2", "compound_mapcount"),
	[MAPCOUNT_LARGE] = FIELD_ROW("struct folio", OPTIONAL, "6.10", "_large_mapcount"),
	[MAPCOUNT_NR_PAGES] = FIELD_ROW("struct folio", OPTIONAL, "6.15, 6.1", "_nr_pages",
					"_folio_nr_pages"),
};

enum status page_mapcounts_open(struct page_types *types, struct page_mapcounts *ret)
{
	struct dump *d = types->dump;
	struct page_mapcounts m = { .types = types, .head = UINT64_MAX };
	enum status st = layout_resolve(d, rows, MAPCOUNT_FIELDS, m.f);

	m.head_flag = page_flag_mask(d, "PG_head");
	m.double_flag = page_flag_mask(d, "PG_double_map");
	if (st == ST_OK && (!m.head_flag || (!m.f[MAPCOUNT_ENTIRE_FOLIO].present &&
					     !m.f[MAPCOUNT_ENTIRE_PAGE].present)))
		st = dump_unknown(d, "mappings of a compound page");
	return RESULT(st, ret, m);
}

/* A counter that starts at -1; a type of the page in its place is no mapping. */
static uint32_t mappings(int32_t counter)
{
	return counter < 0 ? 0 : (uint32_t)counter + 1;
}

static enum status own_count(struct page_mapcounts *m, uint64_t pfn, uint32_t *ret)
{
	struct page_users users;

	return RESULT(page_type_users(m->types, pfn, &users), ret, mappings(users.mapcount));
}

static enum status read_counter(struct page_mapcounts *m, uint64_t page, enum mapcount_field field,
				uint32_t *ret)
{
	return dump_u32(m->types->dump, page + m->f[field].offset, ret, "folio");
}

/*
 * With CONFIG_NO_PAGE_MAPCOUNT no page of a large folio has a count of its own: where none has, and
 * page tables have more than the whole, the kernel takes the average (6.15: fs/proc/internal.h).
 */
static enum status find_average(struct page_mapcounts *m, uint64_t head, uint64_t page)
{
	uint32_t large, n, own;
	enum status st;

	if (!m->f[MAPCOUNT_LARGE].present || !m->f[MAPCOUNT_NR_PAGES].present)
		return ST_OK;
	st = read_counter(m, page, MAPCOUNT_LARGE, &large)
		     ?: read_counter(m, page, MAPCOUNT_NR_PAGES, &n);
	if (st != ST_OK)
		return st;
	large = mappings((int32_t)large);
	if (n < 2 || n > MAX_FOLIO_PAGES || n & (n - 1))
		return dump_corrupt(m->types->dump, "folio of pfn %#lx has %u pages", head, n);
	if (large <= m->entire)
		return ST_OK;
	for (uint32_t i = 0; i < n; i++) {
		st = own_count(m, head + i, &own);
		if (st != ST_OK || own)
			return st;
	}
	m->average = (large - m->entire + n / 2) / n + m->entire;
	if (!m->average)
		m->average = 1;
	return ST_OK;
}

/* Up to 6.1 a page of a file has all its mappings, and one of two kinds of mappings counts twice. */
static enum status read_old(struct page_mapcounts *m, uint64_t page, const struct page_info *info)
{
	struct page_info second;
	enum status st;

	if (info->state != PAGE_TYPE_ANON) {
		m->entire = 0;
		return ST_OK;
	}
	st = read_counter(m, page + m->types->bytes, MAPCOUNT_ENTIRE_PAGE, &m->entire)
		     ?: page_type_at(m->types, info->head + 1, &second);
	if (st != ST_OK)
		return st;
	m->entire = mappings((int32_t)m->entire);
	m->entire -= m->entire && second.flags & m->double_flag;
	return ST_OK;
}

static enum status read_folio(struct page_mapcounts *m, const struct page_info *info)
{
	uint64_t page;
	enum status st = memmap_page(m->types->memmap, info->head, &page);

	m->average = 0;
	if (st != ST_OK)
		return st;
	if (m->double_flag)
		return read_old(m, page, info);
	if (m->f[MAPCOUNT_ENTIRE_FOLIO].present)
		st = read_counter(m, page, MAPCOUNT_ENTIRE_FOLIO, &m->entire);
	else
		st = read_counter(m, page + m->types->bytes, MAPCOUNT_ENTIRE_PAGE, &m->entire);
	if (st != ST_OK)
		return st;
	m->entire = mappings((int32_t)m->entire);
	return find_average(m, info->head, page);
}

enum status page_mapcount(struct page_mapcounts *m, uint64_t pfn, const struct page_info *info,
			  uint32_t *ret)
{
	uint32_t own;
	enum status st = own_count(m, pfn, &own);

	if (st != ST_OK)
		return st;
	if (info->head == pfn && !(info->flags & m->head_flag)) {
		*ret = own;
		return ST_OK;
	}
	if (m->head != info->head) {
		m->head = info->head;
		m->st = read_folio(m, info);
	}
	if (m->st != ST_OK)
		return m->st;
	*ret = m->average ? m->average : own + m->entire;
	return ST_OK;
}
