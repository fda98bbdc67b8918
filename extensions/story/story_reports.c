// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of the log: reports on memory, warnings, what did not get on. */
#include "log/log_file.h"
#include "log/standstill.h"
#include "log/warning.h"
#include "memowner/log_source.h"
#include "memowner/verdict_words.h"
#include "oom/oom_total.h"
#include "story.h"
#include "symbols/allocators.h"

static struct maybe_u64 time_of(const struct story *st, uint64_t ts_ns)
{
	return (struct maybe_u64){ ts_ns, !st->has_no_times };
}

static const enum event_kind kinds[] = { [OOM_REPORT_OOM] = EVENT_OOM,
					 [OOM_REPORT_ALLOCATION] = EVENT_ALLOCATION,
					 [OOM_REPORT_MEM_INFO] = EVENT_MEM_INFO };

/* What of the first report of the log is worth a word: before it the log says nothing of a shortage. */
static const char *first_words(const struct story *st, unsigned int i)
{
	const struct summary *s = st->s;

	if (i || s->log_cut || s->log_dropped || oom_report_is_by_sysrq(&s->reports.reports[i]))
		return "";
	return s->reports.n == 1 ? "only report of the log on memory: "
				 : "first report of the log on memory: ";
}

/* Older reports are behind the rows that are shown. */
static const char *all_rows(const struct story *st)
{
	return st->s->reports.n > LOG_ROWS ? " -n 0" : "";
}

/* The columns that have the words of a sentence. */
static const char *command_of(const struct story *st, const char *text, bool has_anon)
{
	return dump_text(st->s->dump, "memowner log -o +gfp,constraint%s%s%s%s",
			 strstr(text, "nodemask ") ? ",nodemask" : "",
			 strstr(text, "mems_allowed ") ? ",mems_allowed" : "",
			 has_anon ? ",victim_anon" : "", all_rows(st));
}

static void add_report(struct story *st, unsigned int i)
{
	struct summary *s = st->s;
	const struct oom_report *r = &s->reports.reports[i];
	const struct statement row = summary_report(s, r);
	const struct maybe_u64 anon = oom_report_victim_anon(r);
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	strbuf_add(&b, "%s", first_words(st, i));
	if (oom_report_is_bare(r))
		strbuf_add(&b, "%s was killed; the log has no report of it",
			   SUMMARY_TASK(row.victim_pid, row.victim_comm));
	else if (r->kind == OOM_REPORT_MEM_INFO)
		strbuf_add(&b, "a list of memory was logged, %s", summary_log_list_asker(s, r));
	else
		summary_oom_words(&row, &b);
	if (r->kind == OOM_REPORT_OOM && anon.known)
		strbuf_add(&b, "; the victim had %s of anonymous memory%s", SIZE_TEXT(anon.n),
			   anon.n ? "" : ", by its counters");
	STORY_ADD(st, .kind = kinds[r->kind], .ts = time_of(st, r->ts_ns), .log_date = row.log_date,
		  .what = row.victim_comm ? row.victim_comm : row.comm, .text = b.buf,
		  .bytes = anon, .command = command_of(st, b.buf, anon.known),
		  .basis = row.constraint_derived ? "derived" : "recorded");
}

/* What the reader of the log did not keep, between the oldest and the second one. */
static void add_more(struct story *st)
{
	const struct oom_reports *all = &st->s->reports;
	char text[STORY_TEXT];

	if (!all->dropped)
		return;
	snprintf(text, sizeof(text), "%s found and not kept, from here on",
		 PLURAL_TEXT(all->dropped, "more report was", "more reports were"));
	STORY_ADD(st, .kind = EVENT_MORE, .ts = time_of(st, all->dropped_ns), .text = text,
		  .command = "memowner log", .basis = "recorded");
}

/* Reports that the kernel did not print, by its last line on them. */
static void add_suppressed(struct story *st, const struct oom_suppressed *of, const char *what)
{
	if (of->n)
		STORY_ADD(st, .kind = EVENT_MORE, .ts = time_of(st, of->last->ts_ns),
			  .log_date = log_file_date_text(st->s->dump, of->last->date_s),
			  .text = dump_text(
				  st->s->dump,
				  "the kernel has left out %s %s, up to here: it limits their rate",
				  COUNT_OF(of->n, "report"), what),
			  .command = "memowner log", .basis = "recorded");
}

