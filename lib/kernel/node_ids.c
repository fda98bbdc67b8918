// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/node_ids.h"

#define MAX_NODES 1024 /* CONFIG_NODES_SHIFT goes to 10 */

enum status node_ids_read(struct dump *d, uint64_t *ret)
{
	uint64_t n;
	enum status st;

	*ret = 1;
	/* With more than one node both are variables (include/linux/nodemask.h, mmzone.h). */
	if (!dump_has_symbol(d, "nr_node_ids") && !dump_has_symbol(d, "node_data"))
		return ST_OK;
	st = dump_value(d, "nr_node_ids", &n);
	if (st == ST_OK && (!n || n > MAX_NODES))
		st = dump_fail(d, ST_CORRUPT, "nr_node_ids is %lu", n);
	if (st == ST_OK)
		*ret = n;
	return st;
}
