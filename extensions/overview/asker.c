// SPDX-License-Identifier: GPL-2.0-or-later
/* Who asked for the memory that was not there, where the dump has no such task any more. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "oom/oom_tasks.h"

/*
 * The table has each process by its tgid (dump_tasks() of mm/oom_kill.c), and the first line of the report the pid of a
 * thread: one that is no process is a thread of one that is there, by its name unless it has one of its own.
 */
const char *summary_asker_thread(const struct summary *s, const struct oom_report *r)
{
	struct oom_tasks *t = dump_alloc(s->dump, sizeof(*t));
	const struct oom_task *of = NULL;
	struct kernel_log log;
	unsigned int n = 0;

	if (!r->has_head || !r->pid.known || r != s->last_report ||
	    kernel_log_read(s->dump, &log) != ST_OK || oom_tasks_read(s->dump, &log, t) != ST_OK ||
	    t->is_cut || !oom_tasks_are_of(s->dump, t, r)) {
		s->dump->error[0] = '\0';
		return NULL;
	}
	hash_u64_for_each(const struct oom_task, row, &t->rows) {
		if ((uint64_t)row->value[OOM_TASK_TGID] == r->pid.value ||
		    (t->has[OOM_TASK_PID] && (uint64_t)row->value[OOM_TASK_PID] == r->pid.value))
			return NULL;
		/* The table leaves out pid 1, and a thread comes behind its process. */
		if (strcmp(row->comm, r->comm) != 0 ||
		    (uint64_t)row->value[OOM_TASK_TGID] > r->pid.value)
			continue;
		of = row;
		n++;
	}
	if (!n)
		return NULL;
	if (n > 1)
		return dump_text(
			s->dump,
			"; by the report's table it is a thread of one of %u processes of that name",
			n);
	return dump_text(
		s->dump, "; by the report's table it is a thread of %s",
		SUMMARY_TASK(((struct maybe_u64){ (uint64_t)of->value[OOM_TASK_TGID], true }),
			     of->comm));
}
