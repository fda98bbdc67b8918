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

enum status signal_queues_open(struct dump *d, struct signal_queues *ret)
{
	enum status st;

	*ret = (struct signal_queues){ .dump = d };
	st = STRUCTS_OPEN(d, rows, ret)
		     ?: object_bytes(d, "struct sigqueue", "sigqueue_cachep", &ret->bytes);
	ret->dump = d;
	/* The counter is a witness: without it the queues are what they are. */
	ret->has_counter = st == ST_OK && user_counter_open(d, "UCOUNT_RLIMIT_SIGPENDING",
							    "sigpending", &ret->counter) == ST_OK;
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
	if (st == ST_OK && q->has_counter && t.cred) {
		st = user_counter_read(&q->counter, t.cred, &t.user, &t.of_user.n);
		t.of_user.known = st == ST_OK && t.user;
	}
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
