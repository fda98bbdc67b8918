// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_panic.h"

#include <string.h>

#include "log/log_marks.h"
#include "oom/mixed_reports.h"
#include "oom/open_reports.h"

/*
 * check_panic_on_oom() panics before the line that has the constraint. With panic_on_oom=1 none but
 * CONSTRAINT_NONE panics.
 */
static void take_panic(struct oom_report *r, const char *panic)
{
	/* out_of_memory() panics of no cgroup where no process can be killed: mem_cgroup_out_of_memory() goes on. */
	if (r->scope == OOM_SCOPE_UNKNOWN && !log_after(panic, "Out of memory: "))
		r->scope = OOM_SCOPE_GLOBAL;
	if (!r->constraint[0] && log_after(panic, "Out of memory: system-wide ")) {
		strcpy(r->constraint, "CONSTRAINT_NONE");
		r->constraint_derived = true;
		r->scope = OOM_SCOPE_GLOBAL;
	}
}

/* Up to 4.20 where no process can be killed. */
static bool is_of_memory(const char *panic)
{
	return log_after(panic, "Out of memory: ") ||
	       log_after(panic, "Out of memory and no killable processes") ||
	       log_after(panic, "System is deadlocked on memory");
}

static void set_panicked(struct oom_report *r, const char *panic)
{
	r->kind = OOM_REPORT_OOM;
	r->outcome = OOM_PANICKED;
	take_panic(r, panic);
}

/* check_panic_on_oom(), out_of_memory(): both have just printed the report, of which nothing else may be left. */
static void take_first(struct oom_reports *all, const struct kernel_record *rec, const char *panic)
{
	struct oom_report *r;

	oom_leave_double(all, rec);
	if (is_of_memory(panic)) {
		oom_reopen(all, rec);
		r = oom_open_report(all, rec);
		if (!r || r->kind == OOM_REPORT_ALLOCATION || r->stage == STAGE_KILLED)
			r = oom_start(all, rec, OOM_REPORT_OOM, STAGE_KILLED, NULL);
		set_panicked(r, panic);
	}
	r = oom_open_report(all, rec);
	if (r)
		r->is_at_panic = true;
	oom_close_reports(all, rec);
}

/* The report that was open at the first line of the panic, of which the words were not read. */
static struct oom_report *at_panic(const struct oom_reports *all)
{
	for (unsigned int i = all->n; i--;)
		if (all->reports[i].is_at_panic && all->reports[i].kind != OOM_REPORT_ALLOCATION)
			return &all->reports[i];
	return NULL;
}

bool oom_take_panic(struct oom_reports *all, const struct kernel_record *rec)
{
	const char *panic = log_panic(rec->text), *end = log_panic_end(rec->text);
	struct oom_report *r;

	if (panic)
		take_first(all, rec, panic);
	if (panic || !end || ANY_OF(i, all->n, all->reports[i].outcome == OOM_PANICKED))
		return panic != NULL;
	/* The last line says what the first one did, of which nothing else may have been seen. */
	r = is_of_memory(end) ? at_panic(all) : NULL;
	if (r)
		set_panicked(r, end);
	else
		take_first(all, rec, end);
	return true;
}
