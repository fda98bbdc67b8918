// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel log says of the panic and of memory that ran out. */

#include "kernel/jiffies.h"
#include "kernel/sysctl.h"
#include "log/log_file.h"
#include "log/log_told.h"
#include "oom/mems_allowed.h"
#include "oom/oom_total.h"
#include "log_newest.h"
#include "log_source.h"
#include "summary.h"
#include "vm/address_kind.h"
#include "user_killed.h"
#include "verdict_words.h"

#define HUNG_FRAMES 3 /* of the call trace, from the innermost that no scheduler is */

/* NULL: it is empty, which is unknown. */
static const char *text(const char *t)
{
	return *t ? t : NULL;
}

/* "blocked for more than 26 s, by the log, in rwsem_down_write_slowpath, down_write, vm_mmap_pgoff" */
static const char *hung_text(struct dump *d, const struct hung_task *h)
{
	struct strbuf b = STRBUF_OF(256);
	unsigned int named = 0;

	strbuf_add(&b, "blocked for more than %lu s, by the log", h->seconds.value);
	for (unsigned int i = 0; i < h->nframes && named < HUNG_FRAMES; i++) {
		const char *name = dump_text(d, "%.*s", (int)strcspn(h->frames[i], "+"),
					     h->frames[i]);

		if (!wait_is_scheduler(name))
			strbuf_add(&b, named++ ? ", %s" : ", in %s", name);
	}
	return dump_strdup(d, b.buf);
}

/* Of a log alone: a dump has its threads. */
static void add_hung(struct summary *s, const struct hung_task *h)
{
	const char *text = hung_text(s->dump, h), *task = SUMMARY_TASK(log_maybe(h->pid), h->comm);
	uint64_t age;

	if (age_at_panic(&s->report->info, h->ts_ns, &age))
		text = dump_text(s->dump, "%s; %s before the end", text, TIME_TEXT(age));
	SUMMARY_ADD(s, .section = SECTION_STUCK, .remark = dump_text(s->dump, "%s %s", task, text));
}

/* Of a log alone: a dump has the counters of pids.max. */
static void add_forks(struct summary *s)
{
	const struct fork_rejects *f = &s->forks;
	struct strbuf b = STRBUF_OF(512);

	if (!s->dump->log_file || !f->n)
		return;
	strbuf_add(&b, "pids.max refused a fork in cgroup %s, by the log",
		   *f->path ? f->path : "of an unknown name");
	summary_add_when(s, f->last->ts_ns, &b);
	if (f->n > 1)
		strbuf_add(&b, ", as in others before");
	summary_add_logged(s, f->last, b.buf);
}

/* Whose panic it was; an OOM killer's is that of who ran out of memory, an exception's is told with it. */
static bool has_panic_task(const struct oops_log *log)
{
	return log->panic_pid.known && *log->panic_comm && !oops_is_fatal(log) &&
	       !log_after(log->panic, "Out of memory") &&
	       !log_after(log->panic, "System is deadlocked on memory");
}

/* How long a CPU did not get on. */
static struct maybe_u64 stall_length(struct dump *d, const struct cpu_stall *stall)
{
	struct jiffies j = { 0 };

	if (stall->seconds.known)
		return (struct maybe_u64){ stall->seconds.value * 1000000000, true };
	if (!d->log_file)
		jiffies_open(d, &j);
	return (struct maybe_u64){ stall->jiffies.value * j.tick_ns,
				   stall->jiffies.known && j.tick_ns };
}

/* The task of the dump, else the one that the log names of this CPU. */
static void find_task(struct dump *d, const struct oops_log *log, struct statement *row)
{
	const struct cpu_stall *stall = &log->stall;
	struct cpu_task task;
	enum status st = d->log_file ? ST_ABSENT : cpu_task_read(d, stall->cpu.value, &task);

	if (st == ST_OK) {
		row->pid = (struct maybe_u64){ (uint64_t)task.pid, true };
		row->comm = dump_strdup(d, task.comm);
		row->policy = sched_policy_name(task.policy);
		row->rt_priority = (struct maybe_u64){ task.rt_priority, true };
	} else if (stall->pid.known) {
		row->pid = log_maybe(stall->pid);
		row->comm = dump_strdup(d, stall->comm);
	} else if (log->panic_cpu.value != stall->cpu.value) {
		row->pid.known = false;
		row->comm = NULL;
	}
	if (st != ST_OK && st != ST_ABSENT)
		dump_lacks(d, "the scheduling of the task on a CPU", st, "%s", d->error);
}

