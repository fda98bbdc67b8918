// SPDX-License-Identifier: GPL-2.0-or-later
/* Pageblocks of each zone by migrate type, and what is in them. */
#include "fragmentation.h"

enum {
	COL_NODE,
	COL_ZONE,
	COL_TYPE,
	COL_PAGEBLOCKS,
	COL_MIXED,
	COL_LOST,
	COL_UNKNOWN_BLOCKS,
	COL_LOST_ORDER,
	COL_LISTED,
	COL_PCP,
	COL_MOVABLE,
	COL_RECLAIMABLE,
	COL_UNMOVABLE,
	COL_UNKNOWN,
	COLUMNS
};

static const struct view_column columns[COLUMNS] = {
	[COL_NODE] = { COLUMN_node, IN_BOTH, "null: none, or more than one zone spans the pages" },
	[COL_ZONE] = { COLUMN_zone, IN_BOTH, "null: as with node" },
	[COL_TYPE] = { COLUMN_block_migratetype, IN_BOTH },
	[COL_PAGEBLOCKS] = { COLUMN_pageblocks, IN_BOTH },
	[COL_MIXED] = { COLUMN_mixed_blocks, IN_BOTH,
			"null: without page_owner, or a record is not in the dump" },
	[COL_LOST] = { COLUMN_lost_blocks, IN_BOTH | KNOWN },
	[COL_UNKNOWN_BLOCKS] = { COLUMN_unknown_blocks, IN_JSON | KNOWN,
				 "pageblocks; not among lost_blocks" },
	[COL_LOST_ORDER] = { COLUMN_lost_order_blocks, IN_BOTH | KNOWN },
	[COL_LISTED] = { COLUMN_listed_pages, IN_BOTH | KNOWN },
	[COL_PCP] = { COLUMN_pcp_pages, IN_JSON | KNOWN, "with free pages that are in no list" },
	[COL_MOVABLE] = { COLUMN_movable_pages, IN_BOTH | KNOWN },
	[COL_RECLAIMABLE] = { COLUMN_reclaimable_pages, IN_BOTH | KNOWN },
	[COL_UNMOVABLE] = { COLUMN_unmovable_pages, IN_BOTH | KNOWN },
	[COL_UNKNOWN] = { COLUMN_unknown_pages, IN_JSON | KNOWN },
};

const struct view fragmentation_types_view = { "fragmentation-type", "-b", COLUMNS_OF(columns),
					       .below = &fragmentation_owners_view };

void fragmentation_name_zone(struct cell *cells, const struct zone *zone)
{
	if (!zone)
		return;
	cells[0] = cell_uint(zone->node);
	cells[1] = cell_text(zone->name);
}

static enum status add_row(struct fragmentation *f, struct table *t, const struct zone_blocks *z,
			   unsigned int type)
{
	const struct block_sums *s = &z->types[type];
	struct cell *row = table_add(t);

	if (!row)
		return ST_NOMEM;
	fragmentation_name_zone(&row[COL_NODE], z->zone);
	row[COL_TYPE] = cell_text(type < FREE_AREA_TYPES ? names_migratetype(&f->v->names, type)
							 : NULL);
	row[COL_PAGEBLOCKS] = cell_if(z->zone, cell_uint(s->pageblocks));
	row[COL_MIXED] = cell_if(f->v->has_owner && type < FREE_AREA_TYPES && !s->perhaps_mixed,
				 cell_uint(s->mixed));
	row[COL_LOST] = cell_uint(s->lost);
	row[COL_UNKNOWN_BLOCKS] = cell_uint(s->unknown);
	row[COL_LOST_ORDER] = cell_uint(s->lost_order);
	row[COL_LISTED] = cell_uint(s->pages[MOBILITY_FREE]);
	row[COL_PCP] = cell_uint(s->pages[MOBILITY_PCP]);
	row[COL_MOVABLE] = cell_uint(s->pages[MOBILITY_MOVABLE]);
	row[COL_RECLAIMABLE] = cell_uint(s->pages[MOBILITY_RECLAIMABLE]);
	row[COL_UNMOVABLE] = cell_uint(s->pages[MOBILITY_UNMOVABLE]);
	row[COL_UNKNOWN] = cell_uint(s->pages[MOBILITY_UNKNOWN]);
	return ST_OK;
}

enum status fragmentation_types_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	uint64_t unknown = 0;
	struct table t;
	enum status st = table_init(&t, v->dump, columns, COLUMNS, v->in->opts.json);

	for (size_t i = 0; st == ST_OK && i < f->nzones; i++)
		for (unsigned int type = 0; st == ST_OK && type < BLOCK_TYPES; type++) {
			const struct block_sums *s = &f->zones[i].types[type];

			if (!s->is_seen)
				continue;
			unknown += s->pages[MOBILITY_UNKNOWN];
			st = add_row(f, &t, &f->zones[i], type);
		}
	if (st != ST_OK)
		return st;
	if (v->in->opts.json) {
		for (size_t i = 0; i < t.n; i++)
			table_json_record(&t, v->out, "type", t.rows[i]);
		return ST_OK;
	}
	if (unknown) {
		table_show(&t, COL_UNKNOWN);
		table_show(&t, COL_UNKNOWN_BLOCKS);
	}
	if (!v->has_owner)
		table_hide(&t, COL_MIXED);
	sink_printf(v->out, "\npageblocks (order %u) and pages by migrate type:\n",
		    v->blocks.order);
	table_text(&t, v->out, t.n);
	return ST_OK;
}
