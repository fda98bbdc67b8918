// SPDX-License-Identifier: GPL-2.0-or-later
/* Free blocks on the lists of CPUs, which the watermarks do not count, by order and migrate type. */
#include "zones.h"

/* Blocks of an order on the lists of all CPUs. */
struct pcp_row {
	const struct zone *zone;
	const char *type; /* NULL: of huge pages */
	unsigned int order;
	struct maybe_u64 blocks, pages;
};

#define ROW struct pcp_row

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH | KNOWN, VIA(UINT, ROW, zone, node) },
	{ COLUMN_zone, IN_BOTH | KNOWN, VIA(TEXT, ROW, zone, name) },
	{ COLUMN_migratetype, IN_BOTH, "of the list; null: of huge pages, one list has several",
	  TEXT_OF(ROW, type) },
	{ COLUMN_order, IN_BOTH | KNOWN, "of the blocks", UINT_OF(ROW, order) },
	{ COLUMN_blocks, IN_BOTH, "on the lists of all CPUs", UINT_MAYBE(ROW, blocks) },
	{ COLUMN_pages, IN_BOTH, UINT_MAYBE(ROW, pages) },
	BASIS(derived),
};

const struct view zone_pcp_view = { "zones-pcp", "-z", COLUMNS_OF(columns),
				    .below = &zone_nodes_view };

const char *zone_type_name(const struct zones_view *z, unsigned int type)
{
	static const char *const numbers[FREE_AREA_TYPES] = { "0",  "1",  "2",	"3", "4",  "5",
							      "6",  "7",  "8",	"9", "10", "11",
							      "12", "13", "14", "15" };

	return names_migratetype(&z->names, type) ?: numbers[type];
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

	if (pcp_lists_walk(&z->pcp, now->zone->address, count, blocks) != ST_OK) {
		report_warn(&z->v->report, "node %u %s: not all lists of CPUs are known: %s",
			    now->zone->node, now->zone->name, d->error);
		return;
	}
	now->pcp_blocks = blocks;
}

/* "node 0 DMA32: blocks on lists of CPUs: 239 Unmovable of order 0, 479 Movable of order 0" */
static void put_row(struct sink *out, const struct pcp_row *row, bool is_first)
{
	if (is_first)
		sink_printf(out, "node %u %s: blocks on lists of CPUs:", row->zone->node,
			    row->zone->name);
	sink_printf(out, "%s %lu %s of order %u", is_first ? "" : ",", row->blocks.n,
		    row->type ? row->type : "huge pages", row->order);
}

/* Lists of huge pages have one order: they are one row. Text has those with blocks. */
static void put_zone(struct zones_view *z, const struct zone_now *now)
{
	const struct pcp_lists *p = &z->pcp;
	bool json = z->v->in->opts.json, known = now->pcp_blocks;
	bool has_row = false;
	uint64_t blocks = 0;

	for (unsigned int i = 0; i < p->n; i++) {
		unsigned int order = pcp_list_order(p, i);
		int type = pcp_list_type(p, i);

		blocks = (type < 0 ? blocks : 0) + (known ? now->pcp_blocks[i] : 0);
		if (type < 0 && i + 1 < p->n)
			continue;
		const struct pcp_row row = { now->zone,
					     type < 0 ? NULL : zone_type_name(z, type),
					     order,
					     { blocks, known },
					     { blocks << order, known } };

		if (json)
			rows_put_record(&z->v->report, &zone_pcp_view, &row, z);
		else if (blocks) {
			put_row(z->v->out, &row, !has_row);
			has_row = true;
		}
	}
	sink_text(z->v->out, has_row ? "\n" : "");
}

void zone_pcp_put(struct zones_view *z)
{
	for (size_t i = 0; z->has_pcp && i < z->zones.n; i++)
		put_zone(z, &z->now[i]);
}