static enum status find_runtime(void *arg, const struct sysctl *s)
{
	struct sysctl *to = arg;

	if (!strcmp(s->name, "sched_rt_runtime_us"))
		*to = *s;
	return ST_OK;
}

/* Whether a real-time task may have a CPU for itself: what the kernel has by default leaves the others 5 %. */
static bool is_unlimited(struct dump *d)
{
	struct sysctl runtime = { 0 };
	char text[SYSCTL_TEXT];

	sysctl_walk(d, "kernel", find_runtime, &runtime);
	return runtime.name && sysctl_value(d, &runtime, 0, text) == ST_OK && !strcmp(text, "-1");
}

void summary_policy(struct dump *d, const char *policy, uint64_t rt_priority, struct strbuf *b)
{
	if (policy && strcmp(policy, "SCHED_OTHER"))
		strbuf_add(b, "; its policy is %s", policy);
	if (!policy || !rt_priority)
		return;
	strbuf_add(b, " %lu", rt_priority);
	if (is_unlimited(d))
		strbuf_add(b, ", kernel.sched_rt_runtime_us is -1");
}

/* "; CPU 1 ran poll (97)": who spins for a lock waits for one that runs elsewhere, as the owner does not sleep. */
static void put_other_cpus(struct summary *s, const struct cpu_stall *stall, struct strbuf *b)
{
	struct dump *d = s->dump;
	/* Among more it is no help who it may be. */
	struct cpu_task ran[ARRAY_SIZE(s->beside)];
	unsigned int n = 0;
	enum status st;

	if (d->log_file || !stall_is_spinning(stall))
		return;
	st = cpu_tasks_beside(d, stall->cpu.value, ran, ARRAY_SIZE(ran), &n);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		dump_lacks(d, "what other CPUs ran", st, "%s", dump_why(d));
	for (unsigned int i = 0; i < n; i++) {
		strbuf_add(b, "; CPU %lu ran %s", ran[i].cpu,
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)ran[i].pid, true }),
					ran[i].comm));
		s->beside[i] = ran[i].pid;
	}
}

/* Of a panic of RCU or of a watchdog: which CPU did not get on, for how long, and what it ran. */
static void put_stall(struct summary *s, const struct oops_log *log, struct statement *row)
{
	const struct cpu_stall *stall = &log->stall;
	const char *module = strchr(stall->place, '[');
	struct dump *d = s->dump;
	struct strbuf b = STRBUF_OF(256);
	size_t len;

	if (!stall_is_fatal(stall, log->panic))
		return;
	s->is_stalled = true;
	row->cpu = log_maybe(stall->cpu);
	row->stall_ns = stall_length(d, stall);
	find_task(d, log, row);
	strbuf_add(&b, row->pid.known ? "was on CPU %lu, which stalled" : "CPU %lu stalled",
		   row->cpu.n);
	if (row->stall_ns.known)
		strbuf_add(&b, " for %s", TIME_TEXT(row->stall_ns.n));
	else if (stall->jiffies.known)
		strbuf_add(&b, " for %lu jiffies", stall->jiffies.value);
	if (*stall->place && row->pid.known)
		strbuf_add(&b, " in %.*s%s%s", (int)strcspn(stall->place, "+"), stall->place,
			   module ? " " : "", module ?: "");
	if (*stall->caller && row->pid.known)
		strbuf_add(&b, ", called by %.*s%s", (int)strcspn(stall->caller, "+"),
			   stall->caller, strstr(stall->caller, " ["));
	strbuf_add(&b, ", by the log");
	if (stall->more)
		strbuf_add(&b, ", as %s did", COUNT_OF(stall->more, "other CPU"));
	summary_policy(d, row->policy, row->rt_priority.n, &b);
	len = b.len;
	put_other_cpus(s, stall, &b);
	row->command = s->beside[0] ? "memowner stuck -a -o +stack -f waits_for=running" : NULL;
	row->remark = dump_strdup(d, b.buf);
	row->brief = b.len > len ? row->remark + len : NULL;
	d->error[0] = '\0';
}

