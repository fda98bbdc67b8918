// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a machine worked whose memory was not short, and somebody took its dump or ended it: what was looked at, and load. */
#include "memowner/case.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "oom/oom_report.h"
#include "log/warning.h"
#include "tasks/last_ran.h"

#define CPUS_TOLD 4

/* Nothing is told to stand still. */
static bool is_moving(const struct summary *s)
{
	return !s->starved.n && !s->starved.spinning && !s->is_stuck && !s->is_waited &&
	       !s->has_dying && !s->frozen && !s->reclaiming && !s->first[SECTION_STUCK] &&
	       !s->first[SECTION_EXCEPTION];
}

/* The same, as far as the dump tells all of it. */
static bool is_working(const struct summary *s)
{
	return s->has_tasks && !s->tasks_missing && !s->waits_hidden &&
	       (!s->starved.is_tried || s->starved.status == ST_OK) && !s->faulting && is_moving(s);
}

/* What ran says something where others did not get on; of any other machine it is no finding. */
static void add_ran(struct summary *s, struct strbuf *b)
{
	struct cpu_task ran[CPUS_TOLD];
	unsigned int n = 0;
	enum status st;

	st = cpu_tasks_beside(s->dump, NO_CPU, ran, ARRAY_SIZE(ran), &n);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		dump_lacks(s->dump, "what CPUs ran", st, "%s", dump_why(s->dump));
	s->dump->error[0] = '\0';
	if (st == ST_OK && !n)
		strbuf_add(b, "; no CPU ran a task at the end");
	for (unsigned int i = 0; i < n; i++)
		strbuf_add(b, "; CPU %lu ran %s", ran[i].cpu,
			   SUMMARY_TASK(((struct maybe_u64){ (uint64_t)ran[i].pid, true }),
					ran[i].comm));
}

#define HALF 500		 /* tenths of a percent of the time since it started */
#define LEAST_AGE 10000000000ull /* ns: a share of less says little */

static bool times_open(struct summary *s, struct cpu_times *ret)
{
	enum status st = cpu_times_open(s->dump, ret);

	if (st != ST_OK)
		dump_lacks(s->dump, "how long threads have run", st, "%s", dump_why(s->dump));
	s->dump->error[0] = '\0';
	return st == ST_OK;
}

/* Tenths of a percent of its time that a thread has run; 0: it is young, or that is unknown. */
static uint64_t share_of(struct summary *s, const struct cpu_times *times,
			 const struct ready_thread *t, uint64_t *age)
{
	struct cpu_time time;
	enum status st;

	/* Of an end that may be later the share may be less. */
	if (end_is_assumed(&s->report->info) || !age_at_panic(&s->report->info, t->start_ns, age) ||
	    *age < LEAST_AGE)
		return 0;
	st = cpu_time_read(times, t->task, &time);
	if (st == ST_OK && time.ns > *age)
		st = dump_corrupt(s->dump, "%s (%d) has run for longer than it was there", t->comm,
				  t->pid);
	if (st != ST_OK)
		dump_lacks(s->dump, "how long threads have run", st, "%s", dump_why(s->dump));
	s->dump->error[0] = '\0';
	return st == ST_OK ? units_tenths(time.ns, *age) : 0;
}

/* "; reindex (294) has run for 93.1% of its 2.1min": of a CPU; a thread that ran for less than half of it took none. */
static void add_shares(struct summary *s, const struct ready_thread *all, unsigned int n,
		       struct strbuf *b)
{
	struct cpu_times times;
	uint64_t age;

	if (!times_open(s, &times))
		return;
	for (unsigned int i = 0; i < n; i++) {
		const uint64_t share = share_of(s, &times, &all[i], &age);

		if (share >= HALF)
			strbuf_add(b, "; %s (%d) has run for %s%% of its %s", all[i].comm,
				   all[i].pid, PERCENT_TEXT(share, 1000), TIME_TEXT(age));
	}
}

