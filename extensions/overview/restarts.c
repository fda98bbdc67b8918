// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Services that were started again and again: by systemd's lines of the log, by processes of one cgroup that the OOM killer
 * killed before the oldest that is there started, by removed cgroups of the path of one that is there.
 */
#include "cgroup/memcg_counts.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"

#define MOST 3u	  /* services that are told */
#define FEWEST 2u /* times: once may be an update */
#define MARGIN \
	2000000000 /* ns: between the clock of the log and that of processes (doc/story.md) */
#define TEXT 384

struct service {
	const char *path;
	uint64_t kills, first_kill, last_kill; /* kept reports */
	uint64_t removed;
	uint64_t oldest; /* when its oldest process started */
	bool is_there;	 /* has processes */
	const struct unit_restart *unit;
};

static bool is_service(const char *path)
{
	static const char end[] = ".service";
	const size_t n = strlen(path), len = strlen(end);

	return n > len && !strcmp(path + n - len, end);
}

static const char *name_of(const char *path)
{
	return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

static struct service *service_of(struct hash_bytes *all, const char *path)
{
	struct service *x = hash_bytes_get(all, path, strlen(path) + 1, NULL)->value;

	x->path = path;
	return x;
}

static void add_kills(const struct summary *s, struct hash_bytes *all)
{
	for (unsigned int i = 0; i < s->reports.n; i++) {
		const struct oom_report *r = &s->reports.reports[i];
		struct service *x;

		if (r->outcome != OOM_KILLED || !r->kill_ns || !is_service(r->task_memcg))
			continue;
		x = service_of(all, r->task_memcg);
		x->first_kill = x->kills++ ? x->first_kill : r->kill_ns;
		x->last_kill = r->kill_ns;
	}
}

static void add_removed(const struct summary *s, struct hash_bytes *all)
{
	for (const struct memcg_counts *c = s->memcgs; c; c = c->next)
		if (c->removed && c->path && is_service(c->path))
			service_of(all, c->path)->removed++;
}

static void add_processes(const struct summary *s, struct hash_bytes *all)
{
	for (const struct hash_bytes_entry *e = s->groups ? s->groups->cgroups.first : NULL; e;
	     e = e->next) {
		const struct cgroup_processes *of = e->value;
		struct service *x;

		if (!is_service((const char *)e->key))
			continue;
		x = service_of(all, (const char *)e->key);
		x->is_there = true;
		x->oldest = of->first_ns;
	}
}

static void add_units(const struct summary *s, struct hash_bytes *all)
{
	for (unsigned int i = 0; i < s->units.n; i++) {
		const struct unit_restart *u = &s->units.all[i];
		bool found = false;

		hash_bytes_for_each(struct service, x, all)
			if (!strcmp(name_of(x->path), u->name)) {
				x->unit = u;
				found = true;
			}
		if (!found)
			service_of(all, u->name)->unit = u;
	}
}

/* One that is older than the first kill lost processes, and went on. */
static bool has_kills(const struct service *x)
{
	return x->kills >= FEWEST && x->is_there && x->oldest > x->first_kill + MARGIN;
}

static bool is_restarted(const struct service *x)
{
	return (x->unit && x->unit->counter >= FEWEST) || has_kills(x) ||
	       (x->removed >= FEWEST && x->is_there);
}

static const char *age_of(const struct summary *s, uint64_t ns)
{
	uint64_t age;

	return age_at_panic(&s->report->info, ns, &age) ? dump_text(s->dump, "%s", TIME_TEXT(age))
							: NULL;
}

/* Of its oldest process at the end; unknown: it has none that is known. */
static struct maybe_u64 life_of(const struct summary *s, const struct service *x)
{
	struct maybe_u64 ret = { 0 };

	ret.known = x->is_there && age_at_panic(&s->report->info, x->oldest, &ret.n);
	return ret;
}

/* "worker.service was started again: the OOM killer killed at least 16 of its processes, the last 1.2s before the end; ..." */
static const char *words_of(const struct summary *s, const struct service *x)
{
	struct strbuf b = STRBUF_OF(TEXT);
	const char *age = x->unit ? age_of(s, x->unit->last->ts_ns) : NULL;

	strbuf_add(&b, "%s was started again", name_of(x->path));
	if (x->unit)
		strbuf_add(&b, ": %s times, as systemd counts%s%s%s", COUNT_TEXT(x->unit->counter),
			   age ? ", the last " : "", age ?: "", age ? " before the end" : "");
	if (!x->unit && x->removed >= FEWEST)
		strbuf_add(&b, " %s times at least, by its removed cgroups",
			   COUNT_TEXT(x->removed));
	if (has_kills(x)) {
		age = age_of(s, x->last_kill);
		strbuf_add(&b, "%s the OOM killer killed %s%s of its processes",
			   x->unit || x->removed >= FEWEST ? ";" : ":",
			   summary_misses_reports(s) ? "at least " : "", COUNT_TEXT(x->kills));
		if (age)
			strbuf_add(&b, ", the last %s before the end", age);
	}
	age = x->is_there ? age_of(s, x->oldest) : NULL;
	if (age)
		strbuf_add(&b, "; its oldest process started %s before the end", age);
	return dump_strdup(s->dump, b.buf);
}

enum status summary_restarts(struct summary *s)
{
	struct hash_bytes all;
	struct statement *last;
	uint64_t n = 0;

	hash_bytes_init(&all, s->dump->arena, sizeof(struct service));
	add_kills(s, &all);
	add_removed(s, &all);
	add_processes(s, &all);
	add_units(s, &all);
	hash_bytes_for_each(struct service, x, &all)
		if (is_restarted(x) && n++ < MOST)
			SUMMARY_ADD(s, .section = SECTION_RESTART, .name = name_of(x->path),
				    .oldest = life_of(s, x),
				    .cgroup = strchr(x->path, '/') ? x->path : NULL,
				    .remark = words_of(s, x));
	last = s->last[SECTION_RESTART];
	if (n > MOST)
		last->remark = dump_text(s->dump, "%s; and %s again and again", last->remark,
					 PLURAL_TEXT(n - MOST, "more service was started",
						     "more services were started"));
	return ST_OK;
}
