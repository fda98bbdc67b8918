// SPDX-License-Identifier: GPL-2.0-or-later
/* The largest owners by caller, module, process and cgroup, of the pass over the pages. */

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

static void merge_into(struct hash_u64 *map, uint64_t word, const struct sum *from)
{
	merge(hash_u64_get(map, word, NULL), from);
}

void pass_init_stacks(struct pass *p)
{
	struct arena *a = p->s->dump->arena;

	hash_u64_init(&p->stacks, a, sizeof(struct stack_sums));
	hash_u64_init(&p->callers, a, sizeof(struct sum));
	hash_u64_init(&p->modules, a, sizeof(struct sum));
	hash_u64_init(&p->of_frame, a, sizeof(struct sum *));
	hash_u64_init(&p->of_module, a, sizeof(struct sum *));
}

/* Frames are as many as addresses, of which a function may have several. */
static struct sum *sum_of_caller(struct pass *p, const struct frame *caller)
{
	struct sum **sum = hash_u64_get(&p->of_frame, (uintptr_t)caller, NULL);

	if (!*sum)
		*sum = hash_u64_get(&p->callers, owner_caller_word(p->v, caller), NULL);
	return *sum;
}

static struct sum *sum_of_module(struct pass *p, const char *module)
{
	struct sum **sum = hash_u64_get(&p->of_module, (uintptr_t)module, NULL);
	const char *name;

	if (*sum)
		return *sum;
	name = intern(&p->v->texts, module);
	*sum = hash_u64_get(&p->modules, name ? (uintptr_t)name : VALUE_UNKNOWN, NULL);
	return *sum;
}

const struct stack_sums *pass_stack(struct pass *p, uint32_t handle)
{
	struct stack_sums *sums = hash_u64_get(&p->stacks, handle, NULL);
	struct stack_owner owner;

	if (sums->caller)
		return sums;
	sums->is_bad = !stack_cache_owner(&p->v->stacks, handle, &owner);
	sums->module = sum_of_module(p, owner.module);
	sums->caller = sum_of_caller(p, owner.caller);
	sums->caller->names_owner |= !special_handle(&p->special, handle);
	return sums;
}

/* Several values of memcg_data are of one cgroup. */
static void merge_memcgs(struct pass *p, struct hash_u64 *paths)
{
	struct owner_view *v = p->v;

	for (struct hash_u64_entry *e = p->memcgs.first; e; e = e->next) {
		const char *path = intern(&v->texts, memcgs_path(&v->memcgs, e->key));

		if (path)
			merge_into(paths, (uint64_t)(uintptr_t)path, (const struct sum *)e->value);
	}
}

static struct maybe_u64 age_of(const struct pass *p, uint64_t ts_ns)
{
	struct maybe_u64 age = { 0 };

	age.known = p->has_ts && age_at_panic(&p->v->report.info, ts_ns, &age.n);
	return age;
}

static struct statement owner_of(struct pass *p, const char *by, const struct sum *sum)
{
	struct statement row = {
		.section = SECTION_OWNER,
		.by = by,
		.pages = { sum->pages, true },
		.allocs = { sum->allocs, true },
		.oldest = age_of(p, sum->ts_min),
		.youngest = age_of(p, sum->ts_max),
	};
	struct growth_span span;

	if (!p->has_growth || !growth_span(&sum->growth, p->v->report.info.panic_ns, &span))
		return row;
	row.growth = span.kind;
	row.span_pages = (struct maybe_u64){ span.pages, true };
	row.span_start = (struct maybe_u64){ span.start_ns, true };
	row.span_end = (struct maybe_u64){ span.end_ns, span.end_ns != UINT64_MAX };
	return row;
}

static struct largest largest_of(const struct hash_u64 *map, unsigned int rows)
{
	struct largest largest = { .room = rows };

	for (const struct hash_u64_entry *e = map->first; e; e = e->next)
		largest_add(&largest, ((const struct sum *)e->value)->pages, e);
	return largest;
}

