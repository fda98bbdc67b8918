// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/reclaim.h"

#include "dump/layout.h"
#include "zones/zones.h"

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

static const struct layout_row rows[RECLAIM_FIELDS] = {
	[RECLAIM_ID] = MEMBER("struct pglist_data", REQUIRED, "all", "node_id"),
	/* An int in 6.12; an atomic_t, a structure of one, in 7.3. */
	[RECLAIM_FAILURES] = MEMBER("struct pglist_data", REQUIRED, "4.12", "kswapd_failures"),
	[RECLAIM_ORDER] = MEMBER("struct pglist_data", REQUIRED, "4.8", "kswapd_order"),
	[RECLAIM_COMPACT_ORDER] = MEMBER("struct pglist_data", OPTIONAL, "CONFIG_COMPACTION",
					 "kcompactd_max_order"),
};

struct reader {
	struct dump *dump;
	struct field f[RECLAIM_FIELDS];
	struct node_reclaims *ret;
};

static enum status read_node(void *arg, uint64_t pgdat)
{
	struct reader *r = arg;
	struct dump *d = r->dump;
	struct node_reclaim *n = &r->ret->nodes[r->ret->n];
	const struct field *f = r->f;
	enum status st = dump_u32(d, pgdat + f[RECLAIM_ID].offset, &n->node, "node_id");

	n->pgdat = pgdat;
	n->has_compact = f[RECLAIM_COMPACT_ORDER].present;
	if (r->ret->n == MAX_NODES)
		return dump_fail(d, ST_CORRUPT, "more than %d nodes", MAX_NODES);
	st = st ?: dump_u32(d, pgdat + f[RECLAIM_FAILURES].offset, &n->failures,
			     "kswapd_failures") ?:
			dump_u32(d, pgdat + f[RECLAIM_ORDER].offset, &n->kswapd_order,
				 "kswapd_order");
	if (st == ST_OK && n->has_compact)
		st = dump_u32(d, pgdat + f[RECLAIM_COMPACT_ORDER].offset, &n->compact_order,
			      "kcompactd_max_order");
	r->ret->n += st == ST_OK;
	return st;
}

enum status reclaim_open(struct dump *d, struct node_reclaims *ret)
{
	struct node_reclaims nodes = { 0 };
	struct reader r = { .dump = d, .ret = &nodes };
	enum status st = layout_resolve(d, rows, RECLAIM_FIELDS, r.f);

	if (st != ST_OK)
		return st;
	nodes.nodes = dump_alloc(d, (MAX_NODES + 1) * sizeof(*nodes.nodes));
	st = nodes_walk(d, read_node, &r);
	if (st == ST_OK)
		*ret = nodes;
	return st;
}

enum status swap_totals_read(struct dump *d, struct swap_totals *ret)
{
	struct swap_totals s = { 0 };
	uint64_t at, free = 0;
	enum status st = dump_has_both(d, "nr_swap_pages", "struct swap_info_struct");

	if (st == ST_ABSENT)
		dump_fail(d, st, "this kernel was built without swap");
	st = st ?: dump_symbol(d, "nr_swap_pages", &at) ?:
			dump_u64(d, at, &free, "nr_swap_pages") ?:
			dump_symbol(d, "total_swap_pages", &at) ?:
			dump_u64(d, at, &s.total, "total_swap_pages");
	/* swapoff() subtracts the pages of its area before it brings those in use back. */
	s.free = (int64_t)free;
	if (st == ST_OK && s.free > 0 && free > s.total)
		st = dump_fail(d, ST_CORRUPT, "%lu pages of swap are free, of %lu", free, s.total);
	if (st == ST_OK)
		*ret = s;
	return st;
}
