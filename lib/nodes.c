// SPDX-License-Identifier: GPL-2.0-or-later
#include "nodes.h"

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

enum status nodes_walk(struct dump *d, enum status (*visit)(void *arg, uint64_t pgdat), void *arg)
{
	struct field var;
	uint64_t addr, pgdat, n;
	enum status st;

	if (!dump_has_symbol(d, "node_data")) {
		st = dump_symbol(d, "contig_page_data", &addr);
		return st == DUMP_OK ? visit(arg, addr) : st;
	}
	st = dump_symbol(d, "node_data", &addr);
	if (st != DUMP_OK)
		return st;
	if (d->ops->variable(d->priv, "node_data", &var) != DUMP_OK || var.kind != KIND_ARRAY)
		return dump_fail(d, DUMP_UNKNOWN, "unknown layout: node_data");
	/* Debug information may have its declaration alone, without a length. */
	n = var.size / 8;
	if (!n && dump_has_symbol(d, "nr_node_ids"))
		st = dump_value(d, "nr_node_ids", &n);
	if (st != DUMP_OK)
		return st;
	if (!n || n > MAX_NODES)
		return dump_fail(d, DUMP_UNKNOWN, "unknown layout: %llu nodes in node_data",
				 (unsigned long long)n);
	for (unsigned int i = 0; st == DUMP_OK && i < n; i++) {
		st = dump_u64(d, addr + i * 8, &pgdat, "node_data");
		if (st == DUMP_OK && pgdat)
			st = visit(arg, pgdat);
	}
	return st;
}
