// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands still and waits for no other thread: those that wait for a CPU, a cgroup that is frozen. */
#include "cgroup/cfs_throttle.h"
#include "cgroup/cgroup.h"
#include "cgroup/frozen_cgroups.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

/* Those that a cpuset or their affinity keeps from CPUs that are idle. */
static void tell_bound(struct summary *s, const char *between)
{
	struct strbuf b = STRBUF_OF(1024);
	struct cpu_bound bound;
	enum status st = cpu_bound_find(&s->starved.bounds, &bound);

	summary_failed(s, "threads that are kept from idle CPUs", st);
	if (st == ST_OK) {
		strbuf_add(&b, "%s%s", s->busy_cpu ?: "", between);
		cpu_bound_text(&bound, &b);
		s->busy_cpu = dump_strdup(s->dump, b.buf);
	}
	s->dump->error[0] = '\0';
}

#define REAL_TIME_CPUS 64u /* a machine of more has rarely a thread for each */

/*
 * Threads of real-time policies on all CPUs: what else could run got what they left, even where it waited for no longer than
 * the server of fair tasks (6.12) lets it. Those of the kernel come and go.
 */
static void tell_real_time(struct summary *s)
{
	struct strbuf b = STRBUF_OF(512);
	struct cpu_task ran[REAL_TIME_CPUS];
	unsigned int n = 0, present = 0;
	const struct statement *panic = s->first[SECTION_PANIC];
	enum status st = cpus_in(s->dump, CPUS_PRESENT, &present)
				 ?: cpu_tasks_beside(s->dump, NO_CPU, ran, ARRAY_SIZE(ran), &n);

	/* Then nothing rests on it that no thread had waited for a CPU. */
	if (st == ST_UNREADABLE || st == ST_CORRUPT) {
		dump_lacks(s->dump, "what CPUs ran", st, "%s", dump_why(s->dump));
		s->starved.status = s->starved.status ?: st;
		s->starved.is_tried = true;
	}
	s->dump->error[0] = '\0';
	if (st != ST_OK || !n || n != present || ANY_OF(i, n, !ran[i].rt_priority || !ran[i].mm) ||
	    /* Who asked for the end ran for that. */
	    ANY_OF(i, n, panic && panic->pid.known && panic->pid.n == (uint64_t)ran[i].pid))
		return;
	strbuf_add(&b, "at the end %s a real-time policy%s %s (%d)%s",
		   n == 1 ? "the only CPU ran a thread of" : "each CPU ran a thread of",
		   n == 1 ? "," : ", as", ran[0].comm, ran[0].pid,
		   summary_thread_of(s, ran[0].pid, ran[0].tgid));
	summary_policy(s->dump, sched_policy_name(ran[0].policy), ran[0].rt_priority, &b);
	s->busy_cpu = dump_strdup(s->dump, b.buf);
}

#define FEW_PERIODS 10 /* of fewer a share says little */
#define PART 4	       /* of its periods in which a cgroup used up what it may have */
#define WAITED 5000ul  /* hundredths of a percent of the time */

struct limited {
	struct cgroups paths;
	const struct pressure *pressure; /* NULL: it is not known */
	struct cfs_limit most;		 /* by the time that its tasks stood */
	const char *path;
	unsigned int n;
};

static void keep_limited(void *arg, const struct cfs_limit *limit)
{
	struct limited *of = arg;
	const struct pressure_line *line;
	const char *path;

	if (!limit->has_counts || limit->periods < FEW_PERIODS ||
	    limit->throttled < limit->periods / PART)
		return;
	path = limit->cgroup ? cgroups_path(&of->paths, limit->cgroup) : NULL;
	line = of->pressure && path ? pressure_of(of->pressure, path, "PSI_CPU_SOME") : NULL;
	/* Between two periods it runs: then its pressure tells. */
	if (!limit->is_throttled && (!line || pressure_avg10(line) < WAITED))
		return;
	if (!of->n++ || limit->throttled_ns > of->most.throttled_ns) {
		of->most = *limit;
		of->path = path;
	}
}

/* ", with invoice-render (263) in it, which started 1.7min before the end": who is in it, and below it; "": none is known. */
static const char *held_up(struct summary *s, const char *path)
{
	const struct process_groups *p = s->groups;
	const struct process_group *one = NULL;
	struct maybe_u64 age;
	uint64_t n = 0, first_ns = UINT64_MAX, names = 0;

	if (!p || !path)
		return "";
	hash_bytes_for_each(const struct process_group, g, &p->groups)
		if (g->cgroup && cgroup_is_below(g->cgroup, path)) {
			n += g->processes;
			first_ns = g->first_ns < first_ns ? g->first_ns : first_ns;
			names++;
			one = g;
		}
	if (!n)
		return "";
	age = groups_age(p, first_ns);
	return dump_text(
		s->dump, ", with %s%s in it%s%s%s%s",
		p->lacks_cgroups || s->tasks_missing ? "at least " : "",
		n == 1 ? SUMMARY_TASK(((struct maybe_u64){ (uint64_t)one->tgid, true }), one->comm)
		: names == 1 ? dump_text(s->dump, "%s %s", COUNT_TEXT(n), one->comm)
			     : PLURAL_TEXT(n, "process", "processes"),
		age.known ? n == 1 ? ", which started " : ", the first of which started " : "",
		age.known ? TIME_TEXT(age.n) : "", age.known ? " before the " : "",
		age.known ? age_end(&s->report->info) : "");
}

