// SPDX-License-Identifier: GPL-2.0-or-later
/* The end: what the kernel died of, and how memory was then. */
#include "log/log_file.h"
#include "memowner/case.h"
#include "memowner/screen.h"
#include "memowner/verdict_words.h"
#include "story.h"
#include "zones/reclaim.h"
#include "zones/vmstat.h"

#define CLASSES 4 /* of memory, and users of it, that are named */
#define USERS 6

/* When the CPU that ended the kernel ran the watchdog for the last time, by the kernel's own measure, in whole seconds. */
static void add_stall(struct story *st, const struct statement *panic)
{
	if (!panic->stall_ns.known || !panic->ts.known || panic->stall_ns.n > panic->ts.n)
		return;
	STORY_ADD(st, .kind = EVENT_WAIT, .clock = CLOCK_OF_TASKS,
		  .ts = { panic->ts.n - panic->stall_ns.n, true }, .what = panic->comm,
		  .text = arena_text(
			  st->s->dump->arena,
			  "the watchdog of CPU %lu ran for the last time, %s before the panic%s%s",
			  panic->cpu.n, TIME_TEXT(panic->stall_ns.n),
			  panic->pid.known ? "; at the end it ran " : "",
			  panic->pid.known ? SUMMARY_TASK(panic->pid, panic->comm) : ""),
		  .command = story_command(st, "memowner"), .basis = "derived");
}

static void add_exception(struct story *st, const struct statement *row)
{
	const struct summary *s = st->s;
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	summary_exception(row, &b);
	if (st->died_work)
		strbuf_add(&b, ", which ran work %s", st->died_work);
	STORY_ADD(st, .kind = EVENT_EXCEPTION, .ts = row->ts, .log_date = row->log_date,
		  .what = row->comm, .text = b.buf,
		  .command = story_command(st, s->dump->log_file ? "memowner" : "faults -x"),
		  .basis = "recorded");
}

void story_add_end(struct story *st)
{
	const struct summary *s = st->s;
	const struct statement *panic = s->first[SECTION_PANIC];
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	char text[STORY_TEXT];

	if (s->first[SECTION_EXCEPTION])
		add_exception(st, s->first[SECTION_EXCEPTION]);
	if (panic) {
		strbuf_add(&b, "the kernel panicked: ");
		/* On the page the summary above it has who had waited, and where. */
		if (panic->name && s->is_hung && s->out->page)
			strbuf_add(&b, "%s, of %s", panic->name,
				   SUMMARY_TASK(panic->pid, panic->comm));
		else if (panic->name)
			summary_panic(panic, &b);
		else
			strbuf_add(&b, "why is not in the log");
		add_stall(st, panic);
		STORY_ADD(st, .kind = EVENT_PANIC, .ts = panic->ts, .log_date = panic->log_date,
			  .text = b.buf, .command = story_command(st, "memowner"),
			  .basis = "recorded");
		return;
	}
	if (!s->report->info.end_note && !s->dump->log_file)
		return;
	if (s->dump->log_file)
		snprintf(text, sizeof(text), "%s ends%s",
			 s->dump->log_file->has_clock_boots ? "this part of the log" : "the log",
			 s->dump->log_file->lacks_panic
				 ? "; the kernel panicked, and the line that says why is not in it"
			 : s->log_whole ? " without a panic"
					: "");
	else
		snprintf(text, sizeof(text), "%sthe machine was dumped%s; %s",
			 s->starved.is_deaf ? "the CPUs ticked for the last time; " : "",
			 s->starved.is_deaf ? " then or later"
			 : end_is_assumed(&s->report->info)
				 ? " then or later: it is the time of the newest record of the log"
				 : "",
			 s->log_whole && !s->report->info.may_have_panic
				 ? "the log has no panic"
				 : "whether it panicked is unknown: a part of the log is missing");
	STORY_ADD(st, .kind = EVENT_END, .ts = story_end(s),
		  .log_date = s->of_case ? s->of_case->log_end : NULL, .text = text,
		  .command = story_command(st, "memowner"));
}

