// SPDX-License-Identifier: GPL-2.0-or-later
/* What ended the kernel, where its last words tell. */
#include "log/oops.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* Beside those of khungtaskd and of watchdogs; panic_on_oom is 1 or 2, see check_panic_on_oom(). */
static const struct {
	const char *text, *cause;
	bool panics_of_any, is_of_task;
} panic_causes[] = {
	{ "sysrq triggered", "sysrq asked for the panic" },
	{ "Out of memory: system-wide panic_on_oom", "panic by panic_on_oom=1" },
	{ "Out of memory: compulsory panic_on_oom", "panic by panic_on_oom=2", true },
	/* out_of_memory(), where select_bad_process() finds none. */
	{ "System is deadlocked on memory", "no process could be killed, so the kernel panicked" },
	{ "Out of memory and no killable", "no process could be killed, so the kernel panicked" },
	/* __warn(); to 5.19 without the name of who warned (check_panic_on_warn()). */
	{ "kernel: panic_on_warn set", "panic by panic_on_warn" },
	{ "panic_on_warn set", "panic by panic_on_warn" },
	{ "VFS: Unable to mount root fs", "the kernel found no root file system" },
	{ "No working init found", "the kernel found no init to start" },
	/* schedule_debug(), of the task that ran. */
	{ "corrupted stack end detected inside scheduler",
	  "the end of a kernel stack was overwritten, of task ", .is_of_task = true },
};

/* " in reap [drv]", of a module; "" */
static const char *stalled_in(struct dump *d, const struct cpu_stall *stall)
{
	const char *place = strchr(stall->place, '[') ? stall->place : stall->caller;
	const char *module = strchr(place, '[');

	return module ? dump_text(d, " in %.*s %s", (int)strcspn(place, "+"), place, module) : "";
}

/*
 * A lock that its own CPU has when an interrupt asks for it is never given: where both functions are of one module that is
 * likely so.
 */
static const char *spun_words(struct dump *d, const struct cpu_stall *stall)
{
	const char *in = strchr(stall->place, '[') ?: strchr(stall->caller, '[');
	const char *of = strchr(stall->interrupted, '[');

	if (!stall_is_spinning(stall))
		return "";
	if (!in || !of || strcmp(in, of) != 0)
		return ", as it spun for a lock";
	return dump_text(
		d,
		", as it spun for a lock in an interrupt; that came while %.*s %s ran there, "
		"which likely has the lock",
		(int)strcspn(stall->interrupted, "+"), stall->interrupted, of);
}

/* The first process ends by itself or by a signal of the kernel: no other process can send it one that ends it. */
static const char *end_of_init(struct summary *s, const struct oops_log *log,
			       const struct statement *row)
{
	const char *name = row->pid.known && row->pid.n == 1 ? row->comm : "init";
	struct strbuf b = STRBUF_OF(128);

	if (oops_is_fatal(log) || oops_is_of_init(log) || !oops_init_text(log->panic, name, &b))
		return NULL;
	s->is_init_dead = true;
	return dump_strdup(s->dump, b.buf);
}

const char *summary_panic_cause(struct summary *s, const struct oops_log *log,
				const struct statement *row)
{
	const char *end = end_of_init(s, log, row),
		   *owner = s->is_hung ? summary_hung_owner(s) : NULL;

	if (end)
		return end;
	if (s->is_hung)
		return dump_text(s->dump, "khungtaskd panicked for %s%s%s%s%s%s",
				 log->hung.n > 1 ? COUNT_TEXT(log->hung.n) : "",
				 log->hung.n > 1 ? " tasks that it reported, the last " : "",
				 SUMMARY_TASK(row->pid, row->comm), summary_process_of(s, row),
				 owner ? "; " : "", owner ?: "");
	if (s->is_stalled)
		return dump_text(s->dump, "CPU %lu stalled%s%s%s%s%s%s", row->cpu.n,
				 stalled_in(s->dump, &log->stall), row->pid.known ? ", task " : "",
				 row->pid.known ? SUMMARY_TASK(row->pid, row->comm) : "",
				 summary_process_of(s, row), spun_words(s->dump, &log->stall),
				 row->brief ?: "");
	for (size_t i = 0; i < ARRAY_SIZE(panic_causes); i++) {
		const char *cause = panic_causes[i].cause;

		if (!log_after(log->panic, panic_causes[i].text))
			continue;
		s->panics_of_any = panic_causes[i].panics_of_any;
		if (log->is_by_file && !i && row->comm)
			return dump_text(s->dump, "%s: %s wrote to /proc/sysrq-trigger%s", cause,
					 SUMMARY_TASK(row->pid, row->comm),
					 strcmp(row->comm, "sbd") != 0
						 ? ""
						 : "; by its name it fences nodes of a cluster: it "
						   "ends its own where that has lost its partners "
						   "or disks");
		return panic_causes[i].is_of_task
			       ? dump_text(s->dump, "%s%s", cause,
					   row->comm ? SUMMARY_TASK(row->pid, row->comm)
						     : "unknown")
			       : cause;
	}
	return NULL;
}
