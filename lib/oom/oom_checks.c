// SPDX-License-Identifier: GPL-2.0-or-later
#include "oom/oom_checks.h"

#include "log/log_marks.h"
#include "oom/oom_tasks.h"
#include "oom/open_reports.h"

#define USAGE_MOST 2 /* times the limit: what is charged by force is a little */
#define CHANGED 64   /* pages, by which counters may differ that were read at two times */
#define PAGE_KIB 4   /* of the smallest pages that a kernel has */

bool oom_is_short_of(uint64_t less, uint64_t more)
{
	return (more > CHANGED && (more - CHANGED) / 3 * 2 > less) ||
	       (less && log_lost_digit(less, more));
}

/* A cgroup that ran out of memory has as much as it may have, unless that is one of several limits. */
static void check_limit(struct oom_limit *l)
{
	if (l->limit_kib.known && !oom_limit_can_be(l)) {
		l->limit_kib.known = false;
		l->in_doubt = true;
	}
	if (!l->usage_kib.known || !oom_limit_is_set(l))
		return;
	/* A limit that was set below what is used, or its number lost digits. */
	if (l->usage_kib.value / USAGE_MOST > l->limit_kib.value) {
		l->limit_kib.known = false;
		l->in_doubt = true;
	} else if (log_lost_digit(l->usage_kib.value, l->limit_kib.value))
		l->usage_kib.known = false;
	else if (log_lost_digit(l->limit_kib.value, l->usage_kib.value))
		l->limit_kib.known = false;
}

/* The task that panics behind the report is the one that asked: its line is there once more. */
static void take_panicked(const struct kernel_log *log, struct oom_report *r)
{
	bool is_behind = false;

	if (r->outcome != OOM_PANICKED || !r->has_head || !r->pid.known)
		return;
	for (size_t i = (size_t)(r->first - log->records); i < log->n; i++) {
		const char *text = log->records[i].text;
		struct log_number cpu = { 0 }, pid = { 0 };
		char comm[LOG_COMM + 1] = "";

		if (!text || !is_behind || !log_after(text, "CPU: ")) {
			is_behind |= text && log_panic(text);
			continue;
		}
		log_take_task(&cpu, &pid, comm, text);
		if (pid.known && !strcmp(comm, r->comm) && log_lost_digit(r->pid.value, pid.value))
			r->pid = pid;
		return;
	}
}

/* None has the pid, and one of the same name has it with a digit more. */
static void check_asker(const struct oom_tasks *t, struct oom_report *r)
{
	bool is_short = false;

	if (!r->has_head || !r->pid.known)
		return;
	hash_u64_for_each(const struct oom_task, of, &t->rows) {
		const uint64_t tgid = (uint64_t)of->value[OOM_TASK_TGID];

		if (tgid == r->pid.value)
			return;
		is_short |= !strcmp(of->comm, r->comm) && log_lost_digit(r->pid.value, tgid);
	}
	if (is_short)
		r->pid.known = false;
}

/* Of two names of one process the one of which the other lacks characters. */
static void check_name(const struct oom_tasks *t, struct oom_victim *v)
{
	const struct oom_task *of = v->pid.known ? hash_u64_find(&t->rows, v->pid.value) : NULL;

	/* Behind a whole one the row may have what a tool put there. */
	if (of && v->has_comm && strlen(v->comm) < strlen(of->comm) &&
	    strncmp(v->comm, of->comm, strlen(v->comm)) != 0 &&
	    strlen(of->comm) == oom_task_name_kept(of->comm) &&
	    oom_task_name_is_of(v->comm, of->comm))
		strcpy(v->comm, of->comm);
}

/* Of two figures of one process, of which a digit differs, none is known to be right: both are told. */
static void leave_out(struct mem_info *m, struct oom_victim *v, uint64_t told, uint64_t row)
{
	v->anon_rss_kib.known = v->file_rss_kib.known = v->shmem_rss_kib.known = false;
	if (m->differs)
		return;
	m->differs = "the line of the kill";
	m->differs_pages[0] = told;
	m->differs_of = "the row of the same process";
	m->differs_pages[1] = row;
}

