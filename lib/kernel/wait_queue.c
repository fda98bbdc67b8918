// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/wait_queue.h"

#include "dump/structure.h"

static const struct layout_row rows[] = {
	FINDS(struct wait_queues, head, "struct wait_queue_head", REQUIRED, "4.13", "head"),
	FINDS(struct wait_queues, entry, "struct wait_queue_entry", REQUIRED, "4.13", "entry"),
	FINDS(struct wait_queues, private, "struct wait_queue_entry", REQUIRED, "all", "private"),
};

enum status wait_queues_open(struct dump *d, struct wait_queues *ret)
{
	struct wait_queues w = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, rows, &w), ret, w);
}

struct list_nodes wait_queue_of(const struct wait_queues *w, uint64_t queue, const char *what)
{
	return list_of(w->dump, queue + w->head.offset, what);
}

bool wait_queue_next(const struct wait_queues *w, struct list_nodes *l, uint64_t *entry)
{
	uint64_t node;

	if (!list_next(l, &node))
		return false;
	*entry = node - w->entry.offset;
	return true;
}

enum status wait_entry_task(const struct wait_queues *w, uint64_t entry, uint64_t *task)
{
	return dump_u64(w->dump, entry + w->private.offset, task, "wait_queue_entry");
}
