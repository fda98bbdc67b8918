// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/reclaim.h"

#include "zones/zones.h"

struct reader {
	struct structure node;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct reader, node, "struct pglist_data"),
	READS(struct node_reclaim, node, REQUIRED, "all", "node_id"),
	/* An int in 6.12; an atomic_t, a structure of one, in 7.3. */
	READS(struct node_reclaim, failures, REQUIRED, "4.12", "kswapd_failures"),
	READS(struct node_reclaim, kswapd_order, REQUIRED, "4.8", "kswapd_order"),
	READS_IF(struct node_reclaim, compact_order, has_compact, OPTIONAL, "CONFIG_COMPACTION",
		 "kcompactd_max_order"),
};

enum status reclaim_open(struct dump *d, struct node_reclaims *ret)
{
	struct node_reclaims all = { 0 };
	struct reader r;
	struct nodes nodes;
	enum status st = STRUCTS_OPEN(d, rows, &r) ?: nodes_open(d, &nodes);

	if (st != ST_OK)
		return st;
	all.nodes = dump_alloc(d, nodes.n * sizeof(*all.nodes));
	for (; st == ST_OK && all.n < nodes.n; all.n++) {
		all.nodes[all.n].pgdat = nodes.pgdat[all.n];
		st = struct_read(&r.node, nodes.pgdat[all.n], &all.nodes[all.n]);
	}
	return RESULT(st, ret, all);
}

enum status swap_totals_read(struct dump *d, struct swap_totals *ret)
{
	struct swap_totals s = { 0 };
	uint64_t free = 0;
	/* do_swap_page() names struct swap_info_struct without CONFIG_SWAP, too. */
	enum status st = dump_has_both(d, "nr_swap_pages", "union swap_header");

	if (st == ST_ABSENT)
		dump_fail(d, st, "this kernel was built without swap");
	st = st ?: dump_symbol_u64(d, "nr_swap_pages", &free) ?:
			dump_symbol_u64(d, "total_swap_pages", &s.total);
	/* swapoff() subtracts the pages of its area before it brings those in use back. */
	s.free = (int64_t)free;
	if (st == ST_OK && (s.total > INT64_MAX || (s.free > 0 && free > s.total)))
		st = dump_corrupt(d, "%ld pages of swap are free, of %ld", s.free,
				  (int64_t)s.total);
	return RESULT(st, ret, s);
}
