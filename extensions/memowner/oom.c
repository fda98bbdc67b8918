// SPDX-License-Identifier: GPL-2.0-or-later
/* The report of the log on memory that ran out, in words, and who asked last: that is no reason to hold it for the cause. */

#include "cgroup/cgroup.h"
#include "collect/held.h"
#include "kernel/jiffies.h"
#include "log/log_file.h"
#include "summary.h"
#include "verdict_words.h"

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

	/* "10.774437 s, 12ms before the panic"; without the first line of the report its time is that of a later one. */
	if (row->ts.known)
		strbuf_add(b, "%s%s s%s%s", row->is_late ? "at the latest " : "",
			   STAMP_TEXT(row->ts.n), row->log_date ? ", " : "", row->log_date ?: "");
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
	if (!is_oom && row->remark)
		strbuf_add(b, "; %s", row->remark);
	if (!is_oom)
		return false;
	/* With panic_on_oom=2 the kernel prints no constraint: the nodes may tell it. */
	strbuf_add(b, "; %s%s", row->constraint ?: "constraint unknown",
		   row->constraint_derived ? " (derived)" : "");
	if (row->nodemask && row->constraint &&
	    !strcmp(row->constraint, "CONSTRAINT_MEMORY_POLICY"))
		strbuf_add(b, ", nodemask of %s %s",
			   strpbrk(row->nodemask, ",-") ? "nodes" : "node", row->nodemask);
	if (row->mems_allowed &&
	    (!row->constraint || !strcmp(row->constraint, "CONSTRAINT_CPUSET")))
		strbuf_add(b, ", mems_allowed %s", row->mems_allowed);
	add_outcome(row, b);
	if (row->later)
		strbuf_add(b, "; %s", row->later);
	return true;
}

#define TEXT 512	  /* of the sentence on the trigger */
#define EXECUTOR_DIGITS 2 /* of a descriptor that pid 1 opened when it started */

bool summary_is_asker(const struct summary *s, const struct task *t)
{
	const struct oom_report *r = s->ran_out;

	return r && r->pid.known && (uint64_t)(int64_t)t->pid == r->pid.value &&
	       !strcmp(t->comm, r->comm);
}

/* The pages of files are not its own. */
void summary_take_asker(struct summary *s, const struct task *t, const char *cgroup)
{
	const struct held_process *held = s->held ? held_by(s->held, t->tgid) : NULL;

	if (s->ran_out->pid.value != (uint64_t)t->tgid) {
		s->asker_process = dump_strdup(s->dump, t->comm);
		s->asker_held.n = held ? held->all >> s->dump->page_shift : 0;
	}
	s->asker_tgid = t->tgid;
	/* kswapd asks, where lru_gen has a min_ttl_ms (6.1, "mm: multi-gen LRU: thrashing prevention"). */
	if (t->is_kthread)
		s->asker_pages = (struct maybe_u64){ 0, true };
	if (!t->has_mm || !t->has_memory || t->rss_anon < 0 || t->rss_shmem < 0 || t->swap < 0)
		return;
	s->asker_pages = (struct maybe_u64){ (uint64_t)t->rss_anon + (uint64_t)t->swap, true };
	s->asker_swap = (uint64_t)t->swap;
	s->asker_shmem = (uint64_t)t->rss_shmem;
	s->asker_cgroup = cgroup;
}

static bool is_asker(const struct summary *s, const struct oom_report *r, uint64_t pid)
{
	return pid == r->pid.value ||
	       ((s->asker_pages.known || s->asker_process) && pid == (uint64_t)s->asker_tgid);
}

/* Of several processes each has a part alone. */
static bool is_of_several(const struct statement *most)
{
	return most->of && most->of->processes.known && most->of->processes.n > 1;
}

static bool is_named_as_asker(const struct summary *s, const struct oom_report *r,
			      const struct statement *most)
{
	return most->comm && !strcmp(most->comm, s->asker_process ?: r->comm);
}

