// SPDX-License-Identifier: GPL-2.0-or-later
/* The task of which khungtaskd panicked, and for how long it had waited then. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

const struct stuck_task *summary_hung_task(const struct summary *s, const struct stuck *all)
{
	const struct statement *panic = s->first[SECTION_PANIC];
	const struct stuck_task *t = s->is_hung && panic ? all->first : NULL;

	while (t && (uint64_t)t->task.pid != panic->pid.n)
		t = t->next;
	return t;
}

/* It waits by the log: where no row has it, its task_struct or a list of tasks is damaged. */
static const char *lost_text(const struct stuck *all, int32_t pid)
{
	stuck_for_each(t, all)
		if (t->task.pid == pid)
			return t->has_frames
				       ? NULL
				       : "where it waits is unknown: its stack cannot be read";
	return "where it waits is unknown: no list of tasks has it";
}

static void tell_lost(struct summary *s, const struct stuck *all)
{
	struct statement *panic = s->first[SECTION_PANIC];
	const char *lost = s->is_hung && panic && panic->remark && panic->pid.known
				   ? lost_text(all, (int32_t)panic->pid.n)
				   : NULL;

	if (lost)
		panic->remark = dump_text(s->dump, "%s; %s", panic->remark, lost);
}

/* khungtaskd looks now and then: what it says is less than since the task last ran, as all other lines have it. */
void summary_tell_hung(struct summary *s, const struct stuck *all, const struct stuck_task *hung)
{
	struct statement *panic = s->first[SECTION_PANIC];
	uint64_t age;

	if (!hung)
		tell_lost(s, all);
	if (hung && panic->remark && hung->has_since &&
	    age_at_panic(&s->report->info, hung->since_ns, &age))
		panic->remark = dump_text(s->dump, "%s; it had waited for %s", panic->remark,
					  TIME_TEXT(age));
}
