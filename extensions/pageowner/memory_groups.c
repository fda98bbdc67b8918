// SPDX-License-Identifier: GPL-2.0-or-later
/* memowner classes -g node,zone: every page of System RAM by its class, node and zone. */
#include "class_counters.h"
#include "memory.h"

enum { GROUP_NODE, GROUP_ZONE };

static const struct key keys[] = {
	[GROUP_NODE] = { COLUMN_node, "NUMA node", KEY_GROUPS },
	[GROUP_ZONE] = { COLUMN_zone, "memory zone", KEY_GROUPS },
};

/* Compared byte by byte up to pages: no padding. */
struct group {
	const char *zone;
	uint64_t node; /* UINT64_MAX: unknown, or no key */
	uint64_t class;
	uint64_t pages;
};

#define NO_PAGE PAGE_CLASSES /* its struct page is not in this dump */

struct groups {
	struct owner_view *v;
	struct scan_stats cov;
	struct hash_bytes pages; /* of struct group, by its members before pages */
	struct memory_gaps gaps;
	uint64_t sum;
	bool by_node, by_zone;
};

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct groups *g = arg;
	const struct zone *zone = zones_find(&g->v->zones, page->pfn);
	struct group key = { .node = UINT64_MAX, .class = NO_PAGE }, *group;
	enum page_class class;
	struct page_info info;

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
	group = hash_bytes_get(&g->pages, &key, offsetof(struct group, pages), NULL)->value;
	key.pages = group->pages + 1;
	*group = key;
	g->sum++;
	return ST_OK;
}

static const char *class_name(uint64_t class)
{
	if (class == NO_PAGE)
		return "unreadable";
	return class == CLASS_UNKNOWN ? "unknown" : page_class_names[class];
}

#define ROW struct group

CELL_FROM(node_cell, ROW, cell_if(r->node != UINT64_MAX, cell_uint(r->node)))
CELL_WITH(ram_cell, ROW, const struct owner_view,
	  cell_if(class_has_share(r->class, &v->owner.ram),
		  cell_uint(units_tenths(r->pages, ram_base(&v->owner.ram)))))
CELL_FROM(class_cell, ROW, cell_text(class_name(r->class)))

static const struct view_column columns[] = {
	{ COLUMN_node, 0, "with -g; null: none, or more than one zone spans the pages",
	  CELL_BY(node_cell) },
	{ COLUMN_zone, 0, "with -g; null: as with node", TEXT_OF(ROW, zone) },
	{ COLUMN_class, IN_BOTH | KNOWN, .choices = page_class_row_names + 1,
	  .elsewhere = PAGE_CACHE_HINT, CELL_BY(class_cell) },
	{ COLUMN_pages, IN_BOTH | KNOWN, UINT_OF(ROW, pages) },
	{ COLUMN_bytes, IN_BOTH | KNOWN, PAGES_OF(ROW, pages) },
	{ COLUMN_ram_percent, IN_TEXT, CELL_BY(ram_cell) },
	BASIS(derived),
};

/* The keys stand before the sums. */
static void prepare(struct cmdline *in)
{
	struct table *t = &in->table, sums = *t;

	t->nselected = 0;
	cmdline_show_keys(in);
	for (size_t i = 0; i < sums.nselected; i++)
		table_show_at(t, sums.selected[i]);
}

static enum status show(void *arg)
{
	struct owner_view *v = arg;
	struct groups g = { .v = v, .cov.ram_pages = v->owner.ram.pages };
	enum status st;

	if (!memory_has_classes(v))
		return ST_OK;
	for (size_t i = 0; i < v->in->ngroups; i++) {
		g.by_node |= v->in->groups[i] == GROUP_NODE;
		g.by_zone |= v->in->groups[i] == GROUP_ZONE;
	}
	v->in->table.whole = ram_base(&v->owner.ram);
	hash_bytes_init(&g.pages, v->dump->arena, sizeof(struct group));
	st = memory_scan(v, &g.cov, add_page, &g);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	for (struct hash_bytes_entry *e = g.pages.first; e; e = e->next)
		row_add(&v->in->table, e->value, v);
	rows_sort(v->in);
	rows_put(&v->report, v->in);
	report_rest_bytes(&v->report, &v->in->table, &v->in->opts, v->report.rows_shown,
			  table_index(&v->in->table, COLUMN_bytes), "row", "rows");
	if (!v->zones.n)
		report_warn(&v->report, "nodes and zones are unknown");
	memory_end(v, &g.cov, st, &g.gaps, g.sum, NULL);
	return ST_OK;
}

const struct view owner_memory_groups_view = {
	"classes_groups",      "-m -g node",
	COLUMNS_OF(columns),   KEYS_OF(keys),
	.command = "memowner", .prepare = prepare,
	.sorted_by = "pages",  .open = memory_open_classes,
	.show = show,	       .filters_rows = true,
};
