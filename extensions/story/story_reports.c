// SPDX-License-Identifier: GPL-2.0-or-later
/* Events of a shortage: reports of the log, and threads that wait. */
#include "collect/stuck_roots.h"
#include "collect/stuck_victims.h"
#include "collect/stuck_words.h"
#include "memory/stuck_chains.h"
#include "memory/stuck_rows.h"
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
		strbuf_add(&b, "%s was killed, without a report before it",
			   SUMMARY_TASK(row.victim_pid, row.victim_comm));
	else if (r->kind == OOM_REPORT_MEM_INFO)
		strbuf_add(&b, "a list of memory was logged, alone");
	else
		summary_oom_words(&row, &b);
	if (r->kind == OOM_REPORT_OOM && anon.known)
		strbuf_add(&b, "; the victim had %s of anonymous memory", SIZE_TEXT(anon.n));
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

/* Counters of a report that tell most, in bytes. */
static const struct {
	const char *name;
	struct maybe_u64 (*of)(const struct dump *d, const struct oom_report *r);
} counters[] = {
	{ "free", oom_report_free },
	{ "free swap", oom_report_free_swap },
	{ "LRU lists of anonymous memory", oom_report_anon },
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
			 r->has_head ? ", of " : "",
			 r->has_head ? SUMMARY_TASK(log_maybe(r->pid), r->comm) : "");
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

/* Of a log alone: a dump has its threads. */
static void add_still(struct story *st)
{
	struct summary *s = st->s;
	struct kernel_log log;
	struct standstills all;

	if (kernel_log_read(s->dump, &log) != ST_OK)
		return;
	standstills_read(&log, &all);
	for (unsigned int i = 0; i < all.n; i++) {
		const struct standstill *of = &all.all[i];
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		/* Threads of a dump tell it themselves; what the machine panicked of is told with that. */
		if (!s->dump->log_file && (!of->kind || s->is_stalled))
			continue;
		standstill_text(of, &b);
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
		if (w->first != w->last)
			strbuf_add(&b, ", the first one now");
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
	add_forks(st);
	add_limit_lines(st);
	add_slab_failures(st);
	add_warnings(st);
	add_still(st);
	add_change(st);
	add_grown(st);
}

/* Threads at one place. */
struct waits {
	size_t threads;
	bool has_since;
	uint64_t since_ns;
	const struct stuck_task *first; /* that is there for longest */
	bool is_told;			/* by a chain or a deadlock */
};

static bool is_long(const struct summary *s, uint64_t since_ns)
{
	uint64_t age;

	return age_at_panic(&s->report->info, since_ns, &age) &&
	       age >= limit(LIMIT_STUCK) * 1000000;
}

/* Threads of user processes sleep on locks of each other all the time: those whose holder is known are told. */
static void count(struct waits *places, const struct stuck_task *t)
{
	struct waits *w = &places[t->where];

	if (t->where == PLACE_NONE || t->where == PLACE_IDLE)
		return;
	w->threads++;
	w->is_told |= t->is_deadlocked || t->peer;
	if (!t->has_since || (t->where == PLACE_LOCK && !t->holder) ||
	    (w->has_since && w->since_ns <= t->since_ns))
		return;
	w->since_ns = t->since_ns;
	w->has_since = true;
	w->first = t;
}

static const char *const places_text[PLACES] = {
	[PLACE_SERVER] = "waiting for a server",
	[PLACE_PIPE] = "waiting for a pipe or a child",
	[PLACE_LOCK] = "asleep on a lock",
	[PLACE_WRITEBACK] = "in writeback",
	[PLACE_PAGE_FAULT] = "in a page fault",
	[PLACE_MMAP_LOCK] = "asleep on an mmap_lock",
	[PLACE_EXIT] = "freeing the memory of a process",
	[PLACE_SWAP_IN] = "reading from swap",
	[PLACE_ALLOCATOR] = "in the page allocator",
	[PLACE_RECLAIM] = "in reclaim",
	[PLACE_COMPACTION] = "in compaction",
	[PLACE_CHARGE] = "charging memory to a cgroup",
	[PLACE_OOM_KILLER] = "in the OOM killer",
	[PLACE_OOM_LOCK] = "asleep on oom_lock",
};

/* Whether a sentence has what a thread did that last ran then. */
static bool has_wait_of(const struct story *st, const struct stuck_task *t)
{
	for (const struct story_event *e = st->first; e; e = e->next)
		if (e->kind == EVENT_WAIT && e->ts.known && e->ts.n == t->since_ns &&
		    !strcmp(e->what ?: "", t->task.comm))
			return true;
	return false;
}

static bool says_for_what(const struct stuck_task *t)
{
	return t->holder || t->peer || t->remote || t->is_on_server || t->disk;
}

/* "; 7 writes wait there for io.max of /batch (wbps=24576), in which scan (118) is" */
static void add_held(struct story *st, const struct stuck_task *t, struct strbuf *b)
{
	struct dump *d = st->s->dump;
	const char *whose;

	if (!t->disk || t->disk_is_inferred || !held_bios(t->disk))
		return;
	strbuf_add(b, "; ");
	held_bios_words(d, t->disk, &whose, b);
	/* The summary tells why it is not known. */
	d->error[0] = '\0';
}

static void add_waited(const struct stuck_task *t, const char *age, struct strbuf *b)
{
	strbuf_add(b, "; %s (%d) has waited since then, for %s", t->task.comm, t->task.pid, age);
}

/* The event is of the one that is there for longest, of locks only of those with a known holder. */
static void add_waits(struct story *st, enum place place, const struct waits *w, bool is_part)
{
	const struct stuck_task *t = w->first;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	uint64_t age = 0;

	if (has_wait_of(st, t))
		return;
	age_at_panic(&st->s->report->info, w->since_ns, &age);
	/* That one waits for a CPU says less than where it is. */
	if (says_for_what(t) || (w->threads == 1 && !is_part))
		stuck_task_words(t, &b);
	else
		strbuf_add(&b, "%s (%d)", t->task.comm, t->task.pid);
	add_held(st, t, &b);
	if (w->threads > 1)
		strbuf_add(&b, "%s one of %s%s that were %s at the end",
			   says_for_what(t) ? ";" : ",", is_part ? "at least " : "",
			   COUNT_OF(w->threads, "thread"), places_text[place]);
	else if (is_part && !says_for_what(t))
		strbuf_add(&b, ", and perhaps others, were %s at the end", places_text[place]);
	add_waited(t, TIME_TEXT(age), &b);
	STORY_ADD(
		st, .kind = EVENT_WAIT, .ts = { w->since_ns, true }, .what = place_name(place),
		.text = b.buf,
		.command = dump_text(st->s->dump, "memowner stuck -f where=%s", place_name(place)));
}

static void add_deadlock(struct story *st, const struct stuck_task *t)
{
	const struct stuck_task *of = t;
	struct maybe_u64 since = { 0, true };
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!stuck_deadlock_words(t, &b))
		return;
	/* It is one since the last of them waits. */
	do {
		since.known &= of->has_since;
		since.n = of->since_ns > since.n ? of->since_ns : since.n;
		of = of->holder;
	} while (of != t);
	STORY_ADD(st, .kind = EVENT_DEADLOCK, .ts = since, .what = t->task.comm, .text = b.buf,
		  .command = "memowner stuck");
}