/* The task is one of those that have most, or is that. */
static bool has_most(const struct summary *s, const struct oom_report *r)
{
	return ANY_NEXT(row, s->first[SECTION_MOST],
			is_named_as_asker(s, r, row) && (row->pid.known ? is_asker(s, r, row->pid.n)
									: !is_of_several(row)));
}

/* Whether it is one of several processes that have most, of which none is told alone. */
static bool is_among_most(const struct summary *s, const struct oom_report *r)
{
	return ANY_NEXT(row, s->first[SECTION_MOST],
			is_named_as_asker(s, r, row) && !row->pid.known && is_of_several(row) &&
				(!s->asker_cgroup || !row->of->cgroup ||
				 cgroup_is_below(s->asker_cgroup, row->of->cgroup)));
}

/* Whether it is among the users of a file, a map, a buffer that has most. */
static bool uses_most(const struct summary *s, const struct oom_report *r)
{
	const char *name = s->asker_process
				   ? dump_text(s->dump, "%d(%s)", s->asker_tgid, s->asker_process)
				   : dump_text(s->dump, "%ld(%s)", r->pid.value, r->comm);
	const size_t len = strlen(name);

	for (const struct statement *row = s->first[SECTION_MOST]; row; row = row->next)
		for (const char *p = row->used_by ? strstr(row->used_by->text, name) : NULL; p;
		     p = strstr(p + 1, name))
			if ((p == row->used_by->text || p[-1] == ' ') && (!p[len] || p[len] == ','))
				return true;
	return false;
}

static uint64_t most_of(const struct summary *s, uint64_t pages, const struct log_number *kib)
{
	const uint64_t told = kib->known && s->dump->page_shift > 10
				      ? kib->value >> (s->dump->page_shift - 10)
				      : 0;

	return told > pages ? told : pages;
}

/* A limit that was lowered is below what is charged: the most that is known to have been. */
static uint64_t charged_most(const struct summary *s, uint64_t whole)
{
	const struct oom_report *r = s->ran_out;
	uint64_t ret = s->limit_pages > whole ? s->limit_pages : whole;

	if (s->limit_usage.known && s->limit_usage.n > ret)
		ret = s->limit_usage.n;
	if (!r)
		return ret;
	ret = most_of(s, ret, &r->memory.usage_kib);
	return most_of(s, ret, &r->swap.usage_kib);
}

const char *charged_share_text(const struct summary *s, uint64_t pages, uint64_t whole,
			       bool is_limit, const char *name)
{
	const uint64_t most = is_limit ? charged_most(s, whole) : UINT64_MAX;

	if (pages > most)
		return dump_text(s->dump,
				 "; at most %s of it is charged to the cgroup, the rest elsewhere",
				 summary_size(s, most));
	return dump_text(s->dump, ", %s%% of %s", PERCENT_TEXT(pages, whole), name);
}

static uint64_t whole_of(const struct summary *s)
{
	/* An older report of a log may have System RAM. */
	if (s->dump->log_file && s->ran_out_in_cgroup)
		return s->limit_pages;
	return s->limit_pages && s->ran_out_in_cgroup ? s->limit_pages : s->ram_pages;
}

static struct maybe_u64 pages_of(const struct summary *s)
{
	return (struct maybe_u64){ s->asker_pages.n + s->asker_shmem + s->asker_held.n,
				   s->asker_pages.known };
}

/* Whether it has much of the kernel's memory, and less of its own. */
static bool is_of_kernel(const struct summary *s, uint64_t whole)
{
	return s->asker_held.n > s->asker_pages.n && whole &&
	       units_tenths(s->asker_held.n, whole) >= limit(LIMIT_SHOWN);
}

/*
 * What a thread (SPLIT_RSS_COUNTING), or since 6.2 a CPU, counted of an mm is added to its counters in lots: f1a7941243c1
 * "mm: convert mm's rss stats into percpu_counter". Some kernels sum them up for a report.
 */
