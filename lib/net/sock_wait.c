// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock_wait.h"

#include "kernel/list.h"

static const struct layout_row rows[] = {
	FINDS(struct sock_waits, queue, "struct sock", REQUIRED, "all", "sk_wq"),
	FINDS(struct sock_waits, wait, "struct socket_wq", REQUIRED, "all", "wait"),
	FINDS(struct sock_waits, head, "struct wait_queue_head", REQUIRED, "4.13", "head"),
	FINDS(struct sock_waits, entry, "struct wait_queue_entry", REQUIRED, "4.13", "entry"),
	FINDS(struct sock_waits, private, "struct wait_queue_entry", REQUIRED, "all", "private"),
};

enum status sock_waits_open(struct dump *d, struct sock_waits *ret)
{
	struct sock_waits w = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, rows, &w), ret, w);
}

enum status sock_wait_find(const struct sock_waits *w, uint64_t sock, uint64_t task, uint64_t base,
			   uint64_t size)
{
	struct dump *d = w->dump;
	uint64_t queue, node, of;
	enum status st = dump_u64(d, sock + w->queue.offset, &queue, "struct sock");
	struct list_nodes entries;

	if (st != ST_OK)
		return st;
	if (!queue)
		return dump_fail(d, ST_ABSENT, "the socket has no queue");
	entries = list_of(d, queue + w->wait.offset + w->head.offset,
			  "tasks that wait for a socket");
	while (list_next(&entries, &node)) {
		const uint64_t entry = node - w->entry.offset;

		if (entry - base >= size)
			continue;
		st = dump_u64(d, entry + w->private.offset, &of, "wait_queue_entry");
		if (st != ST_OK || of == task)
			return st;
	}
	return list_end(&entries) ?: dump_fail(d, ST_ABSENT, "the task does not wait for it");
}