static void add_panic(struct summary *s, const struct oops_log *log, bool is_cut)
{
	const struct hung_task *h = &log->hung;
	bool has_task = has_panic_task(log);
	struct statement row = { .section = SECTION_PANIC };

	s->is_hung = log->has_panic && h->seconds.known && log_after(log->panic, "hung_task: ");
	if (log->has_panic) {
		row.name = text(log->panic);
		row.log_date = log_file_date(s->dump, log->panic_ns);
		row.ts = summary_time_of(s, log->panic_ns);
		row.pid = (struct maybe_u64){ s->is_hung ? h->pid.value : log->panic_pid.value,
					      s->is_hung || has_task };
		row.comm = s->is_hung ? text(h->comm) : has_task ? text(log->panic_comm) : NULL;
		row.remark = s->is_hung ? hung_text(s->dump, h)
			     : has_task ? dump_text(s->dump, "was on CPU %lu", log->panic_cpu.value)
					: NULL;
		put_stall(s, log, &row);
		s->panic_cause = summary_panic_cause(s, log, &row);
		summary_add(s, &row);
	} else if (is_cut)
		summary_unknown(s, "panic", NOT_IN_DUMP, "a part of the log is %s",
				s->dump->log_file ? log_file_lacks(s->dump->log_file)
						  : "not in this dump");
	if (s->dump->log_file && h->seconds.known && !s->is_hung)
		add_hung(s, h);
	summary_add_hung_owner(s);
}

#define NULL_PAGE 4096 /* bytes: a page of x86-64, the smallest of arm64 */

/* Bits of "#PF: error_code(0x0003) - permissions violation", of x86 (enum x86_pf_error_code). */
enum { PF_PRESENT = 1, PF_WRITE = 2, PF_USER = 4, PF_FETCH = 16 };

/* Of a page that is not present: what the kernel had there, as far as this dump tells. */
static const char *unmapped_at(struct dump *d, const struct oops *o, uint64_t address)
{
	struct address_info at;

	if (d->log_file || o->kind != OOPS_PAGE_FAULT || address_classify(d, address, &at) != ST_OK)
		return NULL;
	d->error[0] = '\0';
	if (at.kind == AT_VMALLOC && !(o->pf_code.known && o->pf_code.value & PF_PRESENT) &&
	    address >= at.start + at.size - dump_page_size(d))
		return dump_text(d, "in the guard page behind a vmalloc area of %s: past its end",
				 SIZE_TEXT(at.size - dump_page_size(d)));
	return at.kind == AT_FREED
		       ? dump_text(d, "in a vmalloc area of %s that was freed", SIZE_TEXT(at.size))
	       : at.kind == AT_KERNEL ? "where nothing is mapped that is known"
				      : NULL;
}

/* Of a page that is there why it was not to be had. */
static const char *refused_at(const struct oops *o, uint64_t address)
{
	const uint64_t code = o->pf_code.known ? o->pf_code.value : 0;

	if (!(code & PF_PRESENT) || code & PF_USER)
		return NULL;
	return !(address >> 63)	 ? "which is user memory: the kernel reads and writes that by "
				   "copy_from_user() and copy_to_user() alone"
	       : code & PF_FETCH ? "which is no code (NX)"
	       : code & PF_WRITE ? "which may only be read"
				 : NULL;
}

/* What the register of the instruction was taken for, or, as the kernel has it in its line on the fault, NULL. */
static const char *pointer_of(struct dump *d, const struct oops *o, uint64_t address)
{
	char pointer[OOPS_POINTER];

	if (oops_pointer_text(&o->code, &o->registers, address, pointer))
		return dump_text(d, "as %s", pointer);
	/* Which register the instruction has is in its code. */
	for (unsigned int i = 0; !o->code.n && address < NULL_PAGE && i < o->registers.n; i++)
		if (o->registers.all[i].value >= (uint64_t)-NULL_PAGE)
			return dump_text(d,
					 "behind a NULL pointer, or the error number -%d in %.4s",
					 (int)-o->registers.all[i].value, o->registers.all[i].name);
	if (o->kind != OOPS_PAGE_FAULT)
		return NULL;
	return !address ? "a NULL pointer"
	       : address < NULL_PAGE ? "behind a NULL pointer"
				   : refused_at(o, address) ?: unmapped_at(d, o, address);
}