/* Counters of a report that tell most, in bytes. */
static const struct {
	const char *name;
	struct maybe_u64 (*of)(const struct dump *d, const struct oom_report *r);
} counters[] = {
	{ "free", oom_report_free },
	{ "free swap", oom_report_free_swap },
	{ "LRU lists of anonymous and shared memory", oom_report_anon },
	{ "unreclaimable slab", oom_report_slab },
};

/* Which report it is: not each has a list of memory. */
static const char *at_report(const struct story *st, const struct oom_report *r)
{
	const struct oom_reports *all = &st->s->reports;

	if (r == &all->reports[all->n - 1])
		return all->n > 1 && st->has_no_times ? "memory at the last report: "
						      : "memory at this report: ";
	return dump_text(st->s->dump, "memory at the last report that lists it%s%s: ",
			 r->has_comm ? ", of " : "",
			 r->has_comm ? SUMMARY_TASK(log_maybe(r->pid), r->comm) : "");
}

/* "free memory 20.1M and then 5.1M, ...": what the first and the last report that list memory have. */
static void add_change(struct story *st)
{
	struct summary *s = st->s;
	const struct oom_report *first = NULL, *last = NULL;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	bool has_more = false;

	for (unsigned int i = 0; i < s->reports.n; i++) {
		const struct oom_report *r = &s->reports.reports[i];

		if (!r->has_mem_info)
			continue;
		first = first ?: r;
		last = r;
	}
	if (!last || !s->dump->page_shift)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		struct maybe_u64 was = counters[i].of(s->dump, first),
				 is = counters[i].of(s->dump, last);

		/* Where there is no swap, none of it is free. */
		if (!is.known ||
		    (counters[i].of == oom_report_free_swap && !last->mem.total_swap_kib.value))
			continue;
		strbuf_add(&b, "%s%s %s", has_more ? ", " : at_report(st, last), counters[i].name,
			   SIZE_TEXT(is.n));
		if (first != last && was.known && was.n != is.n)
			strbuf_add(&b, " (%s at the first report)", SIZE_TEXT(was.n));
		has_more = true;
	}
	if (!has_more)
		return;
	STORY_ADD(st, .kind = EVENT_CHANGE, .ts = time_of(st, last->ts_ns),
		  .log_date = log_file_date_text(s->dump, last->first->date_s), .text = b.buf,
		  .command = dump_text(s->dump,
				       "memowner log -o +free,swap_free,lru_anon,sunreclaim%s",
				       all_rows(st)),
		  .basis = "recorded");
}

/* The kernel logs the first one of each cgroup: the first of all, and the last. */
static void add_fork(struct story *st, const struct kernel_record *r, const char *path,
		     const char *more)
{
	if (r)
		STORY_ADD(st, .kind = EVENT_FORK, .ts = time_of(st, r->ts_ns),
			  .log_date = log_file_date_text(st->s->dump, r->date_s),
			  .what = *path ? path : NULL,
			  .text = dump_text(st->s->dump, "pids.max refused a fork in cgroup %s%s",
					    *path ? path : "of an unknown name", more),
			  .command = "memowner log", .basis = "recorded");
}

static void add_forks(struct story *st)
{
	const struct fork_rejects *f = &st->s->forks;

	add_fork(st, f->first, f->first_path, f->n > 1 ? ", the first that is logged" : "");
	if (f->n > 1)
		add_fork(st, f->last, f->path, f->n > 2 ? ", as in others before" : "");
}

static void add_reached(struct story *st, const struct kernel_record *r, const char *text)
{
	STORY_ADD(st, .kind = EVENT_REACHED, .ts = time_of(st, r->ts_ns),
		  .log_date = log_file_date_text(st->s->dump, r->date_s), .text = text,
		  .command = "memowner log", .basis = "recorded");
}

/* Open files, connections, neighbours: the first line of each, and the last. */
static void add_limit_lines(struct story *st)
{
	for (size_t i = 0; i < LIMIT_LINES; i++) {
		const struct limit_line *l = &st->s->limits.of[i];

		if (!l->n)
			continue;
		add_reached(st, l->first, dump_text(st->s->dump, "%s (%s)", l->what, l->sysctl));
		if (l->n > 1)
			add_reached(st, l->last,
				    dump_text(st->s->dump, "%s (%s), the last time that is logged",
					      l->what, l->sysctl));
	}
}