/* "; quoteapi (588) has waited since then, for 29.6s, and ratefeed (275), which may have been woken in between, for 2.5s" */
static void add_last_ran(const struct story *st, const struct stuck_chain *c, struct strbuf *b)
{
	const struct stuck_task *t = c->of[0], *end = c->of[c->n - 1];
	const struct report *r = st->s->report;
	char since[UNITS_BYTES] = "";
	uint64_t age;

	if (t->has_since && age_at_panic(&r->info, t->since_ns, &age))
		add_waited(t, units_time(since, age), b);
	else
		strbuf_add(b, "; for how long %s (%d) has waited is unknown", t->task.comm,
			   t->task.pid);
	/* At the same time it waits with it. */
	if (end != t && end->has_since && age_at_panic(&r->info, end->since_ns, &age) &&
	    strcmp(TIME_TEXT(age), since) != 0)
		strbuf_add(b, ", and %s (%d), which may have been woken in between, for %s",
			   end->task.comm, end->task.pid, TIME_TEXT(age));
}

/* Of those that wait for the same answer the one that has waited longest. */
static const struct stuck_task *longest_of(const struct stuck *all, const struct stuck_task *of)
{
	const struct stuck_task *ret = of;

	stuck_for_each(t, all)
		if (of->peer && t->peer && t->peer->tgid == of->peer->tgid && t->has_since &&
		    (!ret->has_since || t->since_ns < ret->since_ns))
			ret = t;
	return ret;
}

static void add_waiter(struct story *st, const struct stuck *all, const struct stuck_task *t,
		       bool is_hung)
{
	const bool has_holder = t->holder && t->holder != t;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	struct stuck_chain c;

	stuck_chain(all, t, &c);
	strbuf_add(&b, is_hung ? "hung task " : "");
	if (!is_hung && stuck_crowd_words(all, t, &b)) {
		t = longest_of(all, t);
		c.of[0] = t;
	} else {
		stuck_task_words(t, &b);
		if (has_holder) {
			strbuf_add(&b, "; ");
			stuck_holder_words(t, &b);
		}
		stuck_add_chain(all, t, has_holder ? 2 : 1, &b);
	}
	add_last_ran(st, &c, &b);
	STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, t->has_since }, .what = t->task.comm,
		  .text = b.buf, .command = "memowner stuck");
}