#define BY_COUNTERS " by its counters, which may lack what is not added to them yet"

/* "75.2M, 27.3% of RAM", as its row has it, and shared memory beside, if it is much. */
static const char *own_text(const struct summary *s, uint64_t whole, bool with_share)
{
	const bool is_kernel = is_of_kernel(s, whole);
	const uint64_t swap = is_kernel ? 0 : s->asker_swap;
	const uint64_t pages = is_kernel ? s->asker_held.n : s->asker_pages.n - swap;
	const bool is_limit = s->ran_out_in_cgroup && whole == s->limit_pages;
	struct strbuf b = STRBUF_OF(256);

	if (!pages && !is_kernel && s->table.has_asker)
		strbuf_add(&b, "no anonymous memory" BY_COUNTERS);
	else
		strbuf_add(&b, is_kernel ? "%s of kernel memory" : "%s of anonymous memory",
			   summary_size(s, pages));
	if (!is_kernel && s->asker_shared)
		strbuf_add(&b, ", of which it shares %s", summary_size(s, s->asker_shared));
	if (with_share && whole)
		strbuf_add(&b, "%s",
			   charged_share_text(s, pages, whole, is_limit,
					      is_limit ? "the limit" : "RAM"));
	if (swap)
		strbuf_add(&b, ", and %s in swap", summary_size(s, swap));
	if (whole && units_tenths(s->asker_shmem, whole) >= limit(LIMIT_HOLDER))
		strbuf_add(&b, ", beside %s of shared memory", summary_size(s, s->asker_shmem));
	return dump_strdup(s->dump, b.buf);
}

/* Whether what has most is of processes: of memory that the kernel has for itself any task may be the reason. */
static bool is_of_processes(const struct statement *most)
{
	return most && most->comm && (!most->by || !strcmp(most->by, "command"));
}

/* The row of its cgroup, if that is charged for far more than the task has: that may be its doing; NULL: it is not. */
static const struct statement *cgroup_row(const struct summary *s, uint64_t pages)
{
	const struct statement *row = s->asker_cgroup ? s->first[SECTION_HOLDER] : NULL;

	/* The verdict is on that one. */
	if (s->verdict == VERDICT_CGROUP && s->asker_cgroup && s->limit_path &&
	    !strcmp(s->asker_cgroup, s->limit_path))
		return NULL;

	while (row &&
	       (strcmp(row->by, "cgroup") || !row->name || strcmp(row->name, s->asker_cgroup) != 0))
		row = row->next;
	return row && row->pages.n / 2 > pages ? row : NULL;
}

/* Whether the function of a module that asked is of the one that has most: "sensor_work [sensorq]". */
static bool asked_in_most(const struct summary *s, const struct oom_report *r)
{
	const struct statement *most = s->first[SECTION_MOST];
	const char *module = most && !most->next && most->of ? most->of->module : NULL;
	const char *of = strchr(r->asked_in, '[');
	const size_t n = module ? strlen(module) : 0;

	return n && of && !strncmp(of + 1, module, n) && !strcmp(of + 1 + n, "]");
}

/* Then what it had is told of the victim. */
static bool is_own_victim(const struct oom_report *r)
{
	return r->outcome == OOM_KILLED && r->victim.pid.known && r->victim.anon_rss_kib.known &&
	       r->victim.pid.value == r->pid.value;
}

