// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock_wait.h"

static const struct layout_row rows[] = {
	FINDS(struct sock_waits, queue, "struct sock", REQUIRED, "all", "sk_wq"),
	FINDS(struct sock_waits, wait, "struct socket_wq", REQUIRED, "all", "wait"),
	FINDS(struct sock_waits, senders, "struct unix_sock", OPTIONAL, "all", "peer_wq.wait"),
};

enum status sock_waits_open(struct dump *d, struct sock_waits *ret)
{
	struct sock_waits w = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, rows, &w) ?: wait_queues_open(d, &w.queues), ret, w);
}

enum status sock_wait_find(const struct sock_waits *w, uint64_t sock, uint64_t task, uint64_t base,
			   uint64_t size)
{
	struct dump *d = w->dump;
	uint64_t queue, entry, of;
	enum status st = dump_u64(d, sock + w->queue.offset, &queue, "struct sock");
	struct list_nodes entries;

	if (st != ST_OK)
		return st;
	if (!queue)
		return dump_absent(d, "the socket has no queue");
	entries = wait_queue_of(&w->queues, queue + w->wait.offset, "tasks that wait for a socket");
	while (wait_queue_next(&w->queues, &entries, &entry)) {
		if (entry - base >= size)
			continue;
		st = wait_entry_task(&w->queues, entry, &of);
		if (st != ST_OK || of == task)
			return st;
	}
	return list_end(&entries) ?: dump_absent(d, "the task does not wait for it");
}

enum status sock_senders_walk(const struct sock_waits *w, uint64_t sock,
			      void (*fn)(void *arg, uint64_t task), void *arg)
{
	struct list_nodes entries;
	struct first_problem problem = { 0 };
	uint64_t entry, task;

	if (!w->senders.present)
		return dump_absent(w->dump, "struct unix_sock has no peer_wq");
	entries = wait_queue_of(&w->queues, sock + w->senders.offset,
				"tasks that send to a socket");
	while (wait_queue_next(&w->queues, &entries, &entry))
		if (first_problem_keep(w->dump, &problem,
				       wait_entry_task(&w->queues, entry, &task)) == ST_OK)
			fn(arg, task);
	return list_end(&entries) ?: first_problem_end(w->dump, &problem);
}
