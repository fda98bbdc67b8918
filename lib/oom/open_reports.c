// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/open_reports.h"

#include "oom/mixed_reports.h"
#include "oom/oom_tasks.h"
#include "oom/oom_trace.h"

#define EARLIER 1000000000ULL /* ns: by which the clocks of CPUs may differ */

/* What an index is of may be left out. */
static void leave_some_out(struct oom_reports *all)
{
	if (!all->dropped)
		all->dropped_ns = all->reports[1].ts_ns;
	all->dropped += OOM_REPORTS_LEFT;
	all->n -= OOM_REPORTS_LEFT;
	memmove(all->reports + 1, all->reports + 1 + OOM_REPORTS_LEFT,
		(all->n - 1) * sizeof(*all->reports));
	if (all->line_report > OOM_REPORTS_LEFT)
		all->line_report -= OOM_REPORTS_LEFT;
	else if (all->line_report)
		all->has_line = false;
	if (all->rest > OOM_REPORTS_LEFT + 1)
		all->rest -= OOM_REPORTS_LEFT;
	else if (all->rest > 1)
		all->rest = 0;
}

static void ask_by_sysrq(struct oom_report *r)
{
	r->has_order = true;
	r->order = -1;
}

void oom_take_sysrq(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_open_report(all, rec);

	all->has_sysrq = !r || r->stage > STAGE_CPU;
	all->sysrq_ns = rec->ts_ns;
	if (!all->has_sysrq && !r->has_head && !r->has_order)
		ask_by_sysrq(r);
}

struct oom_report *oom_start(struct oom_reports *all, const struct kernel_record *rec,
			     enum oom_report_kind kind, enum stage stage,
			     const struct oom_report *head)
{
	struct oom_report *r;

	if (all->n == OOM_REPORTS)
		leave_some_out(all);
	all->is_behind_gap = false;
	r = &all->reports[all->n++];
	memset(r, 0, sizeof(*r));
	if (head)
		*r = *head;
	r->kind = kind;
	if (!head && all->has_sysrq && rec->ts_ns <= all->sysrq_ns + EARLIER)
		ask_by_sysrq(r);
	all->has_sysrq = false;
	r->ts_ns = rec->ts_ns;
	r->newest_ns = rec->ts_ns;
	r->first = rec;
	r->stage = stage;
	r->is_open = true;
	r->has_caller = rec->has_caller;
	r->caller = rec->caller;
	/* printk_caller_id(): a task, else an interrupt of a CPU. */
	if (rec->has_caller && !(rec->caller & 0x80000000U))
		r->pid = (struct log_number){ true, rec->caller };
	else if (rec->has_caller)
		r->cpu = (struct log_number){ true, rec->caller & 0x7fffffffU };
	return r;
}

/* No part comes before the first line of its report: a mail may have another report behind it, which is older. */
bool oom_is_of(const struct oom_report *r, const struct kernel_record *rec)
{
	return r->is_open && rec->ts_ns + EARLIER >= r->ts_ns &&
	       (!r->has_caller || !rec->has_caller || r->caller == rec->caller);
}

struct oom_report *oom_open_report(struct oom_reports *all, const struct kernel_record *rec)
{
	for (unsigned int i = all->n; i--;)
		if (oom_is_of(&all->reports[i], rec))
			return &all->reports[i];
	return NULL;
}

void oom_close_reports(struct oom_reports *all, const struct kernel_record *rec)
{
	for (unsigned int i = 0; i < all->n; i++)
		if (oom_is_of(&all->reports[i], rec))
			all->reports[i].is_open = false;
}

struct oom_report *oom_next_part(struct oom_reports *all, const struct kernel_record *rec,
				 enum stage stage, bool repeats)
{
	struct oom_report *r = oom_open_report(all, rec);

	if (!r || r->stage > stage || (r->stage == stage && !repeats))
		return NULL;
	r->stage = stage;
	return r;
}

struct oom_report *oom_any_part(struct oom_reports *all, const struct kernel_record *rec,
				enum oom_report_kind kind, enum stage stage, bool repeats)
{
	struct oom_report *r = oom_next_part(all, rec, stage, repeats);

	if (r)
		return r;
	oom_close_reports(all, rec);
	oom_mix_rest(all, rec);
	return oom_start(all, rec, kind, stage, NULL);
}

/*
 * What stands behind a silence goes on with what stood before it: a frame of the trace that has no first line of its own, a
 * later part of the block, a row of the table. A console or a tool may have held it up.
 */
static bool goes_on_late(const struct oom_report *r, const char *text)
{
	struct mem_info part = { 0 };

	if (!text)
		return false;
	if (!r->has_mem_info)
		return r->has_head && r->stage <= STAGE_CPU && oom_trace_take(NULL, text);
	switch (mem_info_record(&part, text)) {
	case MEM_INFO_NONE:
		return r->stage == STAGE_TOTALS &&
		       (oom_tasks_is_row(text) || oom_tasks_is_header(text));
	case MEM_INFO_ZONE:
		return r->stage <= STAGE_ZONES;
	case MEM_INFO_BLOCKS:
		return r->stage <= STAGE_BLOCKS;
	case MEM_INFO_TOTALS:
		return r->stage <= STAGE_TOTALS && !mem_info_has(&r->mem, &part);
	default:
		return false;
	}
}

void oom_close_old(struct oom_reports *all, const struct kernel_record *rec)
{
	for (unsigned int i = 0; i < all->n; i++) {
		struct oom_report *r = &all->reports[i];

		if (!oom_is_of(r, rec) || rec->ts_ns < r->newest_ns)
			continue;
		if (rec->ts_ns - r->ts_ns > OOM_LONGEST ||
		    (rec->ts_ns - r->newest_ns > OOM_SILENCE && !goes_on_late(r, rec->text)))
			r->is_open = false;
		r->newest_ns = rec->ts_ns;
	}
}

/* The line of a victim is the OOM killer's, though a failed allocation was told within its report. */
void oom_reopen(struct oom_reports *all, const struct kernel_record *rec)
{
	struct oom_report *r = oom_open_report(all, rec), *before;

	if (!r || r->kind != OOM_REPORT_ALLOCATION)
		return;
	before = r - 1;
	r->is_open = false;
	if (!r->follows_open || r == all->reports || before->kind != OOM_REPORT_OOM ||
	    before->stage >= STAGE_KILLED)
		return;
	before->is_open = before->is_mixed = all->has_mixed = true;
}

/* It may be of another report: of which its task is not known. */
void oom_leave_double(struct oom_reports *all, const struct kernel_record *rec)
{
	const struct oom_report *r = oom_open_report(all, rec);

	if (r && oom_is_double(r))
		oom_close_reports(all, rec);
}
