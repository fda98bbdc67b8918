// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/signal_queue.h"

#include "kernel/list.h"
#include "kernel/object_bytes.h"

#define SIGQUEUE_PREALLOC 1 /* include/linux/signal_types.h, the same since 2.6 */

/* si_code of include/uapi/asm-generic/siginfo.h whose siginfo has a si_pid. */
enum { CODE_USER = 0, CODE_QUEUE = -1, CODE_MESGQ = -3, CODE_TKILL = -6 };

struct pid {
	uint32_t level; /* of its PID namespace; 0: the first */
};

struct task {
	uint64_t pid, cred;
};

struct cred {
	uint64_t counts;
};

static const struct layout_row rows[] = {
	FINDS(struct signal_queues, own, "struct task_struct", REQUIRED, "all", "pending.list"),
	FINDS(struct signal_queues, shared, "struct signal_struct", REQUIRED, "all",
	      "shared_pending.list"),
	FINDS(struct signal_queues, link, "struct sigqueue", REQUIRED, "all", "list"),
	STRUCTURE(struct signal_queues, queued, "struct sigqueue"),
	READS(struct queued_signal, flags, REQUIRED, "all", "flags"),
	READS(struct queued_signal, number, REQUIRED, "all", "info.si_signo"),
	READS(struct queued_signal, code, REQUIRED, "all", "info.si_code"),
	READS(struct queued_signal, sender, REQUIRED, "all", "info._sifields._kill._pid"),
	STRUCTURE(struct signal_queues, task, "struct task_struct"),
	PLACES(struct signal_task, blocked, REQUIRED, "all", "blocked"),
	/* 4.19: "pid: Remove pid_task_link"; before an array. */
	POINTS(struct signal_task, pid, OPTIONAL, "4.19", "thread_pid"),
	POINTS(struct signal_task, cred, OPTIONAL, "2.6.29", "real_cred"),
	STRUCTURE(struct signal_queues, pid, "struct pid"),
	READS(struct pid, level, OPTIONAL, "2.6.24", "level"),
};

/* 5.14: "Reimplement RLIMIT_SIGPENDING on top of ucounts"; 6.0 has rlimits apart from other counters. */
static const struct layout_row of_ucounts[] = {
	STRUCTURE(struct signal_queues, cred, "struct cred"),
	POINTS(struct cred, counts, REQUIRED, "5.13", "ucounts"),
	FINDS(struct signal_queues, counts, "struct ucounts", REQUIRED, "6.0 5.14", "rlimit",
	      "ucount"),
};

static const struct layout_row of_users[] = {
	STRUCTURE(struct signal_queues, cred, "struct cred"),
	POINTS(struct cred, counts, REQUIRED, "2.6.29", "user"),
	FINDS(struct signal_queues, counts, "struct user_struct", REQUIRED, "all", "sigpending"),
};

/* The counter is a witness: without it the queues are what they are. */
static void find_counter(struct dump *d, struct signal_queues *q)
{
	int64_t index;

	q->counts.present = false;
	if (dump_ask(d, enumerator, "UCOUNT_RLIMIT_SIGPENDING", &index) != ST_OK) {
		if (STRUCTS_OPEN(d, of_users, q) != ST_OK)
			q->counts.present = false;
		return;
	}
	if (STRUCTS_OPEN(d, of_ucounts, q) != ST_OK || index < 0 ||
	    (uint64_t)index >= q->counts.size / sizeof(uint64_t)) {
		q->counts.present = false;
		return;
	}
	q->counts.offset += (uint32_t)index * sizeof(uint64_t);
	q->counts.size = sizeof(uint64_t);
}

enum status signal_queues_open(struct dump *d, struct signal_queues *ret)
{
	enum status st;

	*ret = (struct signal_queues){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret)
		     ?: object_bytes(d, "struct sigqueue", "sigqueue_cachep", &ret->bytes);
	ret->dump = d;
	if (st == ST_OK)
		find_counter(d, ret);
	return st;
}

static enum status read_counter(const struct signal_queues *q, struct signal_task *t)
{
	struct dump *d = q->dump;
	struct cred c = { 0 };
	uint64_t n = 0;
	uint32_t half = 0;
	enum status st;

	if (!q->counts.present || !t->cred)
		return ST_OK;
	st = struct_read(&q->cred, t->cred, &c);
	t->user = c.counts + q->counts.offset;
	if (st == ST_OK && !c.counts)
		return ST_OK;
	if (st == ST_OK && q->counts.size == sizeof(uint64_t))
		st = dump_u64(d, t->user, &n, "ucounts");
	else if (st == ST_OK)
		st = dump_u32(d, t->user, &half, "user_struct");
	t->of_user = (struct maybe_u64){ n + half, st == ST_OK && n + half <= INT64_MAX };
	return st;
}

enum status signal_task_read(const struct signal_queues *q, uint64_t task, struct signal_task *ret)
{
	struct signal_task t = { 0 };
	struct pid pid = { 0 };
	enum status st = struct_read(&q->task, task, &t);

	/* It has the address of the set. */
	st = st ?: dump_u64(q->dump, t.blocked, &t.blocked, "task_struct.blocked");
	if (st == ST_OK && t.pid)
		st = struct_read(&q->pid, t.pid, &pid);
	t.is_nested = pid.level != 0;
	st = st ?: read_counter(q, &t);
	return RESULT(st, ret, t);
}

enum status signal_queue_walk(const struct signal_queues *q, uint64_t head,
			      void (*visit)(void *arg, const struct queued_signal *signal),
			      void *arg)
{
	struct list_nodes list = list_of(q->dump, head, "queued signals");
	struct first_problem problem = { 0 };
	uint64_t node;

	while (list_next(&list, &node)) {
		struct queued_signal s = { 0 };
		enum status st = struct_read(&q->queued, node - q->link.offset, &s);

		if (first_problem_keep(q->dump, &problem, st) != ST_OK)
			break;
		s.is_timers = s.flags & SIGQUEUE_PREALLOC;
		s.has_sender = s.code == CODE_USER || s.code == CODE_QUEUE ||
			       s.code == CODE_MESGQ || s.code == CODE_TKILL;
		if (st == ST_OK)
			visit(arg, &s);
	}
	return list_end(&list) ?: first_problem_end(q->dump, &problem);
}