/* Of a log memory is that of its report. */
static struct maybe_u64 time_of_state(const struct story *st)
{
	const struct oom_report *r = st->s->last_report;

	if (!st->s->dump->log_file)
		return story_end(st->s);
	return (struct maybe_u64){ r ? r->ts_ns : 0, r && !st->has_no_times };
}

static void add_state(struct story *st, enum event_kind kind, const char *what, const char *text,
		      struct maybe_u64 bytes, const char *command)
{
	STORY_ADD(st, .kind = kind, .ts = time_of_state(st), .what = what, .text = text,
		  .bytes = bytes, .command = story_command(st, command));
}

void story_add_verdict(struct story *st)
{
	const struct statement *row = st->s->first[SECTION_VERDICT];
	const struct statement *most = st->s->first[SECTION_MOST];

	if (row && row->remark)
		add_state(st, EVENT_VERDICT, row->name, row->remark, row->bytes, "memowner");
	if (most && most->remark)
		add_state(st, EVENT_HOLDER, most->name, most->remark, most->bytes, "memowner");
}

/* "pids.max of /crawler is used by 120 processes crawler": what counts is no memory. */
static void add_limits(struct story *st)
{
	unsigned int n = 0;

	for (const struct statement *row = st->s->first[SECTION_LIMIT]; row && n < LIMITS_SHOWN;
	     row = row->next, n++) {
		struct strbuf b = STRBUF_OF(STORY_TEXT);

		summary_limit(row, &b);
		add_state(st, EVENT_LIMIT, row->comm, b.buf, (struct maybe_u64){ 0 }, "memowner");
	}
}

/* The verdict, which stands on top, has it in these words. */
static bool is_of_verdict(const struct summary *s, const char *text)
{
	const struct statement *row = s->first[SECTION_VERDICT];

	return row && row->remark && strstr(row->remark, text) != NULL;
}

/* What cpu.max keeps from running: since when no counter says. */
static void add_cpu_limit(struct story *st)
{
	const struct summary *s = st->s;

	if (s->limited_words && !is_of_verdict(s, s->limited_words))
		add_state(st, EVENT_LIMIT, s->limited_cgroup, s->limited_words,
			  (struct maybe_u64){ 0 },
			  s->limited_cgroup ? dump_text(s->dump, "memowner cgroups -f memcg=%s",
							s->limited_cgroup)
					    : "memowner cgroups");
}

/* "194.1M of anonymous memory is mapped by no process, ...": pinned, as no reclaim frees it. */
static void add_unmapped(struct story *st)
{
	const struct summary *s = st->s;
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!s->unmapped_anon)
		return;
	strbuf_add(&b, "no process maps %s of anonymous memory", summary_size(s, s->unmapped_anon));
	if (s->pinned)
		strbuf_add(&b, "; %s of all memory is pinned and was not released (FOLL_PIN)",
			   summary_size(s, s->pinned));
	add_state(st, EVENT_MEMORY, NULL, b.buf,
		  (struct maybe_u64){ s->unmapped_anon << s->dump->page_shift, true },
		  s->memcgs ? "memowner cgroups -s unmapped_anon_bytes -n 5" : "memowner classes");
}

/* "of 255.5M RAM: direct 165.4M (64.8%), ..." */
static void add_classes(struct story *st)
{
	const struct summary *s = st->s;
	const struct statement *row = s->first[SECTION_CLASS];
	const char *command = "memowner classes -n 1";
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!row || !s->ram_pages || !s->dump->page_shift)
		return;
	for (unsigned int n = 0; row && n < CLASSES; row = row->next) {
		if (!row->bytes.known || (int64_t)row->bytes.n <= 0)
			continue;
		strbuf_add(&b, "%s%s %s", n++ ? ", " : "most memory by class: ", row->name,
			   SIZE_TEXT(row->bytes.n));
		if (summary_has_share(s, row->name))
			strbuf_add(&b, " (%s%%%s%s)",
				   PERCENT_TEXT(row->bytes.n, s->ram_pages << s->dump->page_shift),
				   row->remark ? "; " : "", summary_class_remark(s, row));
		/* From which on it is high, and what has most of it, is in its remark alone. */
		command = row->remark ? "memowner" : command;
	}
	if (b.len && s->pages_missing)
		strbuf_add(&b, "; others unknown");
	if (b.len)
		STORY_ADD(st, .kind = EVENT_MEMORY, .ts = time_of_state(st), .text = b.buf,
			  .command = story_command(st, command), .is_above = true);
}

