// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of the log on memory that ran out, in words. */

#include "summary.h"

const char *summary_task(struct maybe_u64 pid, const char *comm, char buf[SUMMARY_TASK_BYTES])
{
	if (!pid.known)
		return !comm ? "an unknown task" : *comm ? comm : "a task without a name";
	if (!comm)
		snprintf(buf, SUMMARY_TASK_BYTES, "process %ld", pid.n);
	else
		snprintf(buf, SUMMARY_TASK_BYTES, "%s (%ld)", comm, pid.n);
	return buf;
}

static void add_outcome(const struct statement *row, struct strbuf *b)
{
	const char *victim = SUMMARY_TASK(row->victim_pid, row->victim_comm);

	if (!row->outcome)
		strbuf_add(b, "; how it ended is unknown");
	else if (!strcmp(row->outcome, "killed"))
		strbuf_add(b, "; killed %s%s%s", victim, row->remark ? "; " : "",
			   row->remark ?: "");
	else if (!strcmp(row->outcome, "exiting"))
		strbuf_add(b, "; chose %s, which was exiting already", victim);
	else if (!strcmp(row->outcome, "no_victim"))
		strbuf_add(b, "; no process could be killed");
	else
		strbuf_add(b, "; the kernel panicked");
}

bool summary_oom(const struct statement *row, const struct dump_info *info, struct strbuf *b)
{
	char age[AGE_TEXT];

	/* "10.774437 s, 12ms before the panic" */
	if (row->ts.known)
		strbuf_add(b, "%s s%s%s", STAMP_TEXT(row->ts.n), row->log_date ? ", " : "",
			   row->log_date ?: "");
	else
		strbuf_add(b, "%s", row->log_date ?: "at an unknown time");
	if (row->ts.known && age_text(info, row->ts.n, age))
		strbuf_add(b, ", %s", age);
	strbuf_add(b, ": ");
	return summary_oom_words(row, b);
}

bool summary_oom_words(const struct statement *row, struct strbuf *b)
{
	bool is_oom = !strcmp(row->name, "oom");

	strbuf_add(b, "%s %s", SUMMARY_TASK(row->pid, row->comm),
		   is_oom ? "invoked the OOM killer" : "got no memory");
	if (row->order.known && (int64_t)row->order.n < 0)
		strbuf_add(b, " by sysrq-f");
	else if (row->order.known)
		strbuf_add(b, ", order %ld", row->order.n);
	if (row->gfp)
		strbuf_add(b, ", %s", row->gfp);
	if (row->memcg)
		strbuf_add(b, ", cgroup %s", row->memcg);
	if (row->caller)
		strbuf_add(b, ", in %s", row->caller);
	if (!is_oom)
		return false;
	/* With panic_on_oom=2 the kernel prints no constraint: the nodes may tell it. */
	strbuf_add(b, "; %s%s", row->constraint ?: "constraint unknown",
		   row->constraint_derived ? " (derived)" : "");
	if (row->nodemask && row->constraint &&
	    !strcmp(row->constraint, "CONSTRAINT_MEMORY_POLICY"))
		strbuf_add(b, ", nodemask %s", row->nodemask);
	if (row->mems_allowed &&
	    (!row->constraint || !strcmp(row->constraint, "CONSTRAINT_CPUSET")))
		strbuf_add(b, ", mems_allowed %s", row->mems_allowed);
	add_outcome(row, b);
	if (row->later)
		strbuf_add(b, "; %s", row->later);
	return true;
}
