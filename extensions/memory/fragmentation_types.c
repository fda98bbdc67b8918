// SPDX-License-Identifier: GPL-2.0-or-later
/* Pageblocks of each zone by migrate type, and what is in them. */
#include "fragmentation.h"

struct type_row {
	struct zone_name zone;
	const char *type;
	struct block_sums sums;
	bool has_mixed;
	struct maybe_u64 lost, lost_order, pages[MOBILITIES];
};

#define ROW struct type_row
#define PAGES(MOBILITY) UINT_MAYBE(ROW, pages[MOBILITY])

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH, "null: none, or more than one zone spans the pages",
	  UINT_IF(ROW, zone.node, zone.known) },
	{ COLUMN_zone, IN_BOTH, "null: as with node", TEXT_OF(ROW, zone.name) },
	{ COLUMN_block_migratetype, IN_BOTH, TEXT_OF(ROW, type) },
	{ COLUMN_pageblocks, IN_BOTH, UINT_IF(ROW, sums.pageblocks, zone.known) },
	{ COLUMN_mixed_blocks, IN_BOTH, "null: without page_owner, or a record is not in the dump",
	  UINT_IF(ROW, sums.mixed, has_mixed) },
	{ COLUMN_lost_blocks, IN_BOTH, "null: none is known to be, and blocks are unknown",
	  UINT_MAYBE(ROW, lost) },
	{ COLUMN_unknown_blocks, IN_JSON | KNOWN, "pageblocks; not among lost_blocks",
	  UINT_OF(ROW, sums.unknown) },
	{ COLUMN_lost_order_blocks, IN_BOTH, UINT_MAYBE(ROW, lost_order) },
	{ COLUMN_listed_pages, IN_BOTH, PAGES(MOBILITY_FREE) },
	{ COLUMN_pcp_pages, IN_JSON, "with free pages that are in no list", PAGES(MOBILITY_PCP) },
	{ COLUMN_movable_pages, IN_BOTH, PAGES(MOBILITY_MOVABLE) },
	{ COLUMN_reclaimable_pages, IN_BOTH, PAGES(MOBILITY_RECLAIMABLE) },
	{ COLUMN_unmovable_pages, IN_BOTH, PAGES(MOBILITY_UNMOVABLE) },
	{ COLUMN_unknown_pages, IN_JSON | KNOWN, UINT_OF(ROW, sums.pages[MOBILITY_UNKNOWN]) },
	BASIS(derived),
};

const struct view fragmentation_types_view = { "fragmentation-type", "-b", COLUMNS_OF(columns),
					       .below = &fragmentation_owners_view };

static void add_row(struct fragmentation *f, struct table *t, const struct zone_blocks *z,
		    unsigned int type)
{
	bool known = type < FREE_AREA_TYPES;
	const struct block_sums *s = &z->types[type];
	struct type_row row = {
		.zone = zone_name_of(z->zone),
		.type = known ? names_migratetype(&f->v->names, type) : NULL,
		.sums = *s,
		.has_mixed = f->v->has_owner && known && !s->perhaps_mixed,
		.lost = count_among(s->lost, s->unknown),
		.lost_order = count_among(s->lost_order, s->unknown_order),
	};

	for (unsigned int i = 0; i < MOBILITIES; i++)
		row.pages[i] = count_among(s->pages[i], s->pages[MOBILITY_UNKNOWN]);
	row_add(t, &row, f);
}

void fragmentation_types_put(struct fragmentation *f)
{
	struct owner_view *v = f->v;
	uint64_t unknown = 0;
	char title[96];
	struct table t;

	table_init(&t, v->dump, COLUMNS(columns), v->in->opts.json);
	for (size_t i = 0; i < f->nzones; i++)
		for (unsigned int type = 0; type < BLOCK_TYPES; type++) {
			const struct block_sums *s = &f->zones[i].types[type];

			if (!s->is_seen || !fragmentation_has_zone(f, &f->zones[i]))
				continue;
			unknown += s->pages[MOBILITY_UNKNOWN];
			add_row(f, &t, &f->zones[i], type);
		}
	if (unknown && !v->in->opts.json) {
		table_show(&t, COLUMN_unknown_pages);
		table_show(&t, COLUMN_unknown_blocks);
	}
	if (!v->has_owner && !v->in->opts.json)
		table_hide(&t, COLUMN_mixed_blocks);
	snprintf(title, sizeof(title), "\npageblocks (order %u) and pages by migrate type:\n",
		 v->blocks.order);
	rows_put_table(&v->report, v->in, &fragmentation_types_view, &t, title);
}
