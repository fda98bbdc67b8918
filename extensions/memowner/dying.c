// SPDX-License-Identifier: GPL-2.0-or-later
#include "dying.h"

#include "collect/stuck_words.h"
#include "summary.h"

#include <stdlib.h>

void dying_open(struct summary *s, struct dying *ret)
{
	*ret = (struct dying){ .s = s };
	hash_u64_init(&ret->kthreads, s->dump->arena, 0);
	hash_bytes_init(&ret->dumping_names, s->dump->arena, sizeof(struct dumping_name));
	hash_bytes_init(&ret->started_names, s->dump->arena, sizeof(uint64_t));
	ret->scores_status = oom_scores_open(s->dump, &ret->scores);
	if (ret->scores_status != ST_OK)
		ret->why_no_victim = dump_why(s->dump);
	ret->cores_status = core_dumps_open(s->dump, &ret->cores);
	if (ret->cores_status != ST_OK)
		ret->why_no_core = dump_why(s->dump);
}

/* A process that the OOM killer chose and that still has its memory: the log may no longer say so. */
static void add_victim(struct dying *x, const struct task *t)
{
	struct oom_process oom;
	enum status st = x->scores_status ?: oom_process_read(&x->scores, t, &oom);

	if (st == ST_OK)
		x->s->has_dying |= oom.oom_mm != 0;
	else if (!x->no_victim++ && !x->why_no_victim)
		x->why_no_victim = dump_why(x->s->dump);
}

static void *of_name(struct hash_bytes *names, const struct task *t)
{
	return hash_bytes_get(names, t->comm, strlen(t->comm) + 1, NULL)->value;
}

static void add_dumping(struct dying *x, const struct task *t, const struct core_dump *core)
{
	struct dumping_name *name = of_name(&x->dumping_names, t);

	if (!name->n++)
		name->first = *core;
	name->has_others |= core->signal != name->first.signal;
	if (x->ndumping < CORES) {
		x->dumping[x->ndumping] = *t;
		x->dumps[x->ndumping++] = *core;
	}
}

static void add_core(struct dying *x, const struct task *t)
{
	struct core_dump core;
	enum status st = x->cores_status ?: core_dump_read(&x->cores, t, &core);

	if (st == ST_OK)
		add_dumping(x, t, &core);
	if (st != ST_OK && st != ST_ABSENT && !x->no_core++ && !x->why_no_core)
		x->why_no_core = dump_why(x->s->dump);
}

void dying_add(struct dying *x, const struct task *t)
{
	if (t->is_kthread) {
		hash_u64_add(&x->kthreads, (uint64_t)(int64_t)t->pid);
		return;
	}
	if (!t->has_mm || !t->has_memory)
		return;
	add_victim(x, t);
	add_core(x, t);
	if (!t->has_ppid || !hash_u64_find(&x->kthreads, (uint64_t)(int64_t)t->ppid))
		return;
	++*(uint64_t *)of_name(&x->started_names, t);
	if (x->nstarted < STARTED)
		x->started[x->nstarted++] = *t;
}

/* What the kernel has started for the dump: it alone reads it. NULL: the dump goes elsewhere, or that is unknown. */
static const struct task *reader_of(struct dying *x, uint64_t writer)
{
	struct pipe_writers pipes;

	if (!x->nstarted || pipe_writers_open(x->s->dump, &pipes) != ST_OK)
		return NULL;
	return FIND_IN(x->started, x->nstarted,
		       pipe_writer_waits(&pipes, found->address, writer) == ST_OK ||
			       pipe_writer_has(&pipes, found->address, writer) == ST_OK);
}

#define PATTERN 128 /* CORENAME_MAX_SIZE */

