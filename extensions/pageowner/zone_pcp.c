// SPDX-License-Identifier: GPL-2.0-or-later
/* Free blocks on the lists of CPUs, which the watermarks do not count, by order and migrate type. */
#include "zones.h"

#include <stdio.h>

enum { COL_NODE, COL_ZONE, COL_TYPE, COL_ORDER, COL_BLOCKS, COL_PAGES, COLUMNS };

static const struct view_column columns[COLUMNS] = {
	[COL_NODE] = { COLUMN_node, IN_BOTH | KNOWN },
	[COL_ZONE] = { COLUMN_zone, IN_BOTH | KNOWN },
	[COL_TYPE] = { COLUMN_migratetype, IN_BOTH,
		       "of the list; null: of huge pages, one list has several" },
	[COL_ORDER] = { COLUMN_order, IN_BOTH | KNOWN, "of the blocks" },
	[COL_BLOCKS] = { COLUMN_blocks, IN_BOTH, "on the lists of all CPUs" },
	[COL_PAGES] = { COLUMN_pages, IN_BOTH },
};

const struct view zone_pcp_view = { "zones-pcp", "-z", COLUMNS_OF(columns),
				    .below = &zone_nodes_view };

const char *zone_type_name(const struct zones_view *z, unsigned int type)
{
	static const char *const numbers[FREE_AREA_TYPES] = { "0",  "1",  "2",	"3", "4",  "5",
							      "6",  "7",  "8",	"9", "10", "11",
							      "12", "13", "14", "15" };
	const char *name = names_migratetype(&z->names, type);

	return name ? name : numbers[type];
}

static enum status count(void *arg, const struct pcp_block *b)
{
	uint64_t *blocks = arg;

	blocks[b->list]++;
	return ST_OK;
}

void zone_pcp_read(struct zones_view *z, struct zone_now *now)
{
	struct dump *d = z->v->dump;
	uint64_t *blocks = dump_alloc(d, z->pcp.n * sizeof(*blocks));

	if (!blocks || pcp_lists_walk(&z->pcp, now->zone->address, count, blocks) != ST_OK) {
		report_warn(&z->v->report, "node %u %s: not all lists of CPUs are known: %s",
			    now->zone->node, now->zone->name, d->error);
		return;
	}
	now->pcp_blocks = blocks;
}

/* Lists of huge pages have one order: they are one row. */
static enum status add_rows(struct zones_view *z, const struct zone_now *now, struct table *t,
			    bool all)
{
	const struct pcp_lists *p = &z->pcp;
	uint64_t blocks = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		unsigned int order = pcp_list_order(p, i);
		int type = pcp_list_type(p, i);
		struct cell *row;

		blocks = (type < 0 ? blocks : 0) + (now->pcp_blocks ? now->pcp_blocks[i] : 0);
		if ((type < 0 && i + 1 < p->n) || (!all && !blocks))
			continue;
		row = table_add(t);
		if (!row)
			return ST_NOMEM;
		row[COL_NODE] = cell_uint(now->zone->node);
		row[COL_ZONE] = cell_text(now->zone->name);
		row[COL_TYPE] = cell_text(type < 0 ? NULL : zone_type_name(z, type));
		row[COL_ORDER] = cell_uint(order);
		row[COL_BLOCKS] = cell_if(now->pcp_blocks, cell_uint(blocks));
		row[COL_PAGES] = cell_if(now->pcp_blocks, cell_uint(blocks << order));
	}
	return ST_OK;
}

#define LINE 80

/* "node 0 DMA32: blocks on lists of CPUs: 239 Unmovable of order 0, 479 Movable of order 0" */
static void put_text(struct zones_view *z, const struct table *t)
{
	struct sink *out = z->v->out;
	const struct cell *last = NULL;
	int column = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct cell *row = t->rows[i];
		bool follows = last && last[COL_NODE].u == row[COL_NODE].u &&
			       last[COL_ZONE].text == row[COL_ZONE].text;
		char text[128];
		int len;

		if (!follows) {
			len = snprintf(text, sizeof(text), "node %llu %s: blocks on lists of CPUs:",
				       (unsigned long long)row[COL_NODE].u, row[COL_ZONE].text);
			sink_printf(out, "%s%s", last ? "\n" : "", text);
			column = len;
		}
		len = snprintf(text, sizeof(text), " %llu %s of order %llu",
			       (unsigned long long)row[COL_BLOCKS].u,
			       row[COL_TYPE].kind == CELL_TEXT ? row[COL_TYPE].text : "huge pages",
			       (unsigned long long)row[COL_ORDER].u);
		if (follows)
			sink_text(out, column + len > LINE ? ",\n " : ",");
		column = follows && column + len > LINE ? len : column + len;
		sink_text(out, text);
		last = row;
	}
	sink_text(out, last ? "\n" : "");
}

enum status zone_pcp_put(struct zones_view *z)
{
	bool json = z->v->in->opts.json;
	struct table t;
	enum status st;

	if (!z->has_pcp)
		return ST_OK;
	st = table_init(&t, z->v->dump, columns, COLUMNS, json);
	for (size_t i = 0; st == ST_OK && i < z->zones.n; i++)
		st = add_rows(z, &z->now[i], &t, json);
	for (size_t i = 0; st == ST_OK && json && i < t.n; i++)
		table_json_record(&t, z->v->out, "pcp", t.rows[i]);
	if (st == ST_OK && !json)
		put_text(z, &t);
	return st;
}
