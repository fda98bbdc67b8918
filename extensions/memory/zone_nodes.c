// SPDX-License-Identifier: GPL-2.0-or-later
/* Reclaim and compaction of each node, and swap: why free pages did not become more. */
#include "zones.h"

#include "collect/vm_settings.h"

struct node_row {
	struct node_reclaim node;
	struct counters counters; /* of the node, if known */
	bool known;
	struct maybe_u64 mlocked, swap, swap_free;
	struct mem_available available; /* if has_available */
	bool has_available;
};

#define ROW struct node_row

CELL_FROM(unevictable_cell, ROW, zone_counter_cell(r->known, &r->counters, "nr_unevictable"))
CELL_FROM(dirty_cell, ROW, zone_counter_cell(r->known, &r->counters, "nr_dirty"))
CELL_FROM(writeback_cell, ROW, zone_counter_cell(r->known, &r->counters, "nr_writeback"))

static const struct view_column columns[] = {
	{ COLUMN_node, IN_BOTH | KNOWN, UINT_OF(ROW, node.node) },
	{ COLUMN_kswapd_failures, IN_BOTH | KNOWN, UINT_OF(ROW, node.failures) },
	{ COLUMN_kswapd_order, IN_JSON | KNOWN, UINT_OF(ROW, node.kswapd_order) },
	{ COLUMN_compact_order, IN_BOTH, UINT_IF(ROW, node.compact_order, node.has_compact) },
	{ COLUMN_unevictable_pages, IN_BOTH, CELL_BY(unevictable_cell) },
	{ COLUMN_mlocked_pages, IN_BOTH, UINT_MAYBE(ROW, mlocked) },
	{ COLUMN_dirty_pages, IN_BOTH, CELL_BY(dirty_cell) },
	{ COLUMN_writeback_pages, IN_BOTH, CELL_BY(writeback_cell) },
	{ COLUMN_swap_pages, IN_JSON, "of the whole machine", UINT_MAYBE(ROW, swap) },
	{ COLUMN_swap_free_pages, IN_JSON, "of the whole machine", UINT_MAYBE(ROW, swap_free) },
	{ COLUMN_available_pages, IN_JSON, "of the whole machine",
	  UINT_IF(ROW, available.pages, has_available) },
	{ COLUMN_available_file_pages, IN_JSON, "of the whole machine",
	  UINT_IF(ROW, available.file, has_available) },
	{ COLUMN_available_kernel_pages, IN_JSON, "of the whole machine",
	  UINT_IF(ROW, available.reclaimable, has_available) },
	{ COLUMN_totalreserve_pages, IN_JSON, "of the whole machine",
	  UINT_IF(ROW, available.reserve, has_available) },
	BASIS(derived),
};

const struct view zone_nodes_view = { "zones-node", "-z", COLUMNS_OF(columns),
				      .below = &zone_log_view };

/* Locked pages are counted by zone. */
static struct maybe_u64 mlocked(const struct zones_view *z, uint32_t node)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < z->zones.n; i++) {
		const struct zone_now *now = &z->now[i];
		int64_t n;

		if (now->zone->node != node)
			continue;
		if (!now->has_counted || counter_read(&now->counted, "nr_mlock", &n) != ST_OK)
			return (struct maybe_u64){ 0, false };
		sum += n;
	}
	return (struct maybe_u64){ sum, true };
}

static void add_row(struct zones_view *z, struct table *t, const struct node_reclaim *n,
		    const struct swap_totals *swap, const struct mem_available *available)
{
	struct node_row row = { .node = *n, .mlocked = mlocked(z, n->node) };

	row.has_available = available;
	if (available)
		row.available = *available;

	row.known = z->counters &&
		    counters_of_node(z->counters, n->pgdat, false, &row.counters) == ST_OK;
	if (z->counters && !row.known)
		report_warn(&z->v->report, "node %u: its counters are unknown: %s", n->node,
			    z->v->dump->error);
	z->is_partial |= !row.known;
	if (swap) {
		row.swap = (struct maybe_u64){ swap->total, true };
		row.swap_free = (struct maybe_u64){ swap->free, swap->free >= 0 };
	}
	row_add(t, &row, z);
}

/* "MemAvailable 84.7M: free 60.1M, less totalreserve_pages 12.0M, of page cache 30.2M, of slab 6.4M" */
static void put_available(struct zones_view *z, const struct mem_available *m)
{
	const unsigned int shift = z->v->page_shift;

	sink_printf(
		z->v->out,
		"MemAvailable %s: free %s, less totalreserve_pages %s, and what can be reclaimed, of "
		"page cache %s, of the kernel %s, objects in use included\n",
		SIZE_TEXT(m->pages << shift), SIZE_TEXT(m->free << shift),
		SIZE_TEXT(m->reserve << shift), SIZE_TEXT(m->file << shift),
		SIZE_TEXT(m->reclaimable << shift));
}

