// SPDX-License-Identifier: GPL-2.0-or-later
/* The process of a thread that the log names: its name may be another. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "tasks/task.h"

const char *summary_process_of(struct summary *s, const struct statement *row)
{
	const char *process = NULL;
	struct tasks tasks;
	struct task t;

	if (s->dump->log_file || !row->pid.known || !row->pid.n || row->pid.n > INT32_MAX)
		return "";
	if (tasks_open(s->dump, &tasks) == ST_OK) {
		tasks.identity_only = true;
		if (tasks_find(&tasks, (int32_t)row->pid.n, &t) == ST_OK && t.tgid != t.pid &&
		    !strcmp(t.comm, row->comm ?: ""))
			process = summary_process_name(s, t.tgid);
	}
	s->dump->error[0] = '\0';
	return process ? dump_text(s->dump, " of %s", process) : "";
}
