// SPDX-License-Identifier: GPL-2.0-or-later
/* Words of the verdict that are of a log alone, and what a list of memory is that no report of it has. */
#include "log/log_file.h"
#include "log/log_frame.h"
#include "memowner/log_source.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

const struct oom_report *summary_log_list(const struct summary *s)
{
	const struct oom_reports *all = &s->reports;

	for (unsigned int i = all->n; !s->last_report && i--;)
		if (all->reports[i].kind == OOM_REPORT_MEM_INFO && all->reports[i].has_mem_info)
			return &all->reports[i];
	return s->last_report;
}

/* "sysrq: Show Memory", to 5.5 "SysRq : Show Memory", and "Mem-Info:" stand above the list. */
static bool is_of_sysrq(const struct kernel_log *log, const struct oom_report *r)
{
	for (size_t i = 1; i <= 2 && r->first >= log->records + i; i++)
		if (r->first[-i].text && log_find(r->first[-i].text, ": Show Memory"))
			return true;
	return false;
}

#define TRACE 100 /* records between the line of the CPU and the list, at most */

/*
 * The line "CPU: 2 PID: 5 Comm: a ..." above the call trace of warn_alloc() that stands above the list: the first line of that
 * report is not in the log. NULL: there is none.
 */
static const char *cpu_of_failure(const struct kernel_log *log, const struct oom_report *r)
{
	bool is_failure = false;

	for (size_t i = 1; i <= TRACE && r->first >= log->records + i; i++) {
		const char *text = r->first[-i].text;
		char frame[LOG_FRAME];

		if (!text || log_after(text, "Modules linked in:"))
			return NULL;
		if (log_after(text, "CPU: "))
			return is_failure && log_find(text, " Comm: ") ? text : NULL;
		text = log_frame(text, frame);
		text += strspn(text, " ");
		is_failure |= log_after(text, "warn_alloc+") || log_after(text, "warn_alloc.");
	}
	return NULL;
}

const char *summary_log_list_asker(const struct summary *s, const struct oom_report *r)
{
	const struct log_file *f = s->dump->log_file;
	struct log_number at = { 0 }, pid = { 0 };
	char comm[LOG_COMM + 1] = "";
	const char *cpu;

	if (!f)
		return "alone";
	if (is_of_sysrq(&f->log, r))
		return "which sysrq-m asked for";
	cpu = cpu_of_failure(&f->log, r);
	if (!cpu)
		return "and no line on who asked for it";
	log_take_task(&at, &pid, comm, cpu);
	if (!pid.known || !*comm)
		return "of a failed allocation, whose first line this log does not have";
	return dump_text(
		s->dump,
		"of a failed allocation of %s (%lu), whose first line this log does not have", comm,
		pid.value);
}

void summary_log_list_words(struct summary *s)
{
	const struct oom_report *r = s->log_unread ? NULL : summary_log_list(s);
	const struct maybe_u64 ts = r ? summary_time_of(s, r->ts_ns) : (struct maybe_u64){ 0 };

	if (r && !s->last_report)
		s->log_unread = dump_text(
			s->dump, "a list of memory%s, %s",
			ts.known ? dump_text(s->dump, " of %s after boot", TIME_TEXT(ts.n)) : "",
			summary_log_list_asker(s, r));
}

void verdict_add_rest_of_log(const struct summary *s, struct strbuf *b)
{
	const struct oom_report *r = s->last_report;
	uint64_t age;

	if (s->has_panic)
		return;
	if (s->dump->log_file->lacks_panic) {
		strbuf_add(b, "; the kernel panicked: the line that says why is not in this log");
		return;
	}
	if (r && age_at_panic(&s->report->info, r->ts_ns, &age) &&
	    age > limit(LIMIT_END) * 1000000000ULL)
		strbuf_add(b, "; the log goes on for %s%s", TIME_TEXT(age),
			   s->dump->log_file->is_respelled || s->log_cut ? ""
									 : ", without a panic");
	else if (!s->dump->log_file->is_respelled)
		strbuf_add(b, "; %s has no panic",
			   s->dump->log_file->has_clock_boots ? "this part of the log"
			   : s->log_cut			      ? "what is there of the log"
							      : "the log");
}

static bool is_limit_damaged(const struct summary *s)
{
	return s->reports.has_damaged || (s->last_report && s->last_report->has_damaged);
}

const char *verdict_unread(const struct summary *s)
{
	const struct log_file *f = s->dump->log_file;

	if (!f)
		return NULL;
	if (f->cut_at)
		return dump_text(s->dump, "lines of the log are cut at column %zu", f->cut_at);
	if (s->log_cut)
		return "a part of the log is missing";
	if (is_limit_damaged(s) || s->reports.unread)
		return "a line of the report is damaged";
	return s->last_report && s->last_report->may_be_rest
		       ? "it may be the rest of the report before"
		       : NULL;
}

const char *verdict_lacking(const struct summary *s)
{
	const char *unread = verdict_unread(s);

	if (!s->dump->log_file)
		return "this dump does not have";
	return s->dump->log_file->is_respelled ? "is not read"
	       : s->reports.has_mixed	       ? "is unknown: lines may be of another report"
	       : unread			       ? dump_text(s->dump, "is unknown: %s", unread)
					       : "this log does not have";
}