/*
 * The view that has the figures of a user of memory; those of page_owner and processes have times. Of several areas,
 * sockets, maps, buffers or queues their view has each, the summary the sum.
 */
static const char *command_of(const struct statement *row)
{
	static const struct {
		const char *each, *sum;
	} sums[] = { { "memowner vmalloc", "memowner vmalloc -g caller" },
		     { SOCKETS_BY_PEER, "memowner" },
		     { "memowner bpf", "memowner" },
		     { "memowner dmabuf", "memowner" },
		     { "memowner caches", "memowner" } };

	for (size_t i = 0; row->command && i < ARRAY_SIZE(sums); i++)
		if (!strcmp(row->command, sums[i].each))
			return sums[i].sum;
	/* In text a cache has no word of who keeps its objects. */
	if (row->section == SECTION_CACHE && row->kept_by)
		return "memowner -j";
	/*
	 * Of a pool of huge pages its view has neither how many are free nor who has files, nor has that of processes
	 * what ksmd counts.
	 */
	if (row->is_sum || row->kept_by ||
	    (row->by && (!strcmp(row->by, "ksm") || !strcmp(row->by, "hugetlb"))))
		return "memowner";
	/* What a process keeps of it is less than all of the cache, which the sentence has. */
	if (row->section == SECTION_CACHE)
		return row->remark ? "memowner caches -o +aliases" : "memowner caches";
	return row->command	       ? row->command
	       : row->confidence.known ? "memowner holders"
				       : "memowner";
}

/* No column of these is a share of RAM. */
static bool has_shares(const char *command)
{
	return strncmp(command, "memowner processes", strlen("memowner processes")) != 0 &&
	       strncmp(command, "faults", strlen("faults")) != 0;
}

static void add_user(struct story *st, const struct statement *row)
{
	const struct summary *s = st->s;
	const bool is_inferred = row->section == SECTION_CANDIDATE;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	struct story_event event = {
		.kind = EVENT_USER,
		.ts = time_of_state(st),
		.what = summary_name(s, row),
		.text = b.buf,
		.bytes = row->bytes,
		.command = story_command(st, command_of(row)),
		.basis = is_inferred ? "inferred" : "derived",
		.confidence = row->confidence,
	};

	if (row->section != SECTION_GROUP)
		strbuf_add(&b, "%s%s ", is_inferred ? "~ " : "", summary_user_kind(row));
	summary_user(s, row, false, &b);
	strbuf_add(&b, ": %s", SIZE_TEXT(row->bytes.n));
	/* memowner cgroups has none, too. */
	if (s->ram_pages && row->pages.known && strcmp(row->by ?: "", "cgroup") != 0 &&
	    has_shares(command_of(row)))
		strbuf_add(&b, ", %s%% of RAM", PERCENT_TEXT(row->pages.n, s->ram_pages));
	story_add(st, &event);
}

/* "35 processes chrome: 27 of them are children of systemd (1), as those are whose parent has ended" */
static void add_orphans(struct story *st)
{
	for (const struct statement *row = st->s->first[SECTION_GROUP]; row; row = row->next)
		if (row->children_of && strstr(row->children_of, " of them are children of ") &&
		    summary_reaches(st->s, LIMIT_HOLDER, row->pages.n))
			add_state(st, EVENT_MEMORY, row->comm,
				  dump_text(st->s->dump, "%s processes %s: %s",
					    COUNT_TEXT(row->processes.n), row->comm,
					    row->children_of),
				  row->bytes,
				  story_filtered(st->s, "memowner processes -g ppid,executable",
						 "comm", row->comm));
}

