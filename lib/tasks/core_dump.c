// SPDX-License-Identifier: GPL-2.0-or-later
#include "tasks/core_dump.h"

#define SIGNAL_BITS 0x7f /* of an exit status, as wait() has them */

struct signal_part {
	uint64_t state;
	int32_t code;
};

struct mm_part {
	uint64_t state;
};

struct state_part {
	uint64_t task;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct core_dumps, signal, "struct signal_struct"),
	POINTS(struct signal_part, state, OPTIONAL, "5.16", "core_state"),
	READS(struct signal_part, code, REQUIRED, "all", "group_exit_code"),
	STRUCTURE(struct core_dumps, mm, "struct mm_struct"),
	POINTS(struct mm_part, state, OPTIONAL, "to 5.15", "core_state"),
	STRUCTURE(struct core_dumps, state, "struct core_state"),
	POINTS(struct state_part, task, REQUIRED, "all", "dumper.task"),
};

enum status core_dumps_open(struct dump *d, struct core_dumps *ret)
{
	struct core_dumps c = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &c);

	if (st == ST_OK && !STRUCT_HAS(&c.signal, struct signal_part, state) &&
	    !STRUCT_HAS(&c.mm, struct mm_part, state))
		st = dump_unknown(d, "no core_state in struct signal_struct or mm_struct");
	return RESULT(st, ret, c);
}

enum status core_dump_read(const struct core_dumps *c, const struct task *task,
			   struct core_dump *ret)
{
	struct signal_part signal = { 0 };
	struct mm_part mm = { 0 };
	struct state_part state = { 0 };
	enum status st = struct_read(&c->signal, task->signal, &signal);
	uint64_t at = signal.state;

	if (st == ST_OK && STRUCT_HAS(&c->mm, struct mm_part, state)) {
		st = struct_read(&c->mm, task->mm, &mm);
		at = mm.state;
	}
	if (st == ST_OK && !at)
		st = dump_absent(c->dump, "pid %d dumps no core", task->tgid);
	st = st ?: struct_read(&c->state, at, &state);
	if (st == ST_OK && !state.task)
		st = dump_corrupt(c->dump, "core_state at %#lx has no task", at);
	if (st != ST_OK)
		return st;
	*ret = (struct core_dump){ .task = state.task, .signal = signal.code & SIGNAL_BITS };
	return ST_OK;
}

/* Those that dump core (kernel/signal.c, sig_kernel_coredump()) by their numbers of include/uapi/asm-generic/signal.h. */
static const char *const names[] = {
	[3] = "SIGQUIT", [4] = "SIGILL",   [5] = "SIGTRAP",  [6] = "SIGABRT",  [7] = "SIGBUS",
	[8] = "SIGFPE",	 [11] = "SIGSEGV", [24] = "SIGXCPU", [25] = "SIGXFSZ", [31] = "SIGSYS",
};

const char *core_dump_signal(int signal, char *buf, size_t size)
{
	if (signal > 0 && (size_t)signal < ARRAY_SIZE(names) && names[signal])
		return names[signal];
	snprintf(buf, size, "signal %d", signal);
	return buf;
}