/* "node 0: kswapd gave up after 16 runs that reclaimed nothing" */
static void put_text(struct zones_view *z, const struct node_reclaims *nodes, const struct table *t,
		     const struct swap_totals *swap)
{
	struct sink *out = z->v->out;
	char all[UNITS_BYTES];

	sink_text(out, "\nreclaim:\n");
	table_text(t, out, t->n);
	for (size_t i = 0; i < nodes->n; i++)
		if (nodes->nodes[i].failures >= RECLAIM_RETRIES)
			sink_printf(out,
				    "node %u: kswapd stopped: %u runs in a row reclaimed nothing\n",
				    nodes->nodes[i].node, nodes->nodes[i].failures);
	if (!swap)
		return;
	units_size(all, swap->total << z->v->page_shift);
	if (swap->free < 0)
		sink_printf(out, "swap: %s, how much is free is unknown\n", all);
	else if (swap->total)
		sink_printf(
			out, "swap: %s of %s free\n",
			SIZE_TEXT((uint64_t)(swap->free < 0 ? 0 : swap->free) << z->v->page_shift),
			all);
	else
		sink_text(out, "swap: none\n");
}

/* "vm.min_free_kbytes 2,048; not the default: vm.swappiness 10, vm.zone_reclaim_mode 1" */
static void put_settings(struct zones_view *z)
{
	static const char *const deciding[] = {
		"vm.watermark_scale_factor", "vm.watermark_boost_factor",
		"vm.zone_reclaim_mode",	     "vm.swappiness",
		"vm.vfs_cache_pressure",     "vm.extfrag_threshold",
	};
	struct vm_settings all = { 0 };
	const char *least = NULL;
	bool has_changed = false;

	if (vm_settings_collect(z->v->dump, &all) != ST_OK)
		return;
	least = vm_settings_value(&all, "vm.min_free_kbytes");
	sink_printf(z->v->out, "vm.min_free_kbytes %s", least ?: "is unknown");
	for (size_t i = 0; i < all.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(deciding); k++)
			if (all.all[i].changed && !strcmp(all.all[i].name, deciding[k])) {
				sink_printf(z->v->out, "%s%s %s",
					    has_changed ? ", " : "; not the default: ", deciding[k],
					    all.all[i].value);
				has_changed = true;
			}
	sink_text(z->v->out, "; all settings: memowner case -a\n");
}

void zone_nodes_put(struct zones_view *z)
{
	struct owner_view *v = z->v;
	struct dump *d = v->dump;
	struct node_reclaims nodes;
	struct swap_totals totals;
	const struct swap_totals *swap = &totals;
	struct mem_available available;
	bool has_available;
	struct table t;
	enum status st = swap_totals_read(d, &totals);

	if (st == ST_ABSENT)
		totals = (struct swap_totals){ 0, 0 };
	else if (st != ST_OK) {
		swap = NULL;
		report_warn(&v->report, "swap is unknown: %s", d->error);
		z->is_partial = true;
	} else if (totals.free < 0) {
		report_warn(&v->report,
			    "free swap is unknown: nr_swap_pages is %ld, as while swapoff() "
			    "empties an area",
			    totals.free);
		z->is_partial = true;
	}
	st = mem_available_read(d, &available);
	has_available = st == ST_OK;
	if (!has_available)
		report_warn(&v->report, "MemAvailable is unknown: %s", d->error);
	z->is_partial |= !has_available;
	st = reclaim_open(d, &nodes);
	if (st != ST_OK) {
		report_warn(&v->report, "reclaim is unknown: %s", d->error);
		z->is_partial = true;
		return;
	}
	table_init(&t, d, COLUMNS(columns), v->in->opts.json);
	for (size_t i = 0; i < nodes.n; i++)
		add_row(z, &t, &nodes.nodes[i], swap, has_available ? &available : NULL);
	for (size_t i = 0; v->in->opts.json && i < t.n; i++)
		table_json_record(&t, v->out, "node", t.rows[i]);
	if (!v->in->opts.json)
		put_text(z, &nodes, &t, swap);
	if (!v->in->opts.json && has_available)
		put_available(z, &available);
	if (!v->in->opts.json)
		put_settings(z);
}
