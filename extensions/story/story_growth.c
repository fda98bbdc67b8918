// SPDX-License-Identifier: GPL-2.0-or-later
/* Events before memory is short: the boot, starts of processes, growth of owners, files. */
#include "memowner/case.h"
#include "files/super_inodes.h"
#include "log/log_file.h"
#include "story.h"

/* Whether it has enough to be told: a tenth of RAM, or as the largest of its kind less. */
static bool is_much(const struct summary *s, uint64_t pages, bool is_first)
{
	return summary_reaches(s, is_first ? LIMIT_SHOWN : LIMIT_HOLDER, pages);
}

/* Whether a report of the log says that it was killed, or asked and has much: who has little asked by chance. */
static bool is_named(const struct summary *s, const struct statement *row)
{
	const bool has_much = is_much(s, row->pages.n + row->swapped.n, false);

	for (unsigned int i = 0; row->pid.known && i < s->reports.n; i++) {
		const struct oom_report *r = &s->reports.reports[i];

		if ((has_much && r->pid.known && r->pid.value == row->pid.n) ||
		    (r->victim.pid.known && r->victim.pid.value == row->pid.n))
			return true;
	}
	return false;
}

static void add_boot(struct story *st)
{
	const struct summary *s = st->s;
	const struct summary_case *c = s->of_case;
	const struct log_file *f = s->dump->log_file;
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!c || (f && !c->kernel))
		return;
	strbuf_add(&b, "Linux %s booted", c->kernel ?: "of an unknown release");
	/* As in case_machine_text(). */
	if (c->machine.host && strcmp(c->machine.host, "(none)") != 0)
		strbuf_add(&b, " on host %s", c->machine.host);
	if (c->cpus.known || c->present_cpus.known) {
		strbuf_add(&b, " with ");
		case_add_cpus(c, &b);
	}
	if (st->has_no_times && !f->from_start)
		strbuf_add(&b, ", before the log begins");
	STORY_ADD(st, .kind = EVENT_BOOT, .ts = { 0, !st->has_no_times },
		  /* Without stamps the first record has 0, whenever it was. */
		  .log_date = f && f->from_start ? log_file_date(s->dump, 0) : NULL, .text = b.buf,
		  .command = story_command(st, "memowner case"));
}

static bool is_most(const struct summary *s, const struct statement *row)
{
	return s->first[SECTION_MOST] && s->first[SECTION_MOST]->of == row;
}

static void add_process(struct story *st, const struct statement *row)
{
	const struct summary *s = st->s;
	const bool is_one = row->processes.n == 1;
	const struct maybe_u64 ts = story_before_end(
		s, s->of_case->machine.clocks.agree ? row->oldest : (struct maybe_u64){ 0 });
	const char *faulted = is_most(s, row) ? story_most_faults(s, row) : NULL;
	const char *command =
		is_one && row->pid.known
			? dump_text(s->dump,
				    row->lacks_first ? "faults -f tgid=%ld -X RSS=- -n 1 -o "
						       "+rss_anon_bytes,life_ns"
				    : faulted ? "faults -f tgid=%ld -o +rss_anon_bytes,life_ns"
					      : "faults -f pid=%ld -o +rss_anon_bytes,life_ns",
				    row->pid.n)
			: story_filtered(s, "memowner processes -g comm,cgroup -o +pss_anon_bytes",
					 "comm", row->comm);
	const char *end = age_end(&s->report->info);
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!story_tells_start(st, ts))
		return;
	if (is_one)
		strbuf_add(&b, "%s", SUMMARY_TASK(row->pid, row->comm));
	else
		strbuf_add(&b, "the first of %s %s%s", COUNT_TEXT(row->processes.n), row->comm,
			   s->tasks_missing ? ", of those that are known," : "");
	summary_place(st->s, row, &b);
	strbuf_add(&b, "%s started", row->lacks_first ? ", whose first thread has exited," : "");
	if (row->oldest.known)
		strbuf_add(&b, ", %s before the %s", TIME_TEXT(row->oldest.n), end);
	if (!is_one && row->oldest.known && row->youngest.known)
		strbuf_add(&b, ", the last of them %s before it", TIME_TEXT(row->youngest.n));
	strbuf_add(&b, "; at the end %s had %s of anonymous memory", is_one ? "it" : "they",
		   summary_size(s, row->pages.n));
	if (row->swapped.known && row->swapped.n)
		strbuf_add(&b, " and %s in swap", summary_size(s, row->swapped.n));
	strbuf_add(&b, "%s", faulted ?: "");
	/* Of one process alone its start says nothing of that. */
	if (is_one && is_most(s, row) && !s->first[SECTION_OWNER] && !s->growth.n)
		strbuf_add(&b, "; when it grew is not recorded");
	STORY_ADD(st, .kind = EVENT_START, .clock = CLOCK_OF_TASKS, .ts = ts, .what = row->comm,
		  .text = b.buf, .bytes = row->bytes, .command = command);
}

