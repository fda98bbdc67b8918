// SPDX-License-Identifier: GPL-2.0-or-later
#include "files/sysv_msg.h"

#include "kernel/list.h"
#include "kernel/xarray.h"
#include "util/hash_u64.h"

#define MAX_QUEUE (1ULL << 40) /* bytes, messages: msgmnb is an int */
#define IPC_MSG_IDS 1	       /* a macro: semaphores, messages, memory */

struct queue {
	uint64_t data, messages, first, sender, receiver;
	uint32_t key;
	int32_t id;
	bool deleted;
};

struct walk {
	struct dump *dump;
	struct structure queue;
	struct field ids, idr, permissions, number, supers, instance, namespace, link;
	uint64_t header, stride; /* bytes of a struct msg_msg and a struct ipc_ids */
	struct hash_u64 seen;
	struct first_problem problem;
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
	FINDS(struct walk, ids, "struct ipc_namespace", REQUIRED, "all", "ids"),
	FINDS(struct walk, idr, "struct ipc_ids", REQUIRED, "all", "ipcs_idr"),
	FINDS(struct walk, number, "struct pid", OPTIONAL, "all", "numbers"),
	FINDS(struct walk, link, "struct msg_msg", REQUIRED, "all", "m_list"),
	FINDS(struct walk, supers, "struct file_system_type", REQUIRED, "all", "fs_supers"),
	FINDS(struct walk, instance, "struct super_block", REQUIRED, "all", "s_instances"),
	FINDS(struct walk, namespace, "struct super_block", REQUIRED, "all", "s_fs_info"),
};

/* numbers[0] is a struct upid, which begins with the number. */
static int32_t pid_of(const struct walk *w, uint64_t pid)
{
	uint32_t nr = 0;

	return pid && w->number.present &&
			       dump_u32(w->dump, pid + w->number.offset, &nr, "pid") == ST_OK
		       ? (int32_t)nr
		       : 0;
}

static enum status visit_queue(struct walk *w, uint64_t namespace, uint64_t entry)
{
	const uint64_t address = entry - w->permissions.offset;
	struct queue q;
	enum status st = struct_read(&w->queue, address, &q);

	if (st != ST_OK || q.deleted)
		return st;
	if (q.messages > MAX_QUEUE || q.data > MAX_QUEUE)
		return dump_fail(w->dump, ST_CORRUPT,
				 "the message queue at %#lx has %lu messages of %lu bytes", address,
				 q.messages, q.data);
	return w->visit(w->arg,
			&(struct sysv_queue){ .namespace = namespace,
					      .messages = q.messages,
					      .bytes = q.data + q.messages * w->header,
					      .message = q.messages ? q.first - w->link.offset : 0,
					      .key = q.key,
					      .id = q.id,
					      .sender = pid_of(w, q.sender),
					      .receiver = pid_of(w, q.receiver) });
}

static enum status walk_namespace(struct walk *w, uint64_t namespace)
{
	uint64_t head, index, entry;
	struct xa_entries x;
	enum status st;

	if (!hash_u64_add(&w->seen, namespace))
		return ST_OK;
	st = idr_head(w->dump, namespace + w->ids.offset + IPC_MSG_IDS * w->stride + w->idr.offset,
		      "ipcs_idr", &head);
	if (st != ST_OK)
		return first_problem_keep(w->dump, &w->problem, st);
	for (xa_begin(&x, w->dump, head); st == ST_OK && xa_next(&x, &index, &entry);)
		st = first_problem_keep(w->dump, &w->problem, visit_queue(w, namespace, entry));
	return st ?: first_problem_keep(w->dump, &w->problem, xa_end(&x));
}

/* Each namespace has mounted an mqueue of its own: mq_init_ns(). */
static enum status walk_namespaces(struct walk *w, uint64_t type)
{
	struct list_nodes supers = hlist_of(w->dump, type + w->supers.offset,
					    "super blocks of mqueue");
	uint64_t super, namespace;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&supers, &super)) {
		st = dump_u64(w->dump, super - w->instance.offset + w->namespace.offset, &namespace,
			      "super_block");
		st = st == ST_OK && namespace ? walk_namespace(w, namespace)
					      : first_problem_keep(w->dump, &w->problem, st);
	}
	return st ?: list_end(&supers);
}

enum status sysv_queues_walk(struct dump *d,
			     enum status (*visit)(void *arg, const struct sysv_queue *q), void *arg)
{
	struct walk *w = dump_alloc(d, sizeof(*w));
	uint64_t first = 0, type = 0;
	enum status st = dump_built_with(d, "CONFIG_SYSVIPC", "msg_init_ns", "struct msg_queue");

	if (st != ST_OK)
		return st;
	*w = (struct walk){ .dump = d, .visit = visit, .arg = arg };
	hash_u64_init(&w->seen, d->arena, 0);
	st = STRUCTS_OPEN(d, rows, w) ?: dump_symbol(d, "init_ipc_ns", &first);
	if (st == ST_OK && (dump_ask(d, type_size, "struct msg_msg", &w->header) != ST_OK ||
			    dump_ask(d, type_size, "struct ipc_ids", &w->stride) != ST_OK))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct msg_msg, struct ipc_ids");
	st = st ?: walk_namespace(w, first);
	if (st == ST_OK && dump_symbol(d, "mqueue_fs_type", &type) == ST_OK)
		st = first_problem_keep(d, &w->problem, walk_namespaces(w, type));
	return st ?: first_problem_end(d, &w->problem);
}
