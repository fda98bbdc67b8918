// SPDX-License-Identifier: GPL-2.0-or-later
/* Free blocks of each zone by order and migrate type, as /proc/pagetypeinfo has them. */
#include "zones.h"

/* Blocks of an order on a list. */
struct block_row {
	const struct zone *zone;
	const char *type;
	unsigned int order;
	struct maybe_u64 blocks, pages;
};

#define ROW struct block_row

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH | KNOWN, VIA(UINT, ROW, zone, node) },
	{ COLUMN_zone, IN_BOTH | KNOWN, VIA(TEXT, ROW, zone, name) },
	{ COLUMN_migratetype, IN_BOTH, "of the list; null: all lists, by nr_free of the kernel",
	  TEXT_OF(ROW, type) },
	{ COLUMN_order, IN_BOTH | KNOWN, "of the blocks", UINT_OF(ROW, order) },
	{ COLUMN_blocks, IN_BOTH, UINT_MAYBE(ROW, blocks) },
	{ COLUMN_pages, IN_BOTH, UINT_MAYBE(ROW, pages) },
	BASIS(derived),
};

const struct view zone_blocks_view = { "zones-blocks", "-z", COLUMNS_OF(columns),
				       .below = &zone_pcp_view };

/* type: that of a list, or beyond: all of them by nr_free. */
static bool blocks_of(const struct zone_free *f, unsigned int type, unsigned int order,
		      uint64_t *ret)
{
	if (type < f->types)
		return zone_free_blocks(f, order, type, ret);
	*ret = f->nr_free[order];
	return f->has_nr_free;
}

static void put_records(struct zones_view *z, const struct zone_now *now)
{
	const struct zone_free *f = &now->free;

	for (unsigned int type = 0; type <= f->types; type++)
		for (unsigned int o = 0; o < f->orders; o++) {
			uint64_t blocks = 0;
			bool known = blocks_of(f, type, o, &blocks);
			const struct block_row row = {
				now->zone,
				type < f->types ? zone_type_name(z, type) : NULL,
				o,
				{ blocks, known },
				{ blocks << o, known },
			};

			rows_put_record(&z->v->report, &zone_blocks_view, &row, z);
		}
}

static bool has_blocks(const struct zone_free *f, unsigned int type)
{
	return ANY_OF(o, f->orders, f->lists[o][type].head != LIST_EMPTY);
}

/* Whether the lists of an order have as many blocks as the kernel counted. */
static bool is_as_counted(const struct zone_free *f)
{
	for (unsigned int o = 0; o < f->orders; o++) {
		uint64_t sum = 0, n;

		for (unsigned int t = 0; t < f->types; t++) {
			if (!zone_free_blocks(f, o, t, &n))
				return false;
			sum += n;
		}
		if (!f->has_nr_free || sum != f->nr_free[o])
			return false;
	}
	return true;
}

/* Columns are as wide as the longest number that they have. */
struct widths {
	int name, type, order[FREE_AREA_ORDERS];
};

/* What a cell shows; a list that is not known may be known to have a block. */
static void cell_of(const struct zone_free *f, unsigned int type, unsigned int order,
		    char buf[UNITS_BYTES])
{
	uint64_t n;

	if (blocks_of(f, type, order, &n))
		snprintf(buf, UNITS_BYTES, "%lu", n);
	else
		snprintf(buf, UNITS_BYTES, "%s",
			 type < f->types && f->lists[order][type].head == LIST_FILLED ? ">0" : "?");
}

static void widen(int *width, const char *text)
{
	int len = strlen(text);

	if (len > *width)
		*width = len;
}

static void find_widths(struct zones_view *z, struct widths *w)
{
	char buf[UNITS_BYTES];

	*w = (struct widths){ .name = 4, .type = 11 };
	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone_free *f = &z->now[i].free;

		widen(&w->name, z->zones.zones[i].name);
		for (unsigned int o = 0; z->now[i].has_free && o < f->orders; o++) {
			snprintf(buf, sizeof(buf), "%u", o);
			widen(&w->order[o], buf);
			for (unsigned int t = 0; t <= f->types; t++) {
				cell_of(f, t, o, buf);
				widen(&w->order[o], buf);
			}
		}
	}
}

static void put_line(struct zones_view *z, const struct widths *w, const struct zone_now *now,
		     unsigned int type)
{
	const struct zone_free *f = &now->free;
	struct sink *out = z->v->out;
	uint64_t blocks, pages = 0;
	bool known = true;
	char n[UNITS_BYTES];

	sink_printf(out, "%4u  %-*s  %-*s", now->zone->node, w->name, now->zone->name, w->type,
		    type < f->types ? zone_type_name(z, type) : "nr_free");
	for (unsigned int o = 0; o < f->orders; o++) {
		cell_of(f, type, o, n);
		sink_printf(out, " %*s", w->order[o], n);
		if (blocks_of(f, type, o, &blocks))
			pages += blocks << o;
		else
			known = false;
	}
	sink_printf(out, "  %7s\n", known ? COUNT_TEXT(pages) : "?");
}

static void put_header(struct zones_view *z, const struct widths *w, unsigned int orders)
{
	struct sink *out = z->v->out;

	sink_printf(out, "\nfree blocks by order:\n%4s  %-*s  %-*s", "NODE", w->name, "ZONE",
		    w->type, "MIGRATETYPE");
	for (unsigned int o = 0; o < orders; o++)
		sink_printf(out, " %*u", w->order[o], o);
	sink_printf(out, "  %7s\n", "PAGES");
}

/* FREE lacks the changes of the counter that CPUs had not added to it yet (vm_stat_diff). */
static void put_difference(struct zones_view *z, const struct zone_now *now)
{
	uint64_t pages;
	int64_t n;

	if (!zone_free_pages(&now->free, &pages) || !now->has_shown ||
	    counter_read(&now->shown, "nr_free_pages", &n) != ST_OK || n < 0 ||
	    (uint64_t)n == pages)
		return;
	sink_printf(
		z->v->out,
		"node %u %s: free blocks have %s pages; FREE %s is the counter that the allocator "
		"checks, without what CPUs had not added to it yet\n",
		now->zone->node, now->zone->name, COUNT_TEXT(pages), COUNT_TEXT(n));
}

static void put_text(struct zones_view *z)
{
	bool has_header = false;
	struct widths w;

	find_widths(z, &w);
	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone_now *now = &z->now[i];
		const struct zone_free *f = &now->free;

		if (!now->has_free)
			continue;
		if (!has_header)
			put_header(z, &w, f->orders);
		has_header = true;
		for (unsigned int t = 0; t < f->types; t++)
			if (has_blocks(f, t))
				put_line(z, &w, now, t);
		if (!is_as_counted(f))
			put_line(z, &w, now, f->types);
	}
	for (size_t i = 0; i < z->zones.n; i++)
		if (z->now[i].has_free)
			put_difference(z, &z->now[i]);
}

void zone_blocks_put(struct zones_view *z)
{
	if (!z->v->in->opts.json)
		put_text(z);
	for (size_t i = 0; z->v->in->opts.json && i < z->zones.n; i++)
		if (z->now[i].has_free)
			put_records(z, &z->now[i]);
}