static void add_log(struct story *st)
{
	const struct summary *s = st->s;

	if (s->log_dropped)
		STORY_ADD(st, .kind = EVENT_LOG, .ts = { s->log_start_ns, !st->has_no_times },
			  .text = "the log begins: what was logged before is missing",
			  .command = "memowner log", .basis = "recorded");
}

/* Whose memory is neither what was short nor what the summary names is no part of what happened. */
static bool is_told(const struct story *st, const struct statement *row)
{
	const struct summary *s = st->s;
	const struct statement *most = s->first[SECTION_MOST];

	if (row->pid.known && story_names(st, row->pid.n))
		return true;
	/* Of a cgroup at its limit what is in others is beside the question. */
	if (summary_is_of_limit(s) && !summary_is_limited(s, row->cgroup))
		return false;
	/* Beside one that has much more it did not grow. */
	if (most && most->pages.known && most->of != row &&
	    row->pages.n + row->swapped.n < (most->pages.n + most->swapped.n) / 2)
		return false;
	return s->verdict != VERDICT_NOT_SHORT &&
	       is_much(s, row->pages.n + row->swapped.n,
		       row == s->first[SECTION_GROUP] && !s->first[SECTION_MOST]);
}

void story_add_start(struct story *st)
{
	const struct summary *s = st->s;

	add_boot(st);
	add_log(st);
	if (s->dump->log_file || !s->of_case)
		return;
	for (const struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		/* The table of a report does not tell when. */
		if (row->pages.known && (row->oldest.known || !s->table.is_beside) &&
		    (is_named(s, row) || is_told(st, row)))
			add_process(st, row);
	/* Those of one name in several cgroups. */
	for (const struct statement *row = s->first[SECTION_HOLDER]; row; row = row->next)
		if (row->pages.known && row->comm && row->processes.n > 1 && row->youngest.known &&
		    is_told(st, row))
			add_process(st, row);
}

/* What each key of page_owner is asked by. */
static const struct {
	const char *by, *command, *filter;
} keys[] = {
	{ "caller", "pageowner -g caller", "caller" },
	{ "module", "pageowner -g module", "module" },
	{ "process", "pageowner -g tgid", "tgid" },
	{ "cgroup", "pageowner -g memcg", "memcg" },
};

/* "leaky_rx_refill" of "leaky_rx_refill [leaky]" */
static const char *value_of(const struct summary *s, const struct statement *row)
{
	const char *module = row->name ? strstr(row->name, " [") : NULL;

	if (!strcmp(row->by, "process"))
		return row->pid.known ? dump_text(s->dump, "%ld", row->pid.n) : NULL;
	if (!strcmp(row->by, "caller") && module)
		return dump_text(s->dump, "%.*s", (int)(module - row->name), row->name);
	return row->name;
}

static void add_owner(struct story *st, const struct statement *row, size_t key)
{
	const struct summary *s = st->s;
	const char *end = age_end(&s->report->info), *name = summary_name(s, row);
	char text[STORY_TEXT];
	struct maybe_u64 at;
	struct strbuf b = STRBUF(text);
	struct story_event event = {
		.kind = EVENT_GROWTH,
		.ts = story_before_end(s, row->oldest),
		.what = name,
		.text = text,
		.bytes = row->bytes,
		.command = story_filtered(s, keys[key].command, keys[key].filter, value_of(s, row)),
		.basis = "recorded",
	};

	const bool is_part = summary_users_are_part(s);

	strbuf_add(&b, "pages of %s %s%s%s: %s%s (%s%% of RAM) at the end", row->by, name,
		   row->owner ? ", " : "", row->owner ?: "", is_part ? "at least " : "",
		   summary_size(s, row->pages.n), PERCENT_TEXT(row->pages.n, s->ram_pages));
	if (row->oldest.known && row->youngest.known)
		strbuf_add(&b, ", the oldest%s allocated %s before the %s, the youngest %s before",
			   is_part ? " known" : "", TIME_TEXT(row->oldest.n), end,
			   TIME_TEXT(row->youngest.n));
	story_add(st, &event);
	/* The summary says it of the first one. */
	if (row != s->first[SECTION_OWNER])
		return;
	b = strbuf_in(text, sizeof(text));
	if (!summary_growth(s, row, &at, &b))
		return;
	event.ts = at;
	event.command = "memowner";
	event.basis = "derived";
	story_add(st, &event);
}

static bool is_of_all(const struct statement *row)
{
	return row->name && ((!strcmp(row->by, "module") && !strcmp(row->name, "vmlinux")) ||
			     (!strcmp(row->by, "cgroup") && !strcmp(row->name, "/")));
}

void story_add_growth(struct story *st)
{
	const struct summary *s = st->s;

	for (const struct statement *row = s->first[SECTION_OWNER]; row; row = row->next) {
		const char *name = summary_name(s, row);

		if (!name || !row->pages.known ||
		    !is_much(s, row->pages.n, row == s->first[SECTION_OWNER]) ||
		    (row->name && is_of_all(row)))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			if (!strcmp(keys[i].by, row->by))
				add_owner(st, row, i);
	}
}

/* Where memory was not short a file in memory is no part of what happened, if the summary does not name it. */
static bool is_of_case(const struct summary *s, const struct statement *row)
{
	static const enum section of[] = { SECTION_VERDICT, SECTION_STUCK, SECTION_LIMIT };

	if (s->verdict != VERDICT_NOT_SHORT || s->first[SECTION_MOST])
		return true;
	for (size_t i = 0; row->name && i < ARRAY_SIZE(of); i++)
		if (ANY_NEXT(told, s->first[of[i]], strstr(told->remark ?: "", row->name) != NULL))
			return true;
	return false;
}

bool story_tells_file(const struct story *st, const struct statement *row)
{
	const struct summary_case *c = st->s->of_case;
	uint64_t ts;

	return row->written.known && c && is_of_case(st->s, row) &&
	       (!c->machine.clocks.has_utc ||
		monotonic_of_utc(&c->machine.clocks, row->written.n, &ts));
}

/* Of whole seconds, as memowner files has it. */
static const char *seconds(const struct summary *s, uint64_t n)
{
	return n < 60 ? dump_text(s->dump, "%lus", n)
		      : dump_strdup(s->dump,
				    TIME_TEXT((n < UINT32_MAX ? n : UINT32_MAX) * 1000000000));
}

static void add_file(struct story *st, const struct statement *row)
{
	const struct summary *s = st->s;
	const struct machine *m = &s->of_case->machine;
	struct maybe_u64 ts = { 0 };
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	ts.known = m->clocks.agree && monotonic_of_utc(&m->clocks, row->written.n, &ts.n);
	strbuf_add(&b, "file %.1000s: mtime", row->name ?: "of an unknown name");
	if (m->end_utc_s.known && row->written.n <= m->end_utc_s.n)
		strbuf_add(&b, " %s before the %s", seconds(s, m->end_utc_s.n - row->written.n),
			   age_end(&s->report->info));
	if (row->pages.known)
		strbuf_add(&b, "; at the end %s of it was in memory",
			   summary_size(s, row->pages.n));
	summary_users(row, &b);
	STORY_ADD(st, .kind = EVENT_WRITTEN, .clock = CLOCK_OF_FILES, .ts = ts,
		  .utc_s = row->written, .what = row->name, .text = b.buf, .bytes = row->bytes,
		  .command = "memowner files -n 5 -o +written_ns");
}

/* When who fills it did so: the oldest of its files, or segments, and the newest. */
static void add_mount(struct story *st, const struct statement *row)
{
	const bool is_shm = !strcmp(row->by, "sysv_shm");
	const struct summary *s = st->s;
	const struct machine *m = &s->of_case->machine;
	struct maybe_u64 ts = { 0 };
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!m->end_utc_s.known || row->written.n > m->end_utc_s.n)
		return;
	ts.known = m->clocks.agree && monotonic_of_utc(&m->clocks, row->first_written.n, &ts.n);
	if (!is_shm)
		strbuf_add(&b, "%s ", row->by);
	strbuf_add(&b,
		   is_shm ? "%.500s: the oldest of %s got its last page %s before the %s, the "
			    "newest %s before it"
			  : "%.500s: the oldest of %s was last written %s before the %s, the "
			    "newest %s before it",
		   row->name, is_shm ? "these" : "its files",
		   seconds(s, m->end_utc_s.n - row->first_written.n), age_end(&s->report->info),
		   seconds(s, m->end_utc_s.n - row->written.n));
	/* Of segments the list has those that are attached, too. */
	if (!is_shm)
		strbuf_add(&b, "; at the end they had %s", summary_size(s, row->pages.n));
	STORY_ADD(st, .kind = EVENT_WRITTEN, .clock = CLOCK_OF_FILES, .ts = ts,
		  .utc_s = row->first_written, .what = row->name, .text = b.buf,
		  .bytes = row->bytes,
		  .command = is_shm ? "memowner files -f file_kind=sysv_shm -n 0 -o +written_ns"
				    : "memowner files -g mount");
}