/* What it has for itself, or that it is who has most. */
static void add_size(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	const uint64_t whole = whole_of(s);
	const struct statement *most = s->first[SECTION_MOST];
	const struct maybe_u64 pages = pages_of(s);
	const bool is_little = pages.known && whole &&
			       units_tenths(pages.n, whole) < limit(LIMIT_HOLDER);
	const struct statement *cgroup = is_little ? cgroup_row(s, pages.n) : NULL;

	if (is_among_most(s, r))
		strbuf_add(b, "; it is one of these processes");
	if (!has_most(s, r) && uses_most(s, r))
		strbuf_add(b, "; it has open, or maps, what is named");
	if (has_most(s, r) && !is_among_most(s, r))
		strbuf_add(b, "; %s %s", s->asker_process ? "that process" : "it",
			   most->next	    ? "is one of the holders"
			   : most->of_known ? "has most of what is known"
					    : "is the holder");
	else if (!pages.known && s->asker_rss.known)
		strbuf_add(b, "; its rss is %s, files among it", summary_size(s, s->asker_rss.n));
	else if (!pages.known)
		strbuf_add(b, "%s",
			   asked_in_most(s, r) || is_own_victim(r)
				   ? ""
				   : (is_among_most(s, r) ? NULL : summary_asker_thread(s, r))
					     ?: "; what it holds is unknown");
	else if (!pages.n)
		strbuf_add(b, "; it has no anonymous memory%s",
			   s->table.has_asker ? BY_COUNTERS : "");
	else if (s->verdict != VERDICT_KEPT && is_little && !cgroup && !uses_most(s, r) &&
		 is_of_processes(most) && s->asker_held.known && !is_among_most(s, r))
		strbuf_add(b, "; it has only %s", own_text(s, whole, false));
	else if (is_little || s->verdict == VERDICT_KEPT)
		strbuf_add(b, "; it has %s", own_text(s, whole, false));
	else
		strbuf_add(b, " and has %s", own_text(s, whole, true));
	if (!cgroup || has_most(s, r))
		return;
	if (most && most->of == cgroup)
		strbuf_add(b, "; its cgroup %s",
			   most->of_known ? "has most of what is known" : "is the holder");
	else
		strbuf_add(b, "; its cgroup %.200s has %s", cgroup->name,
			   summary_size(s, cgroup->pages.n));
}

static const char *size_of(const struct summary *s, const struct oom_victim *v)
{
	const uint64_t anon = v->anon_rss_kib.value;
	const uint64_t shmem = v->shmem_rss_kib.known ? v->shmem_rss_kib.value : 0;

	if (!v->anon_rss_kib.known)
		return "";
	if (!anon && !shmem)
		return " of 0B" BY_COUNTERS;
	/* Another one may have that too: its end frees it not. */
	return shmem > anon ? dump_text(s->dump, " of %s, beside %s of shared memory",
					SIZE_TEXT(anon << 10), SIZE_TEXT(shmem << 10))
			    : dump_text(s->dump, " of %s", SIZE_TEXT((anon + shmem) << 10));
}

/* The row of its process alone; NULL: it has none. */
static const struct statement *asker_row(const struct summary *s)
{
	const struct statement *row = s->asker_pages.known ? s->first[SECTION_GROUP] : NULL;

	while (row && (!row->pid.known || row->pid.n != (uint64_t)s->asker_tgid))
		row = row->next;
	return row;
}

/* "; this api started 731ms before the panic": the service that was killed is there again. */
static void add_start(const struct summary *s, const struct oom_report *r,
		      const struct oom_report *killed, struct strbuf *b)
{
	const struct statement *row = asker_row(s);
	uint64_t age;

	if (row && row->oldest.known && killed->victim.has_comm &&
	    !strcmp(killed->victim.comm, r->comm) && killed->victim.pid.value != row->pid.n &&
	    age_at_panic(&s->report->info, killed->kill_ns, &age) && row->oldest.n < age)
		strbuf_add(b, "; this %s started %s before the %s", r->comm,
			   TIME_TEXT(row->oldest.n), age_end(&s->report->info));
}

/*
 * systemd executes its helper by a descriptor since 254, whose number is its name until it has that of the service. Programs
 * may have such names, too.
 */
static const char *executor_text(const char *comm)
{
	return comm && *comm && !comm[strspn(comm, "0123456789")] && strlen(comm) <= EXECUTOR_DIGITS
		       ? " (it may be one that systemd was starting: such have a number as name)"
		       : "";
}

