// SPDX-License-Identifier: GPL-2.0-or-later
#include "memowner/log_newest.h"

#include "memowner/verdict_words.h"

const struct oom_report *log_newest_full(const struct summary *s, const struct oom_report *bare)
{
	const struct oom_reports *all = &s->reports;
	const uint64_t most = limit(LIMIT_END) * 1000000000ULL;

	if (!summary_time_of(s, 0).known)
		return bare;
	for (unsigned int i = all->n; i--;) {
		const struct oom_report *r = &all->reports[i];

		if (r >= bare || r->kind != OOM_REPORT_OOM || oom_report_is_bare(r) ||
		    oom_report_is_by_sysrq(r))
			continue;
		if (r->ts_ns > bare->ts_ns || bare->ts_ns - r->ts_ns > most ||
		    (oom_report_is_of_cgroup(r) && !oom_report_is_of_cgroup(bare)))
			return bare;
		return r;
	}
	return bare;
}

/* Nothing but its first lines is in the log: what was free and how it ended is not. */
static bool is_head_alone(const struct oom_report *r)
{
	return r->has_head && !r->has_mem_info && r->outcome == OOM_OUTCOME_UNKNOWN &&
	       !*r->oom_memcg;
}

/* A text may have quoted no more of the newest report: the one before it has figures. */
static const struct oom_report *before_quoted(const struct summary *s, const struct oom_report *r)
{
	const struct oom_report *before;

	if (!s->dump->log_file || !is_head_alone(r))
		return r;
	before = log_newest_full(s, r);
	return before->has_mem_info ? before : r;
}

#define BEGUN_NS 1000000000ULL /* of one storm: a task asks again at once */

/* A machine may be dumped in the midst of a report: the one before it, of the same task and moment, says what it would. */
static const struct oom_report *before_begun(const struct oom_reports *all,
					     const struct oom_report *r)
{
	const struct oom_report *before = r;

	if (!is_head_alone(r))
		return r;
	while (before > all->reports) {
		before--;
		if (before->kind != OOM_REPORT_OOM || oom_report_is_by_sysrq(before))
			continue;
		return before->outcome != OOM_OUTCOME_UNKNOWN && before->has_comm && r->has_comm &&
				       !strcmp(before->comm, r->comm) &&
				       (!before->pid.known || !r->pid.known ||
					before->pid.value == r->pid.value) &&
				       r->ts_ns - before->ts_ns < BEGUN_NS
			       ? before
			       : r;
	}
	return r;
}

const struct oom_report *log_newest_told(const struct summary *s, const struct oom_report *r)
{
	return before_quoted(s, before_begun(&s->reports, r));
}

const char *log_newest_later(const struct summary *s, const struct oom_report *r)
{
	if (!oom_report_is_bare(r) && s->last_report == before_begun(&s->reports, r))
		return "then asked again, in a report that had only begun";
	if (!oom_report_is_bare(r))
		return dump_text(s->dump,
				 "then %s asked, in a report of which this log has the first lines",
				 SUMMARY_TASK(log_maybe(r->pid), r->has_comm ? r->comm : NULL));
	return dump_text(
		s->dump, "then killed %s, whose report is not in this log",
		SUMMARY_TASK(log_maybe(r->victim.pid), r->victim.has_comm ? r->victim.comm : NULL));
}