/* "BUG at mm/slub.c:419", of the kernel's "kernel BUG at mm/slub.c:419!"; without the folder of who built a driver. */
static const char *bug_at(struct dump *d, const char *headline)
{
	const char *at = log_find(headline, "kernel BUG at "), *name = at;
	const int len = at ? (int)strcspn(at, "! ") : 0;

	for (const char *p = at; at && *at == '/' && p < at + len; p++)
		name = *p == '/' ? p + 1 : name;
	return at ? dump_text(d, "BUG at %.*s", len - (int)(name - at), name) : NULL;
}

static void add_oops(struct summary *s, const struct oops_log *log)
{
	const struct oops *o = &log->oops;
	struct statement row = { .section = SECTION_EXCEPTION };

	if (oops_is_fatal(log)) {
		struct oops *copy = dump_alloc(s->dump, sizeof(*copy));

		*copy = *o;
		s->oops = copy;
		row.name = oops_kind_name(o->kind);
		row.called = *o->said		   ? dump_text(s->dump, "bug (%s)", o->said)
			     : o->kind == OOPS_BUG ? bug_at(s->dump, o->headline)
						   : oops_exception_name(o);
		if (oops_recurring(o))
			row.called = dump_text(s->dump, "stack overflow by %s, which calls itself",
					       summary_frame(s, oops_recurring(o)));
		if (!strchr(o->ip, '['))
			row.caller = summary_frame(s, module_frames_first(&o->modules));
		row.is_interrupted = o->in_irq;
		row.function = summary_handler(s, o);
		if (o->address.known || o->kind == OOPS_PAGE_FAULT ||
		    o->kind == OOPS_STACK_OVERFLOW)
			row.address = log_maybe(o->address.known ? o->address : o->cr2);
		row.ip_symbol = text(o->ip);
		if (row.address.known && (!summary_is_jump(&row) || row.address.n < NULL_PAGE))
			row.pointer = pointer_of(s->dump, o, row.address.n);
		row.unloaded = summary_unloaded(s, copy, &row);
		row.ts = summary_time_of(s, o->ts_ns);
		row.log_date = log_file_date(s->dump, o->ts_ns);
		row.pid = log_maybe(o->pid);
		row.comm = o->pid.known ? text(o->comm) : NULL;
		/* What it was at says its stack. */
		if (o->pid.known && !s->dump->log_file && (o->in_irq || summary_is_jump(&row)))
			s->beside[0] = (int32_t)o->pid.value;
	} else if (oops_is_of_init(log)) {
		row.name = "user_fault";
		row.address = (struct maybe_u64){ log->user.address, true };
		row.pid = (struct maybe_u64){ (uint64_t)log->user.pid, true };
		row.comm = text(log->user.comm);
		row.ts = summary_time_of(s, log->user.ts_ns);
		row.log_date = log_file_date(s->dump, log->user.ts_ns);
	} else {
		return;
	}
	s->is_oops = true;
	summary_add(s, &row);
}

/* The report has no nodes where the kernel panicked before it printed them: those of the task. */
static const char *mems_of(struct summary *s, const struct oom_report *r)
{
	char nodes[OOM_NODES];

	if (*r->mems_allowed)
		return r->mems_allowed;
	if (s->dump->log_file)
		return NULL;
	if (r->outcome != OOM_PANICKED || !r->pid.known || r->pid.value > INT32_MAX ||
	    mems_allowed_read(s->dump, (int32_t)r->pid.value, nodes, sizeof(nodes)) != ST_OK)
		return NULL;
	return *nodes ? dump_strdup(s->dump, nodes) : NULL;
}

/* Above, the kernel does not invoke the OOM killer: the request fails (include/linux/mmzone.h). */
#define PAGE_ALLOC_COSTLY_ORDER 3

