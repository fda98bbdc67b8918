// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/pfmemalloc.h"

#include "kernel/wait_queue.h"
#include "zones/zones.h"

struct layout {
	struct structure node;
	struct field wait;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layout, node, "struct pglist_data"),
	READS(struct pfmemalloc_node, node, REQUIRED, "all", "node_id"),
	READS(struct pfmemalloc_node, kswapd, REQUIRED, "all", "kswapd"),
	FINDS(struct layout, wait, "struct pglist_data", REQUIRED, "all", "pfmemalloc_wait"),
};

enum status pfmemalloc_walk(struct dump *d,
			    void (*visit)(void *arg, const struct pfmemalloc_node *node,
					  uint64_t task),
			    void *arg)
{
	struct layout l;
	struct wait_queues queues;
	struct nodes nodes;
	enum status st = STRUCTS_OPEN(d, rows, &l) ?: wait_queues_open(d, &queues) ?:
		nodes_open(d, &nodes);

	for (size_t i = 0; st == ST_OK && i < nodes.n; i++) {
		struct list_nodes queue = wait_queue_of(&queues, nodes.pgdat[i] + l.wait.offset,
							"tasks that wait for kswapd");
		struct pfmemalloc_node node;
		uint64_t entry, task;

		st = struct_read(&l.node, nodes.pgdat[i], &node);
		while (st == ST_OK && wait_queue_next(&queues, &queue, &entry)) {
			st = wait_entry_task(&queues, entry, &task);
			if (st == ST_OK)
				visit(arg, &node, task);
		}
		st = st ?: list_end(&queue);
	}
	return st;
}
