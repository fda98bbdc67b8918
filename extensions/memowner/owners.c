// SPDX-License-Identifier: GPL-2.0-or-later
/* The largest owners by caller, module, process and cgroup, of the pass over the pages. */
#include <stdio.h>
#include <string.h>

#include "pageowner/view.h"
#include "pass.h"

/* That are shown; of the other keys the largest one. */
#define CALLERS 3

static void merge(struct sum *to, const struct sum *from)
{
	if (!to->pages || from->ts_min < to->ts_min)
		to->ts_min = from->ts_min;
	if (!to->pages || from->ts_max > to->ts_max)
		to->ts_max = from->ts_max;
	to->pages += from->pages;
	to->allocs += from->allocs;
	to->names_owner |= from->names_owner;
	for (unsigned int i = 0; i < GROWTH_STEPS; i++)
		to->growth.pages[i] += from->growth.pages[i];
}

static enum status merge_into(struct pass *p, struct hash_u64 *map, uint64_t word,
			      const struct sum *from)
{
	bool is_new;
	struct sum *to = hash_u64_get(map, word, &is_new);

	if (!to)
		return dump_no_memory(p->v->dump);
	merge(to, from);
	return ST_OK;
}

enum status pass_merge_stacks(struct pass *p)
{
	struct owner_view *v = p->v;
	enum status st = ST_OK;

	for (struct hash_u64_entry *e = p->stacks.first; e && st == ST_OK; e = e->next) {
		const struct owner_page page = { .allocated = true, .handle = (uint32_t)e->key };
		struct sum *sum = (struct sum *)e->value;
		struct cached_stack *k = stack_cache_get(&v->stacks, page.handle);
		struct page_facts f;

		if (!k)
			return dump_no_memory(v->dump);
		sum->names_owner = !special_handle(&p->special, page.handle);
		if (!k->decoded)
			p->bad += sum->pages;
		page_facts_init(v, &page, &f);
		st = merge_into(p, &p->callers, owner_value(&f, KEY_CALLER), sum);
		if (st == ST_OK)
			st = merge_into(p, &p->modules, owner_value(&f, KEY_MODULE), sum);
	}
	return st;
}

/* Several values of memcg_data are of one cgroup. */
static enum status merge_memcgs(struct pass *p, struct hash_u64 *paths)
{
	struct owner_view *v = p->v;
	enum status st = ST_OK;

	for (struct hash_u64_entry *e = p->memcgs.first; e && st == ST_OK; e = e->next) {
		const char *path = intern(&v->texts, memcgs_path(&v->memcgs, e->key));

		if (path)
			st = merge_into(p, paths, (uint64_t)(uintptr_t)path,
					(const struct sum *)e->value);
	}
	return st;
}

static void fill_growth(struct pass *p, const struct sum *sum, struct cell *row)
{
	struct growth_span span;

	if (!p->has_ts)
		return;
	row[COL_OLDEST] = report_age(&p->v->report, sum->ts_min);
	row[COL_YOUNGEST] = report_age(&p->v->report, sum->ts_max);
	if (!p->has_growth || !growth_span(&sum->growth, p->v->report.info.panic_ns, &span))
		return;
	row[COL_GROWTH] = cell_text(span.kind);
	row[COL_SPAN_PAGES] = cell_uint(span.pages);
	row[COL_SPAN_START] = cell_uint(span.start_ns);
	row[COL_SPAN_END] = cell_if(span.end_ns != UINT64_MAX, cell_uint(span.end_ns));
}

static struct cell *add_owner(struct pass *p, const char *by, const struct sum *sum)
{
	struct cell *row = summary_add(p->s, SECTION_OWNER);

	if (!row)
		return NULL;
	row[COL_BY] = cell_text(by);
	row[COL_PAGES] = cell_uint(sum->pages);
	row[COL_BYTES] = cell_uint(sum->pages << p->v->page_shift);
	row[COL_ALLOCS] = cell_uint(sum->allocs);
	fill_growth(p, sum, row);
	return row;
}

/* The largest entry below a size, or of that size and behind a given one. */
static const struct hash_u64_entry *largest(const struct hash_u64 *map,
					    const struct hash_u64_entry *before)
{
	const struct hash_u64_entry *best = NULL;
	uint64_t below = before ? ((const struct sum *)before->value)->pages : UINT64_MAX;
	bool behind = false;

	for (const struct hash_u64_entry *e = map->first; e; e = e->next) {
		uint64_t pages = ((const struct sum *)e->value)->pages;

		if ((pages < below || (pages == below && behind)) && e != before &&
		    (!best || pages > ((const struct sum *)best->value)->pages))
			best = e;
		behind |= e == before;
	}
	return best;
}

