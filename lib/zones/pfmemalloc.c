// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/pfmemalloc.h"

#include "kernel/list.h"
#include "zones/zones.h"

struct layout {
	struct structure node;
	struct field wait, head, entry, private;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layout, node, "struct pglist_data"),
	READS(struct pfmemalloc_node, node, REQUIRED, "all", "node_id"),
	READS(struct pfmemalloc_node, kswapd, REQUIRED, "all", "kswapd"),
	FINDS(struct layout, wait, "struct pglist_data", REQUIRED, "all", "pfmemalloc_wait"),
	FINDS(struct layout, head, "struct wait_queue_head", REQUIRED, "4.13", "head"),
	FINDS(struct layout, entry, "struct wait_queue_entry", REQUIRED, "4.13", "entry"),
	FINDS(struct layout, private, "struct wait_queue_entry", REQUIRED, "all", "private"),
};

enum status pfmemalloc_walk(struct dump *d,
			    void (*visit)(void *arg, const struct pfmemalloc_node *node,
					  uint64_t task),
			    void *arg)
{
	struct layout l;
	struct nodes nodes;
	enum status st = STRUCTS_OPEN(d, rows, &l) ?: nodes_open(d, &nodes);

	for (size_t i = 0; st == ST_OK && i < nodes.n; i++) {
		const uint64_t head = nodes.pgdat[i] + l.wait.offset + l.head.offset;
		struct list_nodes queue = list_of(d, head, "tasks that wait for kswapd");
		struct pfmemalloc_node node;
		uint64_t at, task;

		st = struct_read(&l.node, nodes.pgdat[i], &node);
		while (st == ST_OK && list_next(&queue, &at)) {
			st = dump_u64(d, at - l.entry.offset + l.private.offset, &task,
				      "wait_queue_entry");
			if (st == ST_OK)
				visit(arg, &node, task);
		}
		st = st ?: list_end(&queue);
	}
	return st;
}