/* kernel.core_pattern, which root wrote; NULL: it is not in this dump. */
static const char *core_pattern(struct dump *d)
{
	char text[PATTERN], clean[PATTERN];
	uint64_t at;

	if (!dump_has_symbol(d, "core_pattern") || dump_symbol(d, "core_pattern", &at) != ST_OK ||
	    dump_string(d, at, text, sizeof(text), "core_pattern") != ST_OK || !*text)
		return NULL;
	log_copy(clean, sizeof(clean), text, strlen(text));
	return dump_strdup(d, clean);
}

static void note_reader(struct dying *x, const struct task *reader, const struct task *of)
{
	struct summary *s = x->s;

	if (!s->core_pattern)
		s->core_pattern = core_pattern(s->dump);
	for (struct statement *row = s->first[SECTION_GROUP]; row; row = row->next)
		if (row->pid.known && row->pid.n == (uint64_t)reader->tgid)
			row->core_of = of->tgid;
}

/* "dumping core (SIGSEGV), piped to corekeep (169)" */
static void tell_core(struct dying *x, size_t i)
{
	const struct task *t = &x->dumping[i], *reader = reader_of(x, x->dumps[i].task);
	struct arena *a = x->s->dump->arena;
	struct strbuf b = STRBUF_OF(256);
	char text[32];

	strbuf_add(&b, "dumping core (%s)",
		   core_dump_signal(x->dumps[i].signal, text, sizeof(text)));
	if (reader) {
		strbuf_add(&b, ", piped to %s (%d)", reader->comm, reader->tgid);
		note_reader(x, reader, t);
		summary_tell_fate(x->s, (uint64_t)reader->tgid,
				  arena_text(a, "reads the core dump of %s (%d)", t->comm, t->tgid),
				  NULL);
	}
	summary_tell_fate(x->s, (uint64_t)t->tgid, arena_strdup(a, b.buf), NULL);
}

/* "67 of them dump core (SIGSEGV), piped to 67 processes crash-collect" */
static void tell_cores(struct dying *x, struct statement *row, const struct dumping_name *name)
{
	const struct task *reader = reader_of(x, name->first.task);
	const uint64_t *readers = reader ? hash_bytes_find(&x->started_names, reader->comm,
							   strlen(reader->comm) + 1)
					 : NULL;
	struct strbuf b = STRBUF_OF(256);
	char text[32];

	strbuf_add(&b, "%s of them dump core", COUNT_TEXT(name->n));
	if (!name->has_others)
		strbuf_add(&b, " (%s)", core_dump_signal(name->first.signal, text, sizeof(text)));
	if (readers && *readers > 1)
		strbuf_add(&b, ", piped to %s processes %s", COUNT_TEXT(*readers), reader->comm);
	else if (reader)
		strbuf_add(&b, ", piped to %s (%d)", reader->comm, reader->tgid);
	row->fate = dump_strdup(x->s->dump, b.buf);
	row->sleeps = NULL;
	if (reader)
		row->core_reader = dump_strdup(x->s->dump, reader->comm);
}

void dying_end(struct dying *x)
{
	for (size_t i = 0; i < x->ndumping; i++)
		tell_core(x, i);
	for (struct statement *row = x->s->first[SECTION_GROUP]; row; row = row->next) {
		const struct dumping_name *name = row->comm && row->processes.n > 1
							  ? hash_bytes_find(&x->dumping_names,
									    row->comm,
									    strlen(row->comm) + 1)
							  : NULL;

		if (name && name->n > 1 && name->n <= row->processes.n)
			tell_cores(x, row, name);
	}
}

const char *summary_reader_words(const struct summary *s, const struct statement *row)
{
	return row->core_reader && row->fate_why
		       ? dump_text(s->dump, "%s; %s reads the core dump of %s", row->fate_why,
				   row->core_reader, row->comm)
		       : NULL;
}

/* Of a file: that process alone uses it, as far as is known. */
static bool is_of(const struct statement *row, uint64_t tgid)
{
	const struct text_list *users = row->section == SECTION_FILE ? row->used_by : NULL;
	char *end;

	if (users)
		return users->n == 1 && !users->more && !users->is_open &&
		       strtoull(users->text, &end, 10) == tgid && *end == '(';
	return row->pid.known && row->pid.n == tgid;
}

