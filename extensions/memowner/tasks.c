// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes by memory, the thread that faulted most often, threads inside a page fault. */
#include "faults/in_fault.h"
#include "faults/view.h"
#include "tasks/mm_struct.h"
#include "tasks/task.h"
#include "limits.h"
#include "summary.h"
#include "task_places.h"
#include "util/strbuf.h"
#include "util/units.h"

#include <stdio.h>
#include <string.h>

#define ROWS 3	     /* processes */
#define SHORT 48     /* of a path: there are figures beside it */
#define FAULT_ROWS 3 /* threads in a page fault that are named */

struct task_pass {
	struct summary *s;
	struct fault_view rates; /* what fault_rate() asks for */
	struct task_places places;
	struct fault_finder finder;
	struct first_problem no_finder; /* why threads in a page fault are not known */
	struct task largest[ROWS];
	unsigned int n;
	struct task fastest;
	uint64_t rate;
	bool has_rate;
	size_t no_mm, no_stack;
};

static int64_t size_of(const struct task *t)
{
	return (int64_t)((uint64_t)t->rss + (uint64_t)t->swap);
}

static void rank(struct task_pass *p, const struct task *t)
{
	unsigned int i = p->n;

	/* The leader stands for its process. */
	if (!t->has_mm || t->pid != t->tgid)
		return;
	while (i && size_of(&p->largest[i - 1]) < size_of(t))
		i--;
	if (i == ROWS)
		return;
	p->n += p->n < ROWS;
	memmove(&p->largest[i + 1], &p->largest[i], (p->n - 1 - i) * sizeof(*t));
	p->largest[i] = *t;
}

/* Whether the rate of a thread is more than the noise of its start. */
static bool has_meaning(const struct task_pass *p, const struct task *t, uint64_t faults)
{
	uint64_t life;

	return limit_has_rate(faults,
			      age_at_panic(&p->rates.report.info, t->start_ns, &life) ? life : 0);
}

static void rate(struct task_pass *p, const struct task *t)
{
	uint64_t faults = t->maj_flt + t->min_flt;
	struct cell c = fault_rate(&p->rates, faults, t->start_ns);

	if (!has_meaning(p, t, faults))
		return;

	if (c.kind != CELL_UINT || !c.u || t->is_kthread || (p->has_rate && c.u <= p->rate))
		return;
	p->has_rate = true;
	p->rate = c.u;
	p->fastest = *t;
}

static void fill_task(struct task_pass *p, const struct task *t, struct cell *row)
{
	const struct dump *d = p->s->dump;

	row[COL_PID] = cell_int(t->pid);
	row[COL_COMM] = cell_text(arena_strdup(d->arena, t->comm));
	row[COL_CGROUP] = cell_text(task_cgroup(&p->places, t));
	row[COL_EXECUTABLE] = cell_text(task_executable(&p->places, t));
	if (!t->has_mm)
		return;
	row[COL_RSS] = cell_int((int64_t)((uint64_t)t->rss << d->page_shift));
	row[COL_ANON] = cell_int((int64_t)((uint64_t)t->rss_anon << d->page_shift));
	row[COL_RSS_FILE] = cell_int((int64_t)((uint64_t)t->rss_file << d->page_shift));
	row[COL_SHMEM] = cell_int((int64_t)((uint64_t)t->rss_shmem << d->page_shift));
	row[COL_SWAP] = cell_int((int64_t)((uint64_t)t->swap << d->page_shift));
}

static enum status add_in_fault(struct task_pass *p, const struct task *t)
{
	struct in_fault fault;
	struct cell *row;
	enum status st = p->no_finder.status == ST_OK ? fault_find(&p->finder, t, &fault)
						      : ST_ABSENT;

	if (st == ST_NOMEM || st == ST_STOPPED)
		return st;
	p->no_stack += st != ST_OK && st != ST_ABSENT;
	if (st != ST_OK)
		return ST_OK;
	p->s->waiting += fault.waits_for != WAIT_OOM_KILLER;
	if (++p->s->in_fault > FAULT_ROWS)
		return ST_OK;
	row = summary_add(p->s, SECTION_IN_FAULT);
	if (!row)
		return ST_NOMEM;
	fill_task(p, t, row);
	row[COL_WAITS_FOR] = cell_text(wait_name(fault.waits_for));
	row[COL_ADDRESS] = cell_if(fault.source != ADDRESS_UNKNOWN, cell_hex(fault.address));
	return ST_OK;
}

static enum status visit(void *arg, const struct task *t)
{
	struct task_pass *p = arg;

	if (dump_stopped(p->s->dump))
		return ST_STOPPED;
	p->no_mm += t->mm_unreadable;
	rank(p, t);
	rate(p, t);
	return add_in_fault(p, t);
}

/* What mlock() keeps resident, where the mm_struct is in this dump. */
static struct cell locked_of(const struct dump *d, const struct mm_structs *mms,
			     const struct task *t)
{
	struct mm_struct mm;

	if (!mms || mm_struct_read(mms, t->mm, &mm) != ST_OK)
		return (struct cell){ .kind = CELL_NULL };
	return cell_uint(mm.locked_vm << d->page_shift);
}

