// SPDX-License-Identifier: GPL-2.0-or-later
#include "throttled.h"

#include "cgroup/cgroup.h"
#include "collect/in_fault.h"
#include "groups.h"
#include "summary.h"

#define FRAMES 8 /* the scheduler and its timer have five below the sleep */

/* What its own file "full" of memory.pressure shows; NULL: unknown. */
static const struct pressure_line *find_line(struct summary *s, const char *path)
{
	const struct pressure *p;

	return summary_pressure(s, &p) == ST_OK ? pressure_of(p, path, "PSI_MEM_FULL") : NULL;
}

/*
 * What reclaim holds at memory.high stays there and waits little; what it cannot reclaim goes beyond, and waits. One at
 * memory.max is as full when reclaim keeps it there: that tasks wait for memory is known by its PSI alone.
 */
static bool is_throttled(uint64_t usage, uint64_t high, bool is_max, struct maybe_u64 avg10)
{
	return avg10.known || is_max ? avg10.known && avg10.n >= limit(LIMIT_PRESSURE)
				     : usage > high && usage - high > limit(LIMIT_CGROUP);
}

void throttled_add(struct summary *s, const char *path, uint64_t usage, uint64_t high, bool is_max)
{
	struct throttled *t = &s->throttled;
	const struct pressure_line *line = path ? find_line(s, path) : NULL;
	const struct maybe_u64 avg10 = { line ? pressure_avg10(line) : 0, line != NULL };

	if (!path || !is_throttled(usage, high, is_max, avg10) ||
	    (t->path && (avg10.n < t->avg10.n ||
			 (avg10.n == t->avg10.n && usage + t->high <= t->usage + high))))
		return;
	t->path = path;
	t->usage = usage;
	t->high = high;
	t->is_max = is_max;
	t->avg10 = avg10;
	t->cache = t->unwritten = 0;
	t->no_oom = false;
	t->as_of = line && !pressure_is_of_end(line)
			   ? dump_text(s->dump, ", as of %s before the end",
				       TIME_TEXT(line->age_ns))
			   : "";
}

void throttled_take(struct summary *s)
{
	const struct throttled *t = &s->throttled;
	const char *older;

	if (!t->path || s->limit_path || summary_report_of_end(s, &older) || s->is_oops ||
	    !s->free.known || limit_of_free(units_tenths(s->free.n, s->ram_pages)))
		return;
	s->limit_path = t->path;
	s->limit_pages = t->high;
	s->limit_usage = (struct maybe_u64){ t->usage, true };
}

bool throttled_is_limit(const struct summary *s)
{
	return s->throttled.path && s->limit_path == s->throttled.path;
}

bool throttled_is_cache(const struct summary *s)
{
	const struct throttled *t = &s->throttled;

	return t->cache > t->usage / 2 && t->no_oom && t->unwritten < t->cache / 2;
}

void throttled_count(struct summary *s, const struct task *t, const char *cgroup,
		     struct task_frames *at)
{
	static const char function[] = "mem_cgroup_handle_over_high";
	struct throttled *of = &s->throttled;
	bool is_there = false;
	uint64_t pages;

	if (!of->path || !cgroup || !cgroup_is_below(cgroup, of->path) || at->stack.on_cpu)
		return;
	for (unsigned int i = 0; i < at->frames.n && i < FRAMES; i++) {
		const char *name = task_frames_name(at, i);

		is_there |= !strcmp(name + strspn(name, "_"), function);
	}
	if (!is_there)
		return;
	pages = t->has_memory ? (uint64_t)(t->rss_anon + t->rss_shmem + t->swap) : 0;
	if (of->threads++ && pages <= of->most)
		return;
	of->most = pages;
	of->first = dump_strdup(
		s->dump, SUMMARY_TASK(((struct maybe_u64){ (uint64_t)t->pid, true }), t->comm));
}

void throttled_add_text(const struct summary *s, struct strbuf *b)
{
	const struct throttled *t = &s->throttled;

	strbuf_add(b, "cgroup %.200s is %s: %s, %s its memory.%s of %s", t->path,
		   t->is_max ? "at its limit and reclaims" : "throttled", summary_size(s, t->usage),
		   t->usage > t->high ? "over" : "at", t->is_max ? "max" : "high",
		   summary_size(s, t->high));
	if (throttled_is_cache(s))
		strbuf_add(b,
			   "; %s of it is page cache, which the kernel gives back, and no oom is "
			   "counted",
			   summary_size(s, t->cache));
	if (t->avg10.known)
		strbuf_add(b, "%c its PSI memory full avg10 %lu.%02lu%s",
			   throttled_is_cache(s) ? ';' : ',', t->avg10.n / 100, t->avg10.n % 100,
			   t->as_of);
	if (t->threads == 1)
		strbuf_add(b, "; %s sleeps for that", t->first);
	else if (t->threads)
		strbuf_add(b, "; %s and %s%s sleep for that", t->first,
			   s->tasks_missing || (s->groups && s->groups->lacks_stacks) ? "at least "
										      : "",
			   COUNT_OF(t->threads - 1, "other thread"));
}