static void put_keys(struct pass *p, const char *by, const struct hash_u64 *map, unsigned int rows)
{
	const struct largest largest = largest_of(map, rows);

	for (unsigned int i = 0; i < largest.n; i++) {
		const struct hash_u64_entry *e = largest.of[i].item;
		const struct sum *sum = (const struct sum *)e->value;
		struct statement row = owner_of(p, by, sum);

		if (e->key == VALUE_UNKNOWN) {
			/* Allocations of many callers: together they say nothing of a growth. */
			row.growth = NULL;
			row.span_pages.known = row.span_start.known = row.span_end.known = false;
		} else {
			row.name = (const char *)(uintptr_t)e->key;
			if (!strcmp(by, "cgroup") && p->s->pages_missing)
				row.remark = "others unknown";
			if (map == &p->callers && sum->names_owner && !p->s->next_caller)
				p->s->next_caller = row.name;
		}
		summary_add(p->s, &row);
	}
}

/*
 * The name that nine of ten of its pages have at least. A process that changed it, as exec() does, has the name
 * of the panic, if all of them are of that process. NULL: neither.
 */
static const char *name_of_process(const struct pass *p, int32_t tgid, const struct sum *sum)
{
	const struct task_name *now = NULL;

	if (sum->ahead * 10 >= sum->pages * 9 && p->v->owner.f[OWNER_COMM].present)
		return sum->comm;
	if (p->v->owners && sum->live == sum->pages)
		now = task_index_get(&p->v->owners->tasks, tgid);
	return now ? now->comm : NULL;
}

static void put_process(struct pass *p)
{
	const struct largest largest = largest_of(&p->processes, 1);
	const struct hash_u64_entry *e = largest.n ? largest.of[0].item : NULL;
	const struct sum *sum = e ? (const struct sum *)e->value : NULL;
	struct statement row;

	if (!sum)
		return;
	row = owner_of(p, "process", sum);
	row.pid = (struct maybe_u64){ e->key, true };
	row.comm = name_of_process(p, (int32_t)e->key, sum);
	if (sum->live == sum->pages || sum->dead == sum->pages)
		row.owner = sum->dead ? "dead" : "live";
	else if (sum->live && sum->dead)
		/* The pid was used again. */
		row.remark = "live; others with its pid ended";
	summary_add(p->s, &row);
	p->s->next_tgid = dump_text(p->v->dump, "%ld", (int64_t)e->key);
}

/* What the records of this kernel have no member for. */
static void put_unrecorded(struct pass *p)
{
	const struct page_owner *o = &p->v->owner;
	bool has_process = o->f[OWNER_TGID].present || o->f[OWNER_PID].present;

	if (!has_process || !p->has_ts)
		summary_unknown(p->s,
				has_process ? "age of owners"
				: p->has_ts ? "process of owners"
					    : "process and age of owners",
				NOT_BUILT, "page_owner of this kernel has none");
}

enum status summary_owners(struct summary *s)
{
	struct owner_view *v = s->view;
	struct pass *p = s->pass;

	if (s->pages_problem.status != ST_OK && !v->owner_problem)
		return dump_fail(s->dump, s->pages_problem.status, "%s", s->pages_problem.text);
	s->why = v->owner_why;
	if (!v->has_owner)
		return dump_fail(s->dump, v->records_unknown ? ST_UNKNOWN : ST_ABSENT, "%s",
				 v->owner_problem);
	put_keys(p, "caller", &p->callers, CALLERS);
	put_keys(p, "module", &p->modules, 1);
	put_process(p);
	if (!p->callers.first && s->cov.unreadable)
		return dump_unreadable(s->dump,
				       "no page_ext entry of a page in use is in this dump");
	put_unrecorded(p);
	return ST_OK;
}

/* Behind the other owners: their cgroup. */
enum status summary_charges(struct summary *s)
{
	struct pass *p = s->pass;
	struct hash_u64 paths;

	if (!s->has_owner)
		return ST_ABSENT;
	if (!s->view->has_memcgs)
		return first_problem_end(s->dump, &s->view->problems[SOURCE_MEMCGS]);
	hash_u64_init(&paths, s->dump->arena, sizeof(struct sum));
	merge_memcgs(p, &paths);
	put_keys(p, "cgroup", &paths, 1);
	return ST_OK;
}