/* Sites of memory allocation profiling that have a tenth of RAM. */
static void add_sites(struct story *st)
{
	const struct summary *s = st->s;
	const uint64_t ram = s->ram_pages << s->dump->page_shift;
	char text[STORY_TEXT];

	for (const struct statement *row = s->first[SECTION_SITE]; row && ram; row = row->next) {
		if (!row->name || !row->bytes.known ||
		    units_tenths(row->bytes.n, ram) < limit(LIMIT_SITE))
			continue;
		snprintf(text, sizeof(text), "call site %.1000s: %s, %s%% of RAM", row->name,
			 SIZE_TEXT(row->bytes.n), PERCENT_TEXT(row->bytes.n, ram));
		add_state(st, EVENT_USER, row->name, text, row->bytes, "allocprof -n 3");
	}
}

static void add_users(struct story *st)
{
	struct largest largest;
	unsigned int shown;

	summary_users_of_most(st->s, USERS, &largest);
	shown = summary_users_shown(st->s);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct statement *row = largest.of[i].item;
		bool is_told = row->section == SECTION_OWNER ||
			       (row->section == SECTION_GROUP && !st->s->dump->log_file) ||
			       (row->section == SECTION_FILE && story_tells_file(st, row));

		/* The summary has no room for the others. */
		if (!is_told && row->bytes.known &&
		    (i < shown || strcmp(command_of(row), "memowner") != 0))
			add_user(st, row);
	}
	for (const struct statement *row = st->s->first[SECTION_CANDIDATE]; row; row = row->next) {
		char text[STORY_TEXT];

		if (row->pages.known)
			continue;
		snprintf(text, sizeof(text), "~ %s %.64s: %.500s; %s", row->by, row->name,
			 row->remark, summary_doubt(row));
		STORY_ADD(st, .kind = EVENT_USER, .ts = story_end(st->s), .what = row->name,
			  .text = text, .command = "memowner", .basis = "inferred");
	}
}

/* "since boot kswapd looked at 97,552 pages and reclaimed 53,092, allocating tasks ..." */
static void add_vm_events(struct story *st)
{
	static const struct {
		const char *who, *scan, *steal;
	} by[] = { { "kswapd", "pgscan_kswapd", "pgsteal_kswapd" },
		   { "allocating tasks", "pgscan_direct", "pgsteal_direct" } };
	struct vm_event *events;
	enum status status;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	size_t n;

	status = vm_events_read(st->s->dump, &events, &n);
	if (status != ST_OK) {
		summary_failed(st->s, "counters of reclaim", status);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(by); i++) {
		const struct vm_event *scan = NULL, *steal = NULL;

		for (size_t k = 0; k < n; k++) {
			scan = !strcmp(events[k].name, by[i].scan) ? &events[k] : scan;
			steal = !strcmp(events[k].name, by[i].steal) ? &events[k] : steal;
		}
		if (!scan || !steal || !scan->known || !steal->known || !scan->count)
			continue;
		strbuf_add(&b, "%s%s looked at %s pages and reclaimed %s",
			   b.len ? "; " : "since boot ", by[i].who, COUNT_TEXT(scan->count),
			   COUNT_TEXT(steal->count));
	}
	if (b.len)
		add_state(st, EVENT_RECLAIM, NULL, b.buf, (struct maybe_u64){ 0 }, "faults -v");
}

#define READY_START "; at the end " /* of summary.ready */
#define PRESSURE_TOLD 1000 /* hundredths of a percent of the last 10 s: of what was not short */
#define PRESSURE "memowner pressure -f cgroup=/ -f resource=%s"

/* What the summary says of who had the CPUs. */
static void add_busy(struct story *st)
{
	struct summary *s = st->s;
	const char *ready = s->waits_for_cpu ? s->ready ?: "" : "";
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (s->starved.spinning || s->starved.beside) {
		const char *spins = s->starved.spinning ?: s->starved.beside + strlen(READY_START);

		if (!is_of_verdict(s, spins))
			add_state(st, EVENT_PRESSURE, NULL, spins, (struct maybe_u64){ 0 },
				  "memowner stuck -a -o +stack -f waits_for=running");
	}

	/* It begins with "; at the end ", which the label is. */
	ready += strncmp(ready, READY_START, strlen(READY_START)) ? 0 : strlen(READY_START);
	strbuf_add(&b, "%s%s%s", s->busy_cpu ?: "", s->busy_cpu && *ready ? "; " : "", ready);
	if (b.len && !is_of_verdict(s, b.buf))
		add_state(st, EVENT_PRESSURE, NULL, b.buf, (struct maybe_u64){ 0 },
			  "faults -f state=R");
}

