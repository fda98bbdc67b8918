// SPDX-License-Identifier: GPL-2.0-or-later
/* Of what SIGBUS or SIGSEGV of the first process came, with which the kernel ends: the file that it had mapped, and where. */
#include "log/log_told.h"
#include "memowner/summary.h"
#include "vm/signal_fault.h"
#include "vm/user_place.h"

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

/* Of SIGSEGV by a page fault: the file that its instruction is of. */
static enum status find_instruction(struct summary *s)
{
	struct statement *row = s->first[SECTION_EXCEPTION];
	const struct user_fault *f = s->told && s->told->init.known ? &s->told->init : NULL;
	enum status st = f && row ? user_place_text(s->dump, f->pid, f->ip, &row->ip_symbol)
				  : ST_ABSENT;

	return st == ST_OK || st == ST_ABSENT
		       ? ST_OK
		       : summary_failed(s, "where the first process died", st);
}

enum status summary_init_fault(struct summary *s)
{
	struct strbuf b = STRBUF_OF(512);
	struct signal_fault f;
	const struct statement *panic = s->first[SECTION_PANIC];
	unsigned int signal;
	enum status st;

	st = find_instruction(s);
	if (st != ST_OK)
		return st;
	if (!s->is_init_dead || !s->panic_cause || !panic ||
	    !oops_init_signal(panic->name, &signal) || signal != SIGBUS_OF_INIT)
		return ST_OK;
	st = read_fault(s, &f);
	if (st == ST_ABSENT)
		return ST_OK;
	if (st != ST_OK)
		return summary_failed(s, "what the first process died of", st);
	signal_fault_words(&f, &b);
	s->panic_cause = dump_text(s->dump, "%s by %s", s->panic_cause, b.buf);
	return ST_OK;
}