static enum status put_keys(struct pass *p, const char *by, const struct hash_u64 *map,
			    unsigned int rows)
{
	const struct hash_u64_entry *e = NULL;

	for (; rows && (e = largest(map, e)); rows--) {
		const struct sum *sum = (const struct sum *)e->value;
		struct cell *row = add_owner(p, by, sum);

		if (!row)
			return ST_NOMEM;
		if (e->key == VALUE_UNKNOWN) {
			/* Allocations of many callers: together they say nothing of a growth. */
			row[COL_GROWTH] = row[COL_SPAN_PAGES] = cell_text(NULL);
			row[COL_SPAN_START] = row[COL_SPAN_END] = cell_text(NULL);
			continue;
		}
		row[COL_NAME] = cell_text((const char *)(uintptr_t)e->key);
		if (!strcmp(by, "cgroup") && p->s->pages_missing)
			row[COL_REMARK] = cell_text("others unknown");
		if (map == &p->callers && sum->names_owner && !p->s->next_caller)
			p->s->next_caller = row[COL_NAME].text;
	}
	return ST_OK;
}

/*
 * The name that all its allocations have. A process that changed it, as exec() does, has the name of
 * the panic, if all of them are of that process. NULL: neither.
 */
static const char *name_of_process(const struct pass *p, int32_t tgid, const struct sum *sum)
{
	const struct task_name *now = NULL;

	if (!sum->many_comms && p->v->owner.f[OWNER_COMM].present)
		return sum->comm;
	if (p->v->owners && sum->live == sum->pages)
		now = task_index_get(&p->v->owners->tasks, tgid);
	return now ? now->comm : NULL;
}

static enum status put_process(struct pass *p)
{
	const struct hash_u64_entry *e = largest(&p->processes, NULL);
	const struct sum *sum = e ? (const struct sum *)e->value : NULL;
	struct cell *row = sum ? add_owner(p, "process", sum) : NULL;
	char buf[32];

	if (!sum)
		return ST_OK;
	if (!row)
		return ST_NOMEM;
	row[COL_PID] = cell_int((int64_t)e->key);
	row[COL_COMM] = cell_text(name_of_process(p, (int32_t)e->key, sum));
	if (sum->live == sum->pages || sum->dead == sum->pages)
		row[COL_OWNER] = cell_text(sum->dead ? "dead" : "live");
	else if (sum->live && sum->dead)
		/* The pid was used again. */
		row[COL_REMARK] = cell_text("live; others with its pid ended");
	snprintf(buf, sizeof(buf), "%lld", (long long)(int64_t)e->key);
	p->s->next_tgid = arena_strdup(p->v->dump->arena, buf);
	return ST_OK;
}

static enum status put_owners(struct pass *p)
{
	enum status st = put_keys(p, "caller", &p->callers, CALLERS);

	if (st == ST_OK)
		st = put_keys(p, "module", &p->modules, 1);
	return st == ST_OK ? put_process(p) : st;
}

/* What the records of this kernel have no member for. */
static enum status put_unrecorded(struct pass *p)
{
	const struct page_owner *o = &p->v->owner;
	bool has_process = o->f[OWNER_TGID].present || o->f[OWNER_PID].present;
	const char *name = !has_process && !p->has_ts ? "process and age of owners"
			   : !has_process	      ? "process of owners"
			   : !p->has_ts		      ? "age of owners"
						      : NULL;

	return name ? summary_unknown(p->s, name, NOT_BUILT, "not recorded by this kernel") : ST_OK;
}

enum status summary_owners(struct summary *s)
{
	struct owner_view *v = s->view;
	enum status st;

	if (s->pages_problem.status != ST_OK && !v->owner_problem)
		return dump_fail(s->dump, s->pages_problem.status, "%s", s->pages_problem.text);
	s->why = v->owner_why;
	if (!v->has_owner)
		return dump_fail(s->dump, v->records_unknown ? ST_UNKNOWN : ST_ABSENT, "%s",
				 v->owner_problem);
	st = put_owners(s->pass);
	if (st == ST_OK && !s->pass->callers.first && s->cov.unreadable)
		return dump_fail(s->dump, ST_UNREADABLE,
				 "no page_ext entry of a page in use is in this dump");
	return st == ST_OK ? put_unrecorded(s->pass) : st;
}

/* Behind the other owners: their cgroup. */
enum status summary_charges(struct summary *s)
{
	struct pass *p = s->pass;
	struct hash_u64 paths;
	enum status st;

	if (!s->has_owner)
		return ST_ABSENT;
	if (!s->view->has_memcgs)
		return first_problem_end(s->dump, &s->view->problems[SOURCE_MEMCGS]);
	hash_u64_init(&paths, s->dump->arena, sizeof(struct sum));
	st = merge_memcgs(p, &paths);
	return st == ST_OK ? put_keys(p, "cgroup", &paths, 1) : st;
}
