// SPDX-License-Identifier: GPL-2.0-or-later
/* pageowner -m -g node,zone: every page of System RAM by its class, node and zone. */
#include "memory.h"

#include <string.h>

#include "util/units.h"

enum { GROUP_NODE, GROUP_ZONE, GROUPS };

static const struct key keys[GROUPS] = {
	[GROUP_NODE] = { COLUMN_node, "NUMA node", KEY_GROUPS },
	[GROUP_ZONE] = { COLUMN_zone, "memory zone", KEY_GROUPS, .is_text = true },
};

enum { COL_NODE, COL_ZONE, COL_CLASS, COL_PAGES, COL_BYTES, COL_RAM, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_NODE] = { COLUMN_node, 0,
		       "with -g; null: none, or more than one zone spans the pages" },
	[COL_ZONE] = { COLUMN_zone, 0, "with -g; null: as with node" },
	[COL_CLASS] = { COLUMN_class, IN_BOTH | KNOWN },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH | KNOWN },
	[COL_BYTES] = { COLUMN_bytes, IN_BOTH | KNOWN },
	[COL_RAM] = { COLUMN_ram_percent, IN_TEXT | KNOWN },
};

static void prepare(struct cmdline *in)
{
	static const unsigned int rest[] = { COL_CLASS, COL_PAGES, COL_BYTES, COL_RAM };
	struct table *t = &in->table;
	bool shown[COLUMNS];

	for (size_t i = 0; i < COLUMNS; i++)
		shown[i] = table_shows(t, i);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		table_hide(t, rest[i]);
	for (size_t i = 0; i < in->ngroups; i++)
		table_show(t, in->groups[i] == GROUP_NODE ? COL_NODE : COL_ZONE);
	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (shown[rest[i]])
			table_show(t, rest[i]);
}

const struct view owner_memory_groups_view = { "classes",	    "-m -g node",
					       COLUMNS_OF(columns), .prepare = prepare,
					       .keys = keys,	    .nkeys = GROUPS };

/* Compared byte by byte: no padding. */
struct group {
	const char *zone;
	uint64_t node; /* UINT64_MAX: unknown, or no key */
	uint64_t class;
};

#define NO_PAGE PAGE_CLASSES /* its struct page is not in this dump */

struct groups {
	struct owner_view *v;
	struct scan_stats cov;
	struct hash_bytes pages; /* uint64_t by struct group */
	struct memory_gaps gaps;
	uint64_t sum;
	bool by_node, by_zone;
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct groups *g = arg;
	const struct zone *zone = zones_find(&g->v->zones, page->pfn);
	struct group key = { .node = UINT64_MAX, .class = NO_PAGE };
	struct hash_bytes_entry *e;
	enum page_class class;
	struct page_info info;
	bool is_new;

	if (memory_class(g->v, page, &info, &class))
		key.class = class;
	else
		g->gaps.unreadable++;
	g->gaps.unknown += key.class == CLASS_UNKNOWN;
	if (g->by_node && zone)
		key.node = zone->node;
	/* Names of a kernel are one string for each of its zones. */
	for (size_t i = 0; g->by_zone && zone && i < g->v->zones.n && !key.zone; i++)
		if (!strcmp(g->v->zones.zones[i].name, zone->name))
			key.zone = g->v->zones.zones[i].name;
	e = hash_bytes_get(&g->pages, &key, sizeof(key), &is_new);
	if (!e)
		return dump_no_memory(g->v->dump);
	++*(uint64_t *)e->value;
	g->sum++;
	return ST_OK;
}

static const char *class_name(uint64_t class)
{
	if (class == NO_PAGE)
		return "unreadable";
	return class == CLASS_UNKNOWN ? "unknown" : page_class_names[class];
}

static enum status fill_table(struct groups *g)
{
	struct owner_view *v = g->v;
	const struct opts *o = &v->in->opts;
	struct table *t = &v->in->table;

	for (struct hash_bytes_entry *e = g->pages.first; e; e = e->next) {
		struct cell *row = table_add(t);
		uint64_t pages = *(uint64_t *)e->value;
		struct group key;

		if (!row)
			return ST_NOMEM;
		memcpy(&key, e->key, sizeof(key));
		row[COL_NODE] = cell_if(key.node != UINT64_MAX, cell_uint(key.node));
		row[COL_ZONE] = cell_text(key.zone);
		row[COL_CLASS] = cell_text(class_name(key.class));
		row[COL_PAGES] = cell_uint(pages);
		row[COL_BYTES] = cell_uint(pages << v->page_shift);
		row[COL_RAM] = cell_uint(units_tenths(pages, v->owner.ram.pages));
	}
	return table_sort(t, o->sort ? o->sort : "pages", o->reverse);
}

enum status owner_memory_groups(struct owner_view *v)
{
	struct groups g = { .v = v, .cov.ram_pages = v->owner.ram.pages };
	enum status st, filled;
	size_t shown;

	for (size_t i = 0; i < v->in->ngroups; i++) {
		g.by_node |= v->in->groups[i] == GROUP_NODE;
		g.by_zone |= v->in->groups[i] == GROUP_ZONE;
	}
	hash_bytes_init(&g.pages, v->dump->arena, sizeof(uint64_t));
	st = memory_scan(v, &g.cov, add_page, &g);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	filled = fill_table(&g);
	if (filled != ST_OK)
		return filled;
	shown = report_rows(&v->report, &v->in->table, &v->in->opts, 0);
	report_rest(&v->report, v->in->table.n - shown, "row", "rows", NULL);
	if (!v->zones.n)
		report_warn(&v->report, "nodes and zones are unknown");
	memory_end(v, &g.cov, st, &g.gaps, g.sum, NULL);
	return ST_OK;
}
