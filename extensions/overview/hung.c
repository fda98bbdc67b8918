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

/* khungtaskd looks now and then: what it says is less than since the task last ran, as all other lines have it. */
void summary_tell_hung(struct summary *s, const struct stuck_task *hung)
{
	struct statement *panic = s->first[SECTION_PANIC];
	uint64_t age;

	if (hung && panic->remark && hung->has_since &&
	    age_at_panic(&s->report->info, hung->since_ns, &age))
		panic->remark = dump_text(s->dump, "%s; it had waited for %s", panic->remark,
					  TIME_TEXT(age));
}