#define AT_END "; at the end "
#define SAME_NAME 4 /* threads of one name, and half of all: these are the load */

/* " of cron.service, children of weblog-archive (246), the last started 1.2min before the end": what is known of a name. */
static const char *whose_crowd(struct summary *s, const struct process_group *g)
{
	const char *form = summary_group_form(s, g) ?: summary_group_parent(s, g);
	const struct maybe_u64 age = groups_age(s->groups, g->last_ns);
	struct strbuf b = STRBUF_OF(512);

	if (g->cgroup && *g->cgroup)
		strbuf_add(&b, " of %s", summary_last_of(g->cgroup));
	if (form)
		strbuf_add(&b, ", %s", form);
	if (age.known)
		strbuf_add(&b, ", the last started %s before the end", TIME_TEXT(age.n));
	return dump_strdup(s->dump, b.buf);
}

/* "24 gzip of cron.service": where that many have one name; NULL: none is that frequent. */
static const char *crowd_of(struct summary *s, const struct ready_thread *all, size_t n,
			    size_t *found)
{
	const size_t kept = n < READY_KEPT ? n : READY_KEPT;
	const struct process_group *of = NULL;
	unsigned int groups = 0;
	size_t at = 0;

	*found = 0;
	for (size_t i = 0; i < kept; i++) {
		size_t same = 0;

		for (size_t k = 0; k < kept; k++)
			same += !strcmp(all[i].comm, all[k].comm);
		at = same > *found ? i : at;
		*found = same > *found ? same : *found;
	}
	if (*found < SAME_NAME || *found < kept / 2)
		return NULL;
	/* Of several cgroups with that name none is told. */
	if (s->groups)
		hash_bytes_for_each(const struct process_group, g, &s->groups->groups)
			if (!strcmp(g->comm, all[at].comm)) {
				groups++;
				of = g;
			}
	s->crowd = dump_strdup(s->dump, all[at].comm);
	return dump_text(s->dump, "%s%s %s%s", n > kept ? "at least " : "", COUNT_TEXT(*found),
			 all[at].comm, groups == 1 ? whose_crowd(s, of) : "");
}

void summary_tell_ready(struct summary *s, const struct ready_thread *all, size_t n)
{
	const unsigned int named = n < READY ? (unsigned int)n : READY;
	struct strbuf b = STRBUF_OF(512);
	size_t same;
	const char *crowd = crowd_of(s, all, n, &same);

	if (!n)
		return;
	strbuf_add(&b, AT_END);
	s->has_crowd = crowd != NULL;
	if (crowd) {
		strbuf_add(&b, "%s", crowd);
		if (n > same)
			strbuf_add(&b, "%s and %s", strstr(crowd, ", ") ? "," : "",
				   COUNT_OF(n - same, "more thread"));
		else if (strstr(crowd, ", "))
			strbuf_add(&b, ",");
		strbuf_add(&b, " ran or could run");
		s->ready = dump_strdup(s->dump, b.buf);
		return;
	}
	for (unsigned int i = 0; i < named; i++)
		strbuf_add(&b, "%s%s (%d)", i ? ", " : "", all[i].comm, all[i].pid);
	if (n > named)
		strbuf_add(&b, " and %s", COUNT_OF(n - named, "more thread"));
	strbuf_add(&b, " ran or could run");
	add_shares(s, all, named, &b);
	s->ready = dump_strdup(s->dump, b.buf);
}