/* When who fills it with files did so, though they have no bytes: what a cache has the inodes of. */
static void add_inodes(struct story *st, const struct statement *row)
{
	const struct super_changes *c = row->changes;
	const struct summary *s = st->s;
	const struct machine *m = &s->of_case->machine;
	struct maybe_u64 ts = { 0 };
	struct strbuf b = STRBUF_OF(STORY_TEXT);

	if (!row->keeper || !m->end_utc_s.known || c->last_s > m->end_utc_s.n ||
	    !is_of_case(s, row))
		return;
	ts.known = m->clocks.agree && monotonic_of_utc(&m->clocks, c->first_s, &ts.n);
	strbuf_add(&b,
		   "%.500s: its inodes were made or changed last from %s before the %s on, half "
		   "of them in the last %s, the newest %s before it",
		   row->keeper, seconds(s, m->end_utc_s.n - c->first_s), age_end(&s->report->info),
		   seconds(s, m->end_utc_s.n - c->half_s), seconds(s, m->end_utc_s.n - c->last_s));
	STORY_ADD(st, .kind = EVENT_WRITTEN, .clock = CLOCK_OF_FILES, .ts = ts,
		  .utc_s = { c->first_s, true }, .what = row->keeper, .text = b.buf,
		  .bytes = row->bytes,
		  .command = "memowner filesystems -o "
			     "mount,memory_inodes,first_changed_ns,half_changed_ns,changed_ns");
}

void story_add_files(struct story *st)
{
	const struct summary *s = st->s;

	for (const struct statement *row = s->first[SECTION_HOLDER]; row && s->of_case;
	     row = row->next)
		if (row->first_written.known && story_tells_file(st, row))
			add_mount(st, row);

	for (const struct statement *row = s->first[SECTION_CACHE]; row && s->of_case;
	     row = row->next)
		if (row->changes)
			add_inodes(st, row);

	for (const struct statement *row = s->first[SECTION_FILE]; row && s->of_case;
	     row = row->next)
		if (story_tells_file(st, row))
			add_file(st, row);
}
