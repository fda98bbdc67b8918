// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_msg.h"

#include "files/sysv_ipc.h"
#include "kernel/list.h"

#define MAX_QUEUE (1ULL << 40) /* bytes, messages: msgmnb is an int */

struct queue {
	uint64_t data, messages, first, sender, receiver;
	uint32_t key;
	int32_t id;
	bool deleted;
};

/* A thread that waits in msgrcv(). */
struct receiver {
	uint64_t task;
	int64_t type;
};

struct walk {
	struct dump *dump;
	struct structure queue;
	struct field permissions, link;
	struct field receivers, in_list, pid; /* in a msg_queue, msg_receiver, task_struct */
	struct structure receiver;
	struct sysv_pids pids;
	uint64_t header; /* bytes of a struct msg_msg */
	enum status (*visit)(void *arg, const struct sysv_queue *q);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, queue, "struct msg_queue"),
	READS(struct queue, data, REQUIRED, "all", "q_cbytes"),
	READS(struct queue, messages, REQUIRED, "all", "q_qnum"),
	LINKS(struct queue, first, REQUIRED, "all", "q_messages"),
	/* 4.17: ipc/msg: Fix msgctl(..., IPC_STAT, ...) between pid namespaces: a struct pid *, a pid_t before. */
	POINTS(struct queue, sender, OPTIONAL, "4.17", "q_lspid"),
	POINTS(struct queue, receiver, OPTIONAL, "4.17", "q_lrpid"),
	READS(struct queue, key, REQUIRED, "all", "q_perm.key"),
	READS(struct queue, id, REQUIRED, "all", "q_perm.id"),
	READS(struct queue, deleted, REQUIRED, "all", "q_perm.deleted"),
	FINDS(struct walk, permissions, "struct msg_queue", REQUIRED, "all", "q_perm"),
	FINDS(struct walk, link, "struct msg_msg", REQUIRED, "all", "m_list"),
	FINDS(struct walk, receivers, "struct msg_queue", OPTIONAL, "all", "q_receivers"),
	FINDS(struct walk, in_list, "struct msg_receiver", OPTIONAL, "all", "r_list"),
	FINDS(struct walk, pid, "struct task_struct", OPTIONAL, "all", "pid"),
	STRUCTURE(struct walk, receiver, "struct msg_receiver"),
	POINTS(struct receiver, task, OPTIONAL, "all", "r_tsk"),
	READS(struct receiver, type, OPTIONAL, "all", "r_msgtype"),
};

/* What cannot be read of them is none that is told: the queue is known without. */
static void find_receivers(struct walk *w, uint64_t queue, struct sysv_queue *ret)
{
	struct list_nodes l;
	struct receiver r = { 0 };
	uint64_t node;
	uint32_t pid;

	if (!w->receivers.present || !w->in_list.present || !w->pid.present)
		return;
	l = list_of(w->dump, queue + w->receivers.offset, "threads in msgrcv()");
	while (list_next(&l, &node)) {
		if (ret->waiting++ ||
		    struct_read(&w->receiver, node - w->in_list.offset, &r) != ST_OK ||
		    dump_u32(w->dump, r.task + w->pid.offset, &pid, "a pid") != ST_OK)
			continue;
		ret->waits = (int32_t)pid;
		ret->waits_for = r.type;
	}
	if (list_end(&l) != ST_OK)
		ret->waiting = 0;
	w->dump->error[0] = '\0';
}

static enum status visit_queue(void *arg, uint64_t namespace, uint64_t perm)
{
	struct walk *w = arg;
	const uint64_t address = perm - w->permissions.offset;
	struct sysv_queue found;
	struct queue q;
	enum status st = struct_read(&w->queue, address, &q);

	if (st != ST_OK || q.deleted)
		return st;
	if (q.messages > MAX_QUEUE || q.data > MAX_QUEUE)
		return dump_corrupt(w->dump,
				    "the message queue at %#lx has %lu messages of %lu bytes",
				    address, q.messages, q.data);
	found = (struct sysv_queue){ .namespace = namespace,
				     .messages = q.messages,
				     .bytes = q.data + q.messages * w->header,
				     .message = q.messages ? q.first - w->link.offset : 0,
				     .key = q.key,
				     .id = q.id,
				     .sender = sysv_pid(&w->pids, q.sender),
				     .receiver = sysv_pid(&w->pids, q.receiver) };
	find_receivers(w, address, &found);
	return w->visit(w->arg, &found);
}

enum status sysv_queues_walk(struct dump *d,
			     enum status (*visit)(void *arg, const struct sysv_queue *q), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "msg_init_ns", "struct msg_queue");

	if (st != ST_OK)
		return st;
	*w = (struct walk){ .dump = d, .visit = visit, .arg = arg };
	st = STRUCTS_OPEN(d, rows, w) ?: sysv_pids_open(d, &w->pids);
	if (st == ST_OK && dump_ask(d, type_size, "struct msg_msg", &w->header) != ST_OK)
		st = dump_unknown(d, "struct msg_msg");
	return st ?: sysv_ipc_walk(d, SYSV_MSG, visit_queue, w);
}