static bool is_first_of_frozen(const struct stuck *all, const struct stuck_task *t)
{
	const struct stuck_task *first = all->first;

	while (first != t && first->frozen != t->frozen)
		first = first->next;
	return t->frozen && first == t;
}

static bool is_hung(const struct story *st, const struct stuck_task *t)
{
	const struct statement *panic = st->s->first[SECTION_PANIC];

	return st->s->is_hung && panic && panic->pid.known && (uint64_t)t->task.pid == panic->pid.n;
}

/* Of the lock that stops most threads one of them, of a frozen file system the first, and the task that waited until the kernel panicked. */
static void add_waiters(struct story *st, const struct stuck *all)
{
	size_t waiting;
	const struct stuck_task *most = summary_most_waited(st->s, all, false, &waiting);
	const struct stuck_task *of_file = summary_most_waited(st->s, all, true, &waiting);

	for (const struct stuck_task *t = all->first; t; t = t->next) {
		const bool was_hung = is_hung(st, t);

		if ((t == most || t == of_file || was_hung ||
		     (!st->s->is_hung && is_first_of_frozen(all, t))) &&
		    !t->is_deadlocked)
			add_waiter(st, all, t, was_hung);
	}
}

/* Who does not go on by itself, and who waits for it. */
static void add_root(struct story *st, const struct stuck *all, const struct stuck_task *t)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	uint64_t age = 0;

	if (!stuck_root_crowd_words(all, t, &b))
		return;
	age_at_panic(&st->s->report->info, t->since_ns, &age);
	add_waited(t, TIME_TEXT(age), &b);
	STORY_ADD(st, .kind = EVENT_WAIT, .ts = { t->since_ns, true }, .what = t->task.comm,
		  .text = b.buf, .command = "memowner stuck");
}

/* Whose answer one waits for that the summary names, or whose answer it names; what many wait for is told once. */
static void add_named(struct story *st, const struct stuck *all)
{
	int32_t told[TASK_NAMES];
	size_t n = 0;

	for (const struct stuck_task *t = all->first; t && n < TASK_NAMES; t = t->next) {
		if (!t->peer || t->is_deadlocked || !t->has_since || !is_long(st->s, t->since_ns) ||
		    (!story_names(st, (uint64_t)t->task.tgid) &&
		     !story_names(st, (uint64_t)t->peer->tgid)) ||
		    ANY_OF(k, n, told[k] == t->task.tgid) || !stuck_begins_chain(all, t))
			continue;
		told[n++] = t->task.tgid;
		add_waiter(st, all, t, false);
	}
}

static void add_victim(struct story *st, const struct stuck_task *t)
{
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	stuck_victim_words(t, st->s->dump->page_shift, &b);
	STORY_ADD(st, .kind = EVENT_VICTIM, .ts = story_end(st->s), .what = stuck_victim_name(t),
		  .text = b.buf, .command = "memowner stuck");
}

void story_add_waits(struct story *st)
{
	struct summary *s = st->s;
	struct waits places[PLACES] = { 0 };
	struct stuck all;
	int32_t tgids[TASK_NAMES];
	enum status status;

	for (size_t i = 0; i < st->named.n; i++)
		tgids[i] = st->named.all[i].tgid;
	status = stuck_collect(
		s->dump,
		&(struct stuck_wish){ .tgids = tgids, .ntgids = (unsigned int)st->named.n }, &all);

	if (status != ST_OK) {
		summary_failed(s, "stuck threads", status);
		st->is_partial |= status == ST_STOPPED;
		return;
	}
	for (const struct stuck_task *t = all.first; t; t = t->next) {
		count(places, t);
		if (t->is_deadlocked)
			add_deadlock(st, t);
		if (t->stands_for_victim)
			add_victim(st, t);
		if (summary_is_root(s, t) && !is_hung(st, t))
			add_root(st, &all, t);
	}
	add_waiters(st, &all);
	add_named(st, &all);
	for (unsigned int i = 0; i < PLACES; i++)
		if (places[i].has_since && is_long(s, places[i].since_ns) &&
		    !(places[i].is_told && places[i].threads == 1))
			add_waits(st, i, &places[i], stuck_is_part(&all) || all.frameless);
	for (size_t i = 0; i < all.gaps.n; i++)
		/* Threads that are idle wait so, too: where memory was short they explain nothing. */
		if (!all.gaps.rows[i].is_idle || s->verdict == VERDICT_NOT_SHORT)
			report_gaps(s->report, &all.gaps.rows[i], 1);
	s->complete &= !all.ends_early;
}