bool summary_misses_reports(const struct summary *s)
{
	return s->reports.dropped || s->log_cut || s->log_dropped;
}

static void add_victim(const struct summary *s, const struct oom_victim *v, struct strbuf *b)
{
	strbuf_add(b, "%s%s%s", SUMMARY_TASK(log_maybe(v->pid), v->has_comm ? v->comm : NULL),
		   executor_text(v->has_comm ? v->comm : NULL), size_of(s, v));
}

/* The newest report before one, of the same scope, that killed somebody; NULL: none is known. */
static const struct oom_report *kill_before(const struct summary *s, const struct oom_report *r,
					    unsigned int *kills)
{
	const struct oom_report *last = NULL;

	*kills = 0;
	for (unsigned int i = 0; i < s->reports.n; i++) {
		const struct oom_report *x = &s->reports.reports[i];

		if (x >= r || x->outcome != OOM_KILLED || oom_report_is_by_sysrq(x) ||
		    oom_report_is_of_cgroup(x) != oom_report_is_of_cgroup(r) ||
		    strcmp(x->oom_memcg, r->oom_memcg) != 0)
			continue;
		++*kills;
		last = x;
	}
	return last;
}

static void add_left(const struct oom_report *r, struct strbuf *b)
{
	uint64_t freed;

	if (oom_report_hardly_freed(r, &freed))
		strbuf_add(b, "; of its anonymous memory oom_reaper freed %s%s",
			   freed ? "only " : "nothing", freed ? SIZE_TEXT(freed << 10) : "");
}

/* "; before it, ordersdb (120) of 36.2M was killed, 5.9s earlier" */
static void add_kills(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	unsigned int kills;
	const struct oom_report *last = kill_before(s, r, &kills);

	if (r->outcome == OOM_KILLED) {
		strbuf_add(b, "; the OOM killer killed ");
		add_victim(s, &r->victim, b);
		if (r->not_reaped)
			strbuf_add(b, ", whose memory was not freed");
		add_left(r, b);
	}
	if (!last || !last->kill_ns || last->kill_ns > r->ts_ns)
		return;
	if (kills > 1)
		strbuf_add(b, "; %s%u were killed before, the last, ",
			   summary_misses_reports(s) ? "at least " : "", kills);
	else
		strbuf_add(b, "; before it, ");
	add_victim(s, &last->victim, b);
	strbuf_add(b, "%s", kills > 1 ? "" : " was killed");
	if (!summary_time_of(s, r->ts_ns).known)
		return;
	strbuf_add(b, ", %s earlier", TIME_TEXT(r->ts_ns - last->kill_ns));
	add_left(last, b);
	add_start(s, r, last, b);
}

/* " (for order 3, in frame_open [framegrab] of the holder)" */
static void add_request(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	const bool is_in_most = asked_in_most(s, r), has_order = r->has_order && r->order > 0;
	const char *in = is_in_most ? r->asked_in : r == s->ran_out ? summary_asked_in(s) : NULL;
	const char *call = *r->system_call ? r->system_call : NULL;

	if (!in && call && *r->function)
		in = r->function;
	if (!in && !has_order && !call)
		return;
	strbuf_add(b, " (");
	if (has_order)
		strbuf_add(b, "for order %d", r->order);
	if (in)
		strbuf_add(b, "%sin %s%s", has_order ? ", " : "", in,
			   is_in_most ? " of the holder" : "");
	if (call)
		strbuf_add(b, "%ssystem call %s", has_order || in ? ", " : "in ", call);
	strbuf_add(b, ")");
}

/* "head (2541), child of bash (239), asked last": what ends soon says less than who started it. */
static void add_parent(const struct summary *s, const struct oom_report *r, struct strbuf *b)
{
	const size_t len = b->len;

	summary_add_parent(s, (int32_t)r->pid.value, ", ", b);
	if (b->len != len)
		strbuf_add(b, ",");
}

