// SPDX-License-Identifier: GPL-2.0-or-later
/* Of what SIGBUS of the first process came, with which the kernel ends: the file that it had mapped, and where. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "tasks/task.h"
#include "vm/signal_fault.h"

#define SIGBUS_OF_INIT 7 /* x86 */
static enum status read_fault(struct summary *s, struct signal_fault *ret)
{
	const struct statement *panic = s->first[SECTION_PANIC];
	struct signal_faults *x = dump_alloc(s->dump, sizeof(*x));
	struct tasks tasks;
	struct task task;

	return tasks_open(s->dump, &tasks)
		       ?: tasks_find(&tasks, panic->pid.known ? (int32_t)panic->pid.n : 1, &task)
		       ?: signal_faults_open(s->dump, x)
		       ?: signal_fault_read(x, task.address, task.mm, ret);
}

enum status summary_init_fault(struct summary *s)
{
	struct strbuf b = STRBUF_OF(512);
	struct signal_fault f;
	const struct statement *panic = s->first[SECTION_PANIC];
	unsigned int signal;
	enum status st;

	if (!s->is_init_dead || !s->panic_cause || !panic ||
	    !oops_init_signal(panic->name, &signal) || signal != SIGBUS_OF_INIT)
		return ST_OK;
	st = read_fault(s, &f);
	if (st == ST_ABSENT)
		return ST_OK;
	if (st != ST_OK)
		return summary_failed(s, "what the first process died of", st);
	signal_fault_words(&f, &b);
	s->panic_cause = arena_text(s->dump->arena, "%s by %s", s->panic_cause, b.buf);
	return ST_OK;
}