void summary_tell_fate(struct summary *s, uint64_t tgid, const char *fate, const char *why)
{
	static const enum section sections[] = { SECTION_GROUP, SECTION_PROCESS, SECTION_FILE };

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		for (struct statement *row = s->first[sections[i]]; row; row = row->next) {
			if (!is_of(row, tgid))
				continue;
			row->fate = !row->fate ? fate
					       : dump_text(s->dump, "%s; %s", row->fate, fate);
			row->fate_why = why ?: row->fate_why;
		}
}

bool summary_tells_why(const struct summary *s, const struct statement *row)
{
	return row->fate_why &&
	       ANY_NEXT(most, s->first[SECTION_MOST], most->fate_why == row->fate_why);
}

void summary_fate(const struct statement *row, const char *between, bool with_why, struct strbuf *b)
{
	if (!row->fate)
		return;
	strbuf_add(b, "%s%s", between, row->fate);
	if (with_why && row->fate_why)
		strbuf_add(b, ": %s", row->fate_why);
}

void summary_add_starved(struct summary *s, const struct task *t)
{
	struct starved *to = &s->starved;
	struct cpu_wait w;
	uint64_t age;

	if (t->state != 'R')
		return;
	cpu_bound_add(&to->bounds, s->dump, t);
	if (!to->is_tried)
		to->status = cpu_waits_open(s->dump, &to->waits);
	to->is_tried = true;
	if (to->status != ST_OK || cpu_wait_read(&to->waits, t->address, &w) != ST_OK ||
	    !w.queued_ns || !age_at_panic(&s->report->info, w.queued_ns, &age) ||
	    age < limit(LIMIT_CPU) * 1000000)
		return;
	to->n++;
	if (age <= to->age_ns) {
		if (age > to->second_ns) {
			to->second_ns = age;
			to->second_cpu = w.cpu;
			to->second = *t;
		}
		return;
	}
	to->second_ns = to->age_ns;
	to->second_cpu = to->cpu;
	to->second = to->task;
	to->age_ns = age;
	to->cpu = w.cpu;
	to->task = *t;
}

/* " 6.4s before the panic", by the log; "": it has no report of that. */
static const char *when_killed(const struct summary *s, uint64_t tgid)
{
	char age[AGE_TEXT];

	for (unsigned int i = s->reports.n; i--;) {
		const struct oom_report *r = &s->reports.reports[i];

		if (r->outcome == OOM_KILLED && r->victim.pid.known && r->victim.pid.value == tgid)
			return age_text(&s->report->info, r->kill_ns ?: r->ts_ns, age)
				       ? dump_text(s->dump, " %s", age)
				       : "";
	}
	return "";
}

/* "its thread ingestd-flush (107) waits to write to /srv (loop0), which is frozen": why a victim still has its memory. */
void summary_tell_victim(struct summary *s, const struct stuck_task *t)
{
	struct strbuf b = STRBUF_OF(512);

	/* A zombie: its parent has not waited for it, and it has no memory. */
	if (t->task.state == 'Z' || t->task.state == 'X')
		return;
	if (t->task.pid != t->task.tgid)
		strbuf_add(&b, "its thread ");
	stuck_task_words(t, &b);
	s->victim_words =
		s->victim_words
			?: dump_text(s->dump, "%s, which the OOM killer killed, has not exited: %s",
				     SUMMARY_TASK(
					     ((struct maybe_u64){ (uint64_t)t->task.tgid, true }),
					     t->task.comm),
				     b.buf);
	summary_tell_fate(s, (uint64_t)t->task.tgid,
			  dump_text(s->dump, "killed by the OOM killer%s, has not exited",
				    when_killed(s, (uint64_t)t->task.tgid)),
			  dump_strdup(s->dump, b.buf));
}
