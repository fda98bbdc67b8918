// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/child_wait.h"

struct options {
	uint64_t entry, pid;
	uint32_t type;
};

#define OF_ONE 0 /* PIDTYPE_PID (include/linux/pid_types.h) */

static const struct layout_row rows[] = {
	STRUCTURE(struct child_waits, options, "struct wait_opts"),
	PLACES(struct options, entry, REQUIRED, "all", "child_wait"),
	POINTS(struct options, pid, REQUIRED, "all", "wo_pid"),
	READS(struct options, type, REQUIRED, "all", "wo_type"),
	FINDS(struct child_waits, queue, "struct signal_struct", REQUIRED, "all", "wait_chldexit"),
	FINDS(struct child_waits, pid, "struct pid", REQUIRED, "all", "numbers"),
};

enum status child_waits_open(struct dump *d, struct child_waits *ret)
{
	struct child_waits w = { .dump = d };

	return RESULT(STRUCTS_OPEN(d, rows, &w) ?: wait_queues_open(d, &w.queues), ret, w);
}

/* The number in the first namespace: struct upid begins with it. */
static enum status read_options(const struct child_waits *w, uint64_t entry, int32_t *pid)
{
	const uint64_t address = STRUCT_WITH(&w->options, struct options, entry, entry);
	struct options o;
	uint32_t number;
	enum status st = struct_read(&w->options, address, &o);

	*pid = 0;
	if (st != ST_OK || o.type != OF_ONE)
		return st;
	st = dump_u32(w->dump, o.pid + w->pid.offset, &number, "pid");
	return RESULT(st, pid, (int32_t)number);
}

enum status child_wait_find(const struct child_waits *w, uint64_t signal, uint64_t task,
			    int32_t *pid)
{
	struct list_nodes l = wait_queue_of(&w->queues, signal + w->queue.offset,
					    "threads that wait for a child");
	uint64_t entry, waiter;
	enum status st;

	while (wait_queue_next(&w->queues, &l, &entry)) {
		st = wait_entry_task(&w->queues, entry, &waiter);
		if (st != ST_OK)
			return st;
		if (waiter == task)
			return read_options(w, entry, pid);
	}
	return list_end(&l) ?: dump_absent(w->dump, "the thread waits for no child");
}