void summary_tell_kernel(struct summary *s, const struct ready_thread *all, size_t n)
{
	struct strbuf b = STRBUF_OF(512);
	struct cpu_times times;
	char text[256];
	uint64_t age;

	if (!n || !times_open(s, &times))
		return;
	for (size_t i = 0; i < n && i < READY; i++) {
		const uint64_t share = share_of(s, &times, &all[i], &age);

		if (share >= HALF)
			strbuf_add(&b,
				   "%sthe kernel's thread %s (%d) has run for %s%% of its %s%s%s",
				   strbuf_between(&b, "; "), all[i].comm, all[i].pid,
				   PERCENT_TEXT(share, 1000), TIME_TEXT(age),
				   all[i].at ? ", at the end in " : "",
				   all[i].at ? function_text(all[i].at, text, sizeof(text)) : "");
	}
	if (b.len)
		s->busy_cpu = dump_text(s->dump, "%s%s%s", s->busy_cpu ?: "",
					s->busy_cpu ? "; " : "", b.buf);
}

#define WAITED "tasks waited for a CPU: "
#define CPU_SHORT 5000 /* hundredths of a percent of the time */

/*
 * "; tasks waited for a CPU: PSI cpu some avg10 98.86 of /prod": of a cgroup where it is well above the machine's.  NULL:
 * none did for long; "": it is unknown.
 */
static const char *cpu_pressure(struct summary *s)
{
	const struct pressure *p;
	const struct pressure_line *most = NULL, *machine = NULL;
	enum status st = summary_pressure(s, &p);

	for (const struct pressure_line *l = p->lines; st == ST_OK && l < p->lines + p->n; l++) {
		if (!l->has_age || strcmp(psi_kinds[l->kind].enumerator, "PSI_CPU_SOME") != 0)
			continue;
		machine = l->is_system ? l : machine;
		most = !most || pressure_avg10(l) > pressure_avg10(most) ? l : most;
	}
	s->dump->error[0] = '\0';
	if (machine && most && pressure_avg10(machine) * 10 > pressure_avg10(most) * 9)
		most = machine;
	if (!most || pressure_avg10(most) < CPU_SHORT)
		return (st == ST_OK && !p->unread && !p->tree_ends) || st == ST_ABSENT ? NULL : "";
	s->waits_for_cpu = true;
	return arena_text(s->dump->arena,
			  "; " WAITED "PSI cpu some avg10 %lu.%02lu of %s%s",
			  pressure_avg10(most) / 100, pressure_avg10(most) % 100,
			  most->is_system ? "the machine" : most->cgroup ?: "an unnamed cgroup",
			  s->ready ?: "");
}

static void add_working(struct summary *s, const char *between, struct strbuf *b)
{
	const char *cpu = cpu_pressure(s), *kernel = s->on_futex ? " of the kernel" : "";

	if (cpu)
		strbuf_add(b, "%sno thread had waited for a lock%s or I/O for long%s", between,
			   kernel, cpu);
	else
		strbuf_add(b, "%sno thread had waited for a lock%s, I/O or a CPU for long", between,
			   kernel);
	s->is_told_working = true;
}

/* Somebody took the dump of a machine that ran, or ended it: whether it worked is the first question, if memory is none. */
void verdict_add_no_panic(struct summary *s, enum verdict verdict, struct strbuf *b)
{
	const struct statement *row = s->first[SECTION_PANIC];
	const char *panic = !s->has_panic ? NULL : row && row->name ? row->name : "";

	if (!panic)
		strbuf_add(b, "; the machine did not panic");
	if (verdict != VERDICT_NOT_SHORT || (panic && strncmp(panic, "sysrq ", 6) != 0))
		return;
	strbuf_add(b, "%s", s->starved.beside ?: "");
	if (s->has_lockup || (s->busy_cpu && !s->is_limited_cpu)) {
		add_ran(s, b);
		strbuf_add(b, "%s", s->busy_cpu ? cpu_pressure(s) ?: "" : "");
	} else if (!s->busy_cpu && is_working(s)) {
		add_working(s, panic ? "; " : ", and ", b);
	} else if (!s->busy_cpu && is_moving(s)) {
		/* What could not be looked at says nothing of the load. */
		strbuf_add(b, "%s", cpu_pressure(s) ?: "");
	}
}