/* "pressure of memory (PSI): some avg10 36.78 avg60 23.15 avg300 10.88, 54.7s since boot; full avg10 ..." */
static void add_pressure(struct story *st, const char *resource, bool is_told)
{
	const struct pressure *p;
	uint64_t old_ns = 0;
	bool is_stalled = false;
	const char *command;
	struct strbuf b = STRBUF_OF(STORY_TEXT);
	enum status status = summary_pressure(st->s, &p);

	if (status != ST_OK) {
		summary_failed(st->s, "pressure", status);
		return;
	}
	for (size_t i = 0; i < p->n; i++) {
		const struct pressure_line *l = &p->lines[i];
		const struct psi_figures *f = pressure_told(l);
		const uint64_t *avg = f->avg;

		if (!l->is_system || !l->has_now || !l->now.total_ns ||
		    strcmp(psi_kinds[l->kind].resource, resource) != 0)
			continue;
		is_stalled |= f->avg[0] || f->avg[1];
		is_told |= f->avg[0] >= PRESSURE_TOLD;
		strbuf_add(&b, "%s%s avg10 %lu.%02lu avg60 %lu.%02lu",
			   b.len ? "; "
				 : dump_text(st->s->dump, "pressure of %s (PSI): ", resource),
			   psi_kinds[l->kind].share, avg[0] / 100, avg[0] % 100, avg[1] / 100,
			   avg[1] % 100);
		old_ns = l->has_age && l->age_ns > PRESSURE_OLD_NS ? l->age_ns : old_ns;
		if (!old_ns)
			strbuf_add(&b, " avg300 %lu.%02lu", avg[2] / 100, avg[2] % 100);
		strbuf_add(&b, ", %s since boot", TIME_TEXT(f->total_ns));
	}
	if (old_ns)
		strbuf_add(&b, ", as the kernel summed it up last %s before the end",
			   TIME_TEXT(old_ns));
	command = dump_text(st->s->dump, PRESSURE "%s", resource,
			    old_ns ? " -o +rec_avg10,rec_avg60,rec_stalled,updated" : "");
	if (b.len && is_told && is_stalled)
		add_state(st, EVENT_PRESSURE, NULL, b.buf, (struct maybe_u64){ 0 }, command);
}

static void add_kswapd(struct story *st)
{
	struct node_reclaims nodes;
	char text[STORY_TEXT];
	enum status status = reclaim_open(st->s->dump, &nodes);

	if (status != ST_OK) {
		summary_failed(st->s, "reclaim", status);
		return;
	}
	for (size_t i = 0; i < nodes.n; i++) {
		if (nodes.nodes[i].failures < RECLAIM_RETRIES)
			continue;
		snprintf(text, sizeof(text),
			 "kswapd of node %u had stopped: %u runs in a row reclaimed nothing",
			 nodes.nodes[i].node, nodes.nodes[i].failures);
		add_state(st, EVENT_RECLAIM, NULL, text, (struct maybe_u64){ 0 }, "memowner zones");
	}
}

void story_add_state(struct story *st)
{
	add_limits(st);
	add_cpu_limit(st);
	add_classes(st);
	add_unmapped(st);
	add_sites(st);
	/* Who has most of what was not short is no part of what happened. */
	if (st->s->verdict != VERDICT_NOT_SHORT || st->s->first[SECTION_MOST])
		add_users(st);
	add_orphans(st);
	if (st->s->dump->log_file)
		return;
	add_busy(st);
	add_pressure(st, "memory", st->s->verdict != VERDICT_NOT_SHORT);
	add_pressure(st, "cpu", false);
	add_pressure(st, "io", false);
	add_kswapd(st);
	add_vm_events(st);
}
