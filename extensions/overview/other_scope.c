// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a cgroup reached its limit last, that the OOM killer ran for the machine before. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

static bool is_of_machine(const struct oom_report *r)
{
	/* A cpuset or a memory policy has some nodes of it. */
	return r->kind == OOM_REPORT_OOM && r->scope == OOM_SCOPE_GLOBAL &&
	       (!*r->constraint || !strcmp(r->constraint, "CONSTRAINT_NONE")) &&
	       !oom_report_is_of_cgroup(r) && !oom_report_is_by_sysrq(r);
}

void verdict_add_machine(const struct summary *s, const struct oom_report *of, struct strbuf *b)
{
	const struct oom_report *last = NULL;
	unsigned int n = 0;

	for (unsigned int i = 0; i < s->reports.n && &s->reports.reports[i] < of; i++) {
		const struct oom_report *r = &s->reports.reports[i];

		if (!is_of_machine(r))
			continue;
		last = r;
		n++;
	}
	if (!last)
		return;
	strbuf_add(b, "; before it the OOM killer ran for the whole machine");
	if (n > 1)
		strbuf_add(b, " %s%u times, the last time", s->reports.dropped ? "at least " : "",
			   n);
	if (summary_time_of(s, last->ts_ns).known && last->ts_ns <= of->ts_ns)
		strbuf_add(b, " %s earlier", TIME_TEXT(of->ts_ns - last->ts_ns));
	if (last->outcome == OOM_KILLED)
		strbuf_add(b, "%s killed %s", n > 1 ? ", and" : " and",
			   SUMMARY_TASK(log_maybe(last->victim.pid),
					last->victim.has_comm ? last->victim.comm : NULL));
	strbuf_add(b, " (memowner log)");
}