/* Cgroups that are gone reached their limits: no more than that ever ran out. */
static bool has_old_reports_alone(const struct summary *s)
{
	for (unsigned int i = 0; i < s->reports.n; i++) {
		const struct oom_report *r = &s->reports.reports[i];

		if (r->kind != OOM_REPORT_OOM || !oom_report_is_of_cgroup(r) ||
		    !verdict_is_gone(s, r->oom_memcg))
			return false;
	}
	return !summary_misses_reports(s);
}

/* "swap, deadlocks": what could not be looked at; "": nothing. */
static const char *unread(const struct summary *s)
{
	struct strbuf b = STRBUF_OF(512);

	for (const struct unknown_part *u = s->report->unknown; u; u = u->next)
		if (availability_hides(u->why))
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), u->name);
	for (const struct dump_gap *g = s->dump->gaps; g; g = g->next)
		if (availability_hides(availability_of(g->why)) &&
		    !report_has_unknown(s->report, g->part))
			strbuf_add(&b, "%s%s", strbuf_between(&b, ", "), g->part);
	return dump_strdup(s->dump, b.buf);
}

static bool is_nothing(const struct summary *s, const char *memory)
{
	/* A cgroup, a cache or the kernel may have most of it. */
	static const char plain[] = "memory was not short: ";

	return s->is_told_working && !strncmp(memory, plain, strlen(plain)) && !s->has_dirty &&
	       !s->has_backlog && !s->has_unaccepted && !s->has_full && !s->has_futex_crowd &&
	       !s->is_pressed && !s->busy_cpu && !s->starved.beside && !s->leftover &&
	       s->of_case->limits && !s->of_case->used.n && !s->first[SECTION_RESTART] &&
	       s->warnings && !s->warnings->n && has_old_reports_alone(s);
}

/*
 * "load of 2 CPUs: at the end 8 weblog-stats ran or could run; tasks waited for a CPU: PSI ...; nothing else": where that is all
 * there is, it comes first. load: its words, to the end of what is told of memory.
 */
static void add_load(const struct summary *s, const char *load, struct strbuf *b)
{
	const char *ready = strstr(load, AT_END);

	strbuf_add(b, "load of ");
	if (s->of_case->cpus.known || s->of_case->present_cpus.known)
		case_add_cpus(s->of_case, b);
	else
		strbuf_add(b, "the CPUs");
	strbuf_add(b, ": ");
	if (ready)
		strbuf_add(b, "%s; ", ready + strlen("; "));
	strbuf_add(b, "%.*s; nothing else wrong was found",
		   ready ? (int)(ready - load) : (int)strlen(load), load);
}

void verdict_add_memory(const struct summary *s, const char *memory, struct strbuf *b)
{
	const bool found_nothing = !b->len && is_nothing(s, memory);
	const char *unknown = found_nothing ? unread(s) : "";
	/* Who ran at the end is there by chance, but where most are alike. */
	const char *load = found_nothing && s->waits_for_cpu && s->has_crowd
				   ? strstr(memory, "; " WAITED)
				   : NULL;

	/* Who ended it by hand explains the end. */
	if (found_nothing && s->panic_cause)
		strbuf_add(b, "%s; ", s->panic_cause);
	if (load)
		add_load(s, load + strlen("; "), b);
	else if (found_nothing)
		strbuf_add(b, "nothing wrong was found%s",
			   s->waits_for_cpu ? " beside load of the CPUs" : "");
	if (found_nothing)
		strbuf_add(b, "%s%s%s: ", *unknown ? ", of which a part is unknown (" : "", unknown,
			   *unknown ? ")" : "");
	strbuf_add(b, "%.*s", load ? (int)(load - memory) : (int)strlen(memory), memory);
	if (found_nothing)
		strbuf_add(b, "; the log has no warning and no error of a disk or the hardware, no "
			      "limit is nearly used");
}