void summary_part(const struct cell *row, char *buf, size_t size)
{
	static const char *const names[] = { "anon", "file", "shmem" };
	unsigned int max = COL_ANON;
	char bytes[UNITS_BYTES];

	for (unsigned int i = COL_RSS_FILE; i <= COL_SHMEM; i++)
		if (row[i].i > row[max].i)
			max = i;
	units_size(bytes, row[max].i);
	snprintf(buf, size, " (%s %s)", names[max - COL_ANON], bytes);
}

static bool is_short(const char *path)
{
	return path && strlen(path) <= SHORT;
}

/* Whether a path says more than the name of a thread, which is cut and may have been changed. */
static bool says_more(const char *path, const char *comm)
{
	const char *name = strrchr(path, '/');

	return !comm || !name || strcmp(name + 1, comm);
}

void summary_place(const struct cell *row, char *buf, size_t size)
{
	const char *cgroup = cell_words(&row[COL_CGROUP]), *exe = cell_words(&row[COL_EXECUTABLE]);
	struct strbuf s;

	strbuf_init(&s, buf, size);
	if (is_short(exe) && says_more(exe, cell_words(&row[COL_COMM])))
		strbuf_add(&s, " of %s", exe);
	if (is_short(cgroup) && strcmp(cgroup, "/") != 0)
		strbuf_add(&s, " in %s", cgroup);
}

static enum status put(struct task_pass *p)
{
	struct dump *d = p->s->dump;
	struct mm_structs mms;
	enum status opened = mm_structs_open(d, &mms), st;
	struct cell *row;

	st = summary_failed(p->s, "mlocked memory", opened);
	if (st != ST_OK)
		return st;
	for (unsigned int i = 0; i < p->n; i++) {
		row = summary_add(p->s, SECTION_PROCESS);
		if (!row)
			return ST_NOMEM;
		fill_task(p, &p->largest[i], row);
		row[COL_LOCKED] = locked_of(d, opened == ST_OK ? &mms : NULL, &p->largest[i]);
	}
	if (!p->has_rate)
		return ST_OK;
	row = summary_add(p->s, SECTION_FAULTS);
	if (!row)
		return ST_NOMEM;
	fill_task(p, &p->fastest, row);
	row[COL_RATE] = cell_uint(p->rate);
	return ST_OK;
}

/* Whether a warning on the list of processes, which the pages ask, has the same reason. */
static bool is_told(const struct report *r, const char *why)
{
	for (unsigned int i = 0; i < r->nwarnings; i++) {
		size_t n = strlen(r->warnings[i]), len = strlen(why);

		if (len && n >= len && !strcmp(r->warnings[i] + n - len, why))
			return true;
	}
	return false;
}

static void warn(struct task_pass *p, enum status walked, const char *why)
{
	struct report *r = p->s->report;
	char n[UNITS_PLURAL];

	if (walked != ST_OK && !is_told(r, why))
		report_warn(r, "the task list is incomplete: %s", why);
	if (p->no_mm)
		report_warn(r, "no mm_struct in this dump for %s",
			    units_plural(n, p->no_mm, "thread", "threads"));
	if (p->no_stack)
		report_warn(r, "no kernel stack in this dump for %s",
			    units_plural(n, p->no_stack, "thread", "threads"));
	p->s->complete &= walked == ST_OK && !p->no_mm && !p->no_stack;
}

enum status summary_tasks(struct summary *s)
{
	struct task_pass *p = dump_alloc(s->dump, sizeof(*p));
	struct tasks tasks;
	enum status st, walked;
	const char *why;

	if (!p)
		return ST_NOMEM;
	p->s = s;
	p->rates.dump = s->dump;
	p->rates.report.info = s->report->info;
	st = tasks_open(s->dump, &tasks);
	s->tasks = p;
	if (st != ST_OK) {
		first_problem_keep(s->dump, &p->no_finder, st);
		return st;
	}
	st = first_problem_keep(s->dump, &p->no_finder, fault_finder_open(s->dump, &p->finder));
	if (st != ST_OK)
		return st;
	task_places_open(s->dump, &p->places);
	walked = tasks_walk(&tasks, visit, p);
	if (walked == ST_NOMEM)
		return walked;
	why = arena_strdup(s->dump->arena, s->dump->error);
	s->has_tasks = p->n > 0;
	s->tasks_missing = walked != ST_OK || p->no_mm;
	st = put(p);
	warn(p, walked, why ? why : "");
	if (st == ST_OK && walked != ST_STOPPED && !p->n && s->tasks_missing)
		return dump_fail(s->dump, ST_UNREADABLE,
				 "no mm_struct of a process is in this dump");
	return st == ST_OK && walked == ST_STOPPED ? walked : st;
}

enum status summary_in_fault(struct summary *s)
{
	return first_problem_end(s->dump, &s->tasks->no_finder);
}