struct statement summary_report(struct summary *s, const struct oom_report *r)
{
	return (struct statement){
		.section = SECTION_OOM,
		.name = oom_report_kind_name(r->kind),
		.ts = summary_time_of(s, r->ts_ns),
		.is_late = !r->has_head,
		.log_date = log_file_date_text(s->dump, r->first->date_s),
		.pid = log_maybe(r->pid),
		.comm = r->has_comm ? text(r->comm) : NULL,
		.order = { (uint64_t)(int64_t)r->order, r->has_order },
		.gfp_mask = log_maybe(r->gfp_mask),
		.gfp = oom_report_gfp(s->dump->arena, r),
		.constraint = text(r->constraint),
		.constraint_derived = r->constraint_derived,
		.nodemask = text(r->nodemask),
		.mems_allowed = mems_of(s, r),
		.memcg = text(r->oom_memcg),
		.caller = text(r->asked_in),
		.function = text(r->function),
		.system_call = text(r->system_call),
		.outcome = oom_outcome_name(r->outcome),
		.remark = oom_report_remark(s->dump->arena, r),
		.victim_pid = log_maybe(r->victim.pid),
		.victim_anon = oom_report_victim_anon(r),
		.victim_comm = r->victim.has_comm ? text(r->victim.comm) : NULL,
	};
}

static void add_oom(struct summary *s, const struct oom_reports *all)
{
	const struct oom_report *r = oom_reports_last(all, OOM_REPORT_OOM), *newest = r;
	unsigned int bare = 0;
	struct statement row;

	for (unsigned int i = 0; i < all->n; i++) {
		/* Of two in one another a part that lost its head is of one that has its own. */
		const bool counts = all->reports[i].kind == OOM_REPORT_OOM &&
				    !all->reports[i].may_be_rest &&
				    (!all->has_mixed || all->reports[i].has_head);

		s->log_reports += counts;
		bare += counts && oom_report_is_bare(&all->reports[i]);
		if (all->reports[i].kind == OOM_REPORT_OOM &&
		    !oom_report_is_by_sysrq(&all->reports[i]))
			s->ran_out = &all->reports[i];
	}
	if (r && oom_report_is_bare(r))
		s->ran_out = r = log_newest_full(s, r);
	if (r != newest)
		s->log_reports -= bare;
	if (r && r == s->ran_out)
		s->ran_out = r = log_newest_told(s, r);
	if (!r)
		s->ran_out = r = oom_reports_last(all, OOM_REPORT_ALLOCATION);
	if (!r)
		return;
	s->has_report = true;
	s->last_report = r;
	s->ran_out_in_cgroup = oom_report_is_of_cgroup(r);
	if (r->has_order && r->order > PAGE_ALLOC_COSTLY_ORDER)
		s->failed_order = (unsigned int)r->order;
	row = summary_report(s, r);
	row.later = newest && newest != r ? log_newest_later(s, newest) : NULL;
	if (r->kind == OOM_REPORT_ALLOCATION)
		row.remark = summary_failures(s, all);
	summary_add(s, &row);
}

static bool is_full(const struct oom_limit *l)
{
	return l->usage_kib.known && oom_limit_is_set(l) &&
	       l->usage_kib.value >= l->limit_kib.value - l->limit_kib.value / 100;
}

/* Where the machine ended with it. */
static void find_limit(struct summary *s)
{
	const char *older, *name;
	const struct oom_report *r = summary_report_of_end(s, &older);
	const struct oom_limit *limit;

	if (!r || !oom_report_is_of_cgroup(r) || r->oom_memcg[0] != '/' || !r->oom_memcg[1])
		return;
	limit = oom_report_limit(r, &name);
	/* Of a log nothing says what is charged to it, and shares are of its limit of memory alone. */
	if (!s->dump->log_file)
		s->limit_path = r->oom_memcg;
	else if (limit != &r->memory && !is_full(&r->memory))
		return;
	else
		limit = &r->memory;
	if (limit && limit->limit_kib.known && s->dump->page_shift > 10)
		s->limit_pages = limit->limit_kib.value >> (s->dump->page_shift - 10);
}