/* The table was printed just before: the same process has in pages what its line has in KiB. */
static void check_victim(const struct oom_tasks *t, struct mem_info *m, struct oom_victim *v)
{
	const struct oom_task *of = v->pid.known ? hash_u64_find(&t->rows, v->pid.value) : NULL;
	const uint64_t all = of ? (uint64_t)of->value[OOM_TASK_TOTAL_VM] : 0;
	const uint64_t kib = all && v->total_vm_kib.known ? v->total_vm_kib.value / all : 0;
	const bool has_anon = t->has[OOM_TASK_ANON];
	uint64_t pages, told = v->anon_rss_kib.value;

	/* What is resident is a part of its address space. */
	if (v->anon_rss_kib.known && v->total_vm_kib.known && told > v->total_vm_kib.value)
		v->anon_rss_kib.known = false;
	if (!kib || kib * all != v->total_vm_kib.value || !v->anon_rss_kib.known)
		return;
	pages = (uint64_t)of->value[has_anon ? OOM_TASK_ANON : OOM_TASK_RSS];
	/* A row that has more than RAM is no witness. */
	if (m->ram.known && pages > m->ram.value)
		return;
	if (!has_anon)
		told += v->file_rss_kib.value + v->shmem_rss_kib.value;
	if (oom_is_short_of(told, pages * kib))
		v->anon_rss_kib.known = false;
	else if (log_has_other_large_digit(told, pages * kib))
		leave_out(m, v, told / kib, pages);
}

/* A process has no more in swap than there is swap; no page is smaller than PAGE_KIB. */
static void check_swap(const struct oom_tasks *t, struct mem_info *m)
{
	uint64_t most = 0;

	if (!m->total_swap_kib.known || !t->has[OOM_TASK_SWAP])
		return;
	hash_u64_for_each(const struct oom_task, of, &t->rows)
		if (of->value[OOM_TASK_SWAP] > 0 && (uint64_t)of->value[OOM_TASK_SWAP] > most)
			most = (uint64_t)of->value[OOM_TASK_SWAP];
	if (most <= m->total_swap_kib.value / PAGE_KIB)
		return;
	m->total_swap_kib.known = false;
	m->swap_differs = true;
	if (m->differs)
		return;
	m->differs = "all swap";
	m->differs_pages[0] = m->total_swap_kib.value / PAGE_KIB;
	m->differs_of = "a process";
	m->differs_pages[1] = most;
}

/* What a report of a text that has no first line may be: that is there, or of the report before it. */
static void doubt_first_lines(const struct kernel_log *log, struct oom_reports *all)
{
	for (struct oom_report *r = all->reports; r < all->reports + all->n; r++) {
		const struct oom_report *before = r > all->reports ? r - 1 : NULL;

		if (r->has_head || r->kind != OOM_REPORT_OOM)
			continue;
		/* Of several in one another it may be any. */
		while (all->has_mixed && before > all->reports && !before->has_head)
			before--;
		r->is_within_log = r->first > log->records;
		r->may_be_rest = before && before->kind == OOM_REPORT_OOM &&
				 before->outcome == OOM_OUTCOME_UNKNOWN && before->has_head &&
				 r->ts_ns <= before->ts_ns + OOM_LONGEST;
	}
}

void oom_reports_check(struct dump *d, const struct kernel_log *log, struct oom_reports *all)
{
	struct oom_report *r = NULL;
	struct kernel_log part;
	struct oom_tasks t = { 0 };

	if (d->log_file)
		doubt_first_lines(log, all);
	for (unsigned int i = 0; i < all->n; i++) {
		check_limit(&all->reports[i].memory);
		take_panicked(log, &all->reports[i]);
		if (all->reports[i].kind == OOM_REPORT_OOM && !oom_report_is_bare(&all->reports[i]))
			r = &all->reports[i];
	}
	if (!r || r->is_mixed)
		return;
	/* The newest table may be of an older report. */
	part = oom_report_log(all, r, log);
	if (oom_tasks_read(d, &part, &t) != ST_OK || t.first < r->first)
		return;
	check_asker(&t, r);
	check_name(&t, &r->victim);
	check_victim(&t, &r->mem, &r->victim);
	check_swap(&t, &r->mem);
}