/* Cgroups whose tasks stood, most of the time, for a limit of their own, whatever the CPUs did. */
static void tell_limited(struct summary *s)
{
	struct limited of = { 0 };
	const struct pressure *pressure;
	struct cfs_throttle x;
	enum status st = cfs_throttle_open(s->dump, &x) ?: cgroups_open(s->dump, &of.paths);

	if (st == ST_OK && summary_pressure(s, &pressure) == ST_OK)
		of.pressure = pressure;
	if (st == ST_OK)
		st = cfs_limits_each(&x, keep_limited, &of);
	if (st == ST_UNREADABLE || st == ST_CORRUPT)
		summary_failed(s, "what cpu.max keeps from running", st);
	s->dump->error[0] = '\0';
	if (!of.n)
		return;
	s->is_limited_cpu = !s->busy_cpu;
	s->limited_cgroup = of.path;
	s->limited_words = dump_text(
		s->dump, "cgroup %s may run for %s of each %s (cpu.max), and %s%s%s%s",
		of.path ?: "of unknown name", TIME_TEXT(of.most.quota_ns),
		TIME_TEXT(of.most.period_ns),
		dump_text(s->dump, "had used that up in %s of %s", COUNT_TEXT(of.most.throttled),
			  COUNT_OF(of.most.periods, "period")),
		of.most.is_throttled ? ", and again at the end" : "", held_up(s, of.path),
		of.n > 1 ? dump_text(s->dump, "; so had %s", COUNT_OF(of.n - 1, "other cgroup"))
			 : "");
	s->busy_cpu = dump_text(s->dump, "%s%s%s", s->busy_cpu ?: "", s->busy_cpu ? "; " : "",
				s->limited_words);
}

/* "the CPU 0 has run encoderd (166)": what those waited for that could run and did not. */
void summary_tell_starved(struct summary *s)
{
	const struct starved *of = &s->starved;
	struct strbuf b = STRBUF_OF(512);
	struct cfs_throttle x;
	struct cfs_limit limit;
	struct cpu_task on;

	if (!of->n) {
		tell_real_time(s);
		tell_bound(s, s->busy_cpu ? "; " : "");
		tell_limited(s);
		return;
	}
	/* Of those that are not known one may have waited longer. */
	strbuf_add(&b, "%s%s waited for a CPU for up to %s%s: %s (%d) for CPU %lu",
		   s->tasks_missing ? "at least " : "",
		   PLURAL_TEXT(of->n, "thread has", "threads have"), TIME_TEXT(of->age_ns),
		   s->tasks_missing ? " or longer" : "", of->task.comm, of->task.pid, of->cpu);
	if (cfs_throttle_open(s->dump, &x) == ST_OK &&
	    cfs_throttle_read(&x, of->task.address, &limit) == ST_OK && limit.is_throttled) {
		strbuf_add(&b, "; its cgroup, or one above it, has used up its cpu.max");
		if (limit.quota_ns)
			strbuf_add(&b, " of %s in %s", TIME_TEXT(limit.quota_ns),
				   TIME_TEXT(limit.period_ns));
	} else if (cpu_task_read(s->dump, of->cpu, &on) == ST_OK && on.pid) {
		strbuf_add(&b, ", on which %s (%d)%s ran at the end", on.comm, on.pid,
			   summary_thread_of(s, on.pid, on.tgid));
		summary_policy(s->dump, sched_policy_name(on.policy), on.rt_priority, &b);
	}
	if (of->n == 2)
		strbuf_add(&b, "; %s (%d) for CPU %lu", of->second.comm, of->second.pid,
			   of->second_cpu);
	s->busy_cpu = dump_strdup(s->dump, b.buf);
	tell_bound(s, "; ");
	tell_limited(s);
}

#define FROZEN_NAMED 3u /* threads: of more their number says enough */

/* "catalogd (163)": of the processes that are told those in a cgroup; "": none. */
static const char *frozen_names(struct summary *s, const char *cgroup)
{
	struct strbuf b = STRBUF_OF(256);
	unsigned int n = 0;

	for (const struct statement *row = s->first[SECTION_PROCESS];
	     row && cgroup && n < FROZEN_NAMED; row = row->next)
		if (row->cgroup && !strcmp(row->cgroup, cgroup)) {
			strbuf_add(&b, "%s%s", n ? ", " : " of ",
				   SUMMARY_TASK(row->pid, row->comm));
			n++;
		}
	return dump_strdup(s->dump, b.buf);
}

/* A service that stands still since somebody froze its cgroup. */
void summary_tell_frozen(struct summary *s)
{
	struct frozen_cgroups f;

	summary_failed(s, "cgroups that are frozen", frozen_cgroups_find(s->dump, &f));
	if (f.cgroups)
		s->frozen = dump_text(s->dump, "cgroup %s is frozen: %s%s%s",
				      f.most ?: "of unknown name", COUNT_OF(f.of_most, "thread"),
				      f.of_most <= FROZEN_NAMED ? frozen_names(s, f.most) : "",
				      f.cgroups > 1
					      ? dump_text(s->dump, ", and %s",
							  COUNT_OF(f.cgroups - 1, "other cgroup"))
					      : "");
}