/* Once, for the story too. */
static void read_lines(struct summary *s, const struct kernel_log *log, const struct oops_log *oops)
{
	struct log_told *told = dump_alloc(s->dump, sizeof(*told));

	disk_errors_read(log, &told->disks);
	hardware_errors_read(log, &told->hardware);
	log_signs_read(log, &told->signs);
	log_flood_find(log, &told->flood);
	lost_paths_read(log, &told->paths);
	user_crashes_read(log, &told->crashes);
	if (!oops_is_fatal(oops) && oops_is_of_init(oops))
		told->init = oops->user;
	s->told = told;
}

enum status summary_log(struct summary *s)
{
	struct dump *d = s->dump;
	struct oops_log *oops = dump_alloc(d, sizeof(*oops));
	struct kernel_log log = { 0 };
	enum status st = kernel_log_read(d, &log);
	const char *why = dump_why(d);

	if (st == ST_STOPPED)
		return st;
	if (st != ST_OK && !log.n)
		return dump_fail(d, st == ST_ABSENT ? ST_UNKNOWN : st,
				 "the kernel log cannot be read: %s", why);
	if (log.is_cut) {
		report_warn(s->report, "a part of the log is %s",
			    d->log_file ? log_file_lacks(d->log_file) : "not in this dump");
		s->complete = false;
	}
	for (size_t i = 0; i < log.n; i++)
		oops_log_record(oops, &log.records[i]);
	st = oom_reports_read(d, &log, &s->reports);
	if (st != ST_OK)
		return st;
	if (oom_growth_read(d, &log, &s->reports, &s->growth) == ST_STOPPED)
		return ST_STOPPED;
	if (s->reports.has_mixed)
		summary_unknown(s, "figures of reports", NOT_IN_DUMP,
				"lines of two reports stand in one another: what may be of either "
				"is left out");
	if (d->log_file && d->log_file->left_reports)
		summary_unknown(
			s, "more reports", NOT_IN_DUMP,
			"the first line of %s has no time stamp, where other lines have one: "
			"what belongs to it is left out",
			COUNT_OF(d->log_file->left_reports, "report"));
	if (s->reports.unread && oom_reports_last(&s->reports, OOM_REPORT_OOM))
		summary_unknown(
			s, "more reports", NOT_IN_DUMP,
			"the first line of %s is in a form that is unknown: what belongs to it is "
			"not told",
			COUNT_OF(s->reports.unread, "report"));
	if (d->log_file && *s->reports.reaped)
		summary_unknown(
			s, "more reports", NOT_IN_DUMP,
			"oom_reaper freed the memory of %s%s: lines on these kills are not in the log",
			s->reports.reaped,
			s->reports.more_reaped
				? dump_text(d, " and %u more", s->reports.more_reaped)
				: "");
	s->log_whole = !log.is_cut;
	s->log_cut = log.is_cut;
	s->log_dropped = log.misses_processes;
	s->log_start_ns = log.n ? kernel_log_start(&log, d->log_file && !d->log_file->has_no_times)
				: 0;
	s->has_panic = oops->has_panic;
	s->has_lockup = oops->stall.kind != STALL_NONE || oops->hung.seconds.known;
	add_panic(s, oops, log.is_cut);
	add_oops(s, oops);
	summary_add_warnings(s, &log, oops);
	add_oom(s, &s->reports);
	fork_rejects_read(&log, &s->forks);
	add_forks(s);
	limit_lines_read(&log, &s->limits);
	unit_restarts_read(&log, &s->units);
	summary_add_limits(s);
	summary_add_slab_failures(s, &log);
	read_lines(s, &log, oops);
	summary_add_crashes(s);
	if (!s->last_report)
		summary_add_disk_errors(s);
	summary_add_hardware(s);
	if (!s->last_report)
		summary_add_signs(s);
	summary_add_flood(s);
	summary_add_user_kills(s);
	summary_add_stalls(s, &log);
	commit_refusals_read(&log, &s->refusals);
	if (d->log_file)
		verdict_put_refusals(s);
	find_limit(s);
	if (d->log_file && !s->last_report && (s->reports.unread || d->log_file->is_respelled))
		s->log_unread = "a report in a form that is unknown";
	else if (d->log_file && !s->last_report && s->reports.n && s->reports.reports->is_cut)
		s->log_unread = "a part of a report on memory, without its first line";
	if (d->log_file)
		summary_log_list_words(s);
	return ST_OK;
}