/* Who grew between the tables of tasks of the first and the last report. */
static void add_grown(struct story *st)
{
	const struct summary *s = st->s;
	const struct oom_growth *g = &s->growth;
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!g->n)
		return;
	strbuf_add(&b, "who grew, by the first and the last whole table of tasks: ");
	oom_growth_text(s->dump, g, !st->has_no_times, &b);
	STORY_ADD(st, .kind = EVENT_GROWN, .ts = time_of(st, g->table[1]->ts_ns),
		  .log_date = log_file_date_text(s->dump, g->table[1]->date_s),
		  .what = g->all[0].comm, .text = b.buf, .command = "memowner log",
		  .basis = "recorded");
}

/* The panic says on which CPU one was: what the log has of others, or sooner, led to it. */
static bool is_of_panic(const struct summary *s, const struct standstill *of)
{
	const struct statement *panic = s->first[SECTION_PANIC];

	return s->is_stalled && panic &&
	       (of->kind == STALL_RCU) == (strstr(panic->name ?: "", "RCU") != NULL) &&
	       (!panic->cpu.known || !of->cpu.known || of->cpu.value == panic->cpu.n);
}

/* Of a log alone: a dump has its threads. */
static void add_still(struct story *st)
{
	struct summary *s = st->s;
	struct kernel_log log;
	struct standstills all;

	if (kernel_log_read(s->dump, &log) != ST_OK)
		return;
	standstills_read(&log, &all);
	if (!s->dump->log_file)
		story_add_hung(st, &all);
	for (unsigned int i = 0; i < all.n; i++) {
		const struct standstill *of = &all.all[i];
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		/* Threads of a dump tell it themselves; what the machine panicked of is told with that. */
		if (!s->dump->log_file && (!of->kind || is_of_panic(s, of)))
			continue;
		standstill_text(of, &b);
		if (story_lockup_allocates(&log, of))
			strbuf_add(&b,
				   " in the allocator, or in reclaim of memory, by its call trace");
		if (of->lines > 1)
			strbuf_add(&b, ", by the last of %u lines on it, %s later", of->lines,
				   TIME_TEXT(of->last->ts_ns - of->first->ts_ns));
		STORY_ADD(st, .kind = EVENT_WAIT, .ts = time_of(st, of->first->ts_ns),
			  .log_date = log_file_date_text(s->dump, of->first->date_s),
			  .what = *of->comm ? of->comm : NULL, .text = b.buf,
			  .command = "memowner log", .basis = "recorded");
	}
}

/* What the kernel complained of: a driver's may be why the machine ended as it did. */
static void add_warnings(struct story *st)
{
	const struct log_warnings *all = st->s->warnings;

	for (unsigned int i = 0; all && i < all->n; i++) {
		const struct log_warning *w = &all->all[i];
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		strbuf_add(&b, "the kernel complained: ");
		log_warning_text(w, allocators_has, &b);
		STORY_ADD(st, .kind = EVENT_WARNING, .ts = time_of(st, w->first->ts_ns),
			  .log_date = log_file_date_text(st->s->dump, w->first->date_s),
			  .what = *w->comm ? w->comm : NULL, .text = b.buf,
			  .command = "memowner log", .basis = "recorded");
	}
}

static void add_slab_failures(struct story *st)
{
	const struct slab_failures *f = &st->s->slab_failures;
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!f->n)
		return;
	strbuf_add(&b, "slab got no memory: ");
	slab_failures_text(f, 2, &b);
	if (f->n > 1)
		strbuf_add(&b, "; the last of them is of this time");
	STORY_ADD(st, .kind = EVENT_ALLOCATION, .ts = time_of(st, f->all[0].last->ts_ns),
		  .log_date = log_file_date_text(st->s->dump, f->all[0].last->date_s),
		  .what = *f->all[0].cache ? f->all[0].cache : NULL, .text = b.buf,
		  .command = "memowner log", .basis = "recorded");
}

void story_add_reports(struct story *st)
{
	for (unsigned int i = 0; i < st->s->reports.n; i++) {
		add_report(st, i);
		if (!i)
			add_more(st);
	}
	add_suppressed(st, &st->s->reports.suppressed, "of the OOM killer");
	add_suppressed(st, &st->s->reports.failures_suppressed, "of failed allocations");
	add_forks(st);
	add_limit_lines(st);
	add_slab_failures(st);
	add_warnings(st);
	add_still(st);
	add_change(st);
	add_grown(st);
}