/* "; its lru_gen/min_ttl_ms is 1000": mm/vmscan.c keeps jiffies. */
static void add_kswapd(struct summary *s, struct strbuf *b)
{
	struct dump *d = s->dump;
	struct jiffies jiffies = { 0 };
	uint64_t ttl = 0;

	if (!d->log_file && dump_symbol_u64(d, "lru_gen_min_ttl", &ttl) == ST_OK && ttl)
		jiffies_open(d, &jiffies);
	d->error[0] = '\0';
	strbuf_add(b, ", for lru_gen's min_ttl_ms");
	if (jiffies.tick_ns && ttl < UINT64_MAX / jiffies.tick_ns)
		strbuf_add(b, ", which is %lu", ttl * jiffies.tick_ns / 1000000);
	strbuf_add(b, ": no request had failed, the working set did not fit");
}

/* Of a text that has no more than the first lines of a newer report, of another task. */
static const char *of_whole(const struct summary *s, const struct oom_report *r)
{
	const struct oom_report *newest = oom_reports_last(&s->reports, OOM_REPORT_OOM);

	return newest > r && newest->has_head && r == s->last_report &&
			       strcmp(newest->comm, r->comm) != 0
		       ? " of those whose report this log has"
		       : "";
}

void summary_trigger(struct summary *s)
{
	const char *older;
	const struct oom_report *r = summary_report_of_end(s, &older);
	const struct statement *row = asker_row(s);
	struct strbuf b = STRBUF_OF(TEXT);

	if (!r || !r->has_head || oom_report_is_by_sysrq(r) || s->verdict == VERDICT_NOT_SHORT)
		return;
	strbuf_add(&b, "%s%s", SUMMARY_TASK(log_maybe(r->pid), r->has_comm ? r->comm : NULL),
		   executor_text(r->comm));
	if (s->asker_process)
		strbuf_add(&b, ", a thread of %s (%d),", s->asker_process, s->asker_tgid);
	else if (!has_most(s, r) && (uint64_t)s->asker_tgid == r->pid.value)
		add_parent(s, r, &b);
	/* "corekeep (169), which reads the core dump of pricer (156), asked last" */
	if (row && row->fate && !has_most(s, r))
		strbuf_add(&b, ", which %s,", row->fate);
	strbuf_add(&b, " asked last%s", of_whole(s, r));
	if (oom_report_is_by_kswapd(r)) {
		add_kswapd(s, &b);
	} else {
		add_request(s, r, &b);
		add_size(s, r, &b);
	}
	add_kills(s, r, &b);
	SUMMARY_ADD(s, .section = SECTION_TRIGGER, .pid = log_maybe(r->pid),
		    .comm = r->has_comm ? r->comm : NULL,
		    .pages = { s->asker_pages.n - s->asker_swap, s->asker_pages.known },
		    .swapped = { s->asker_swap, s->asker_pages.known },
		    .remark = dump_strdup(s->dump, b.buf));
}

/* "the last of at least 12 since 80.953110 s": the kernel prints a few a second at most; NULL: the only one. */
const char *summary_failures(const struct summary *s, const struct oom_reports *all)
{
	const bool has_times = !s->dump->log_file || !s->dump->log_file->has_no_times;
	const struct oom_report *first = NULL;
	const bool is_late = all->reports[all->n - 1].kind == OOM_REPORT_MEM_INFO;
	uint64_t n = 0;

	for (unsigned int i = 0; i < all->n; i++)
		if (all->reports[i].kind == OOM_REPORT_ALLOCATION && !n++)
			first = &all->reports[i];
	if (n < 2)
		return NULL;
	return dump_text(s->dump, "the last of at least %s%s%s", COUNT_TEXT(n),
			 has_times ? dump_text(s->dump, " since %s s", STAMP_TEXT(first->ts_ns))
				   : "",
			 is_late ? "; a later block Mem-Info has no first line" : "");
}
