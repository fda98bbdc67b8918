// SPDX-License-Identifier: GPL-2.0-or-later
#include "sources.h"

#include "vm/vmalloc.h"

#define STACK_DEPTH 16 /* PAGE_OWNER_STACK_DEPTH, TRACK_ADDRS_COUNT */
#define MAX_ORDER 20   /* as in lib/page_owner */

_Static_assert(TASKS_COMM == TASK_COMM_LEN, "one length of names of tasks");

/* The arrays of pages, and the areas themselves, are charged to whoever called vmalloc(). */
static enum status add_area(void *arg, const struct vm_area *area)
{
	struct tag_view *v = arg;

	hash_u64_get(&v->vmalloc, area->pages, NULL);
	hash_u64_get(&v->vmalloc, area->vm, NULL);
	return ST_OK;
}

static void find_vmalloc(struct tag_view *v)
{
	struct vm_layout layout;

	if ((vm_layout_open(v->dump, &layout) ?: vm_areas_walk(&layout, add_area, v)) != ST_OK)
		report_warn(v->report, "vmalloc's own allocations are incomplete: %s",
			    v->dump->error);
}

static void open_classes(struct tag_view *v)
{
	struct page_classes *c = dump_alloc(v->dump, sizeof(*c));
	enum status st = page_classes_open(v->dump, &v->states, &v->ram, c);

	if (st == ST_OK)
		v->classes = c;
	else
		report_unknown(v->report, "page classes", availability_of(st), "%s",
			       v->dump->error);
	if (v->classes && c->problem)
		report_warn(v->report, "page classes are incomplete: %s", c->problem);
}

/* page_owner and slub tracks give task and stack; without them these columns are empty. */
static void open_owners(struct tag_view *v)
{
	struct dump *d = v->dump;
	enum availability why;
	enum status st = page_owner_open(d, &v->owner, &why);

	v->has_owner = st == ST_OK;
	v->records_unknown = !v->has_owner && st != ST_ABSENT;
	if (!v->has_owner)
		report_warn(v->report, "order, task and stack of pages are unknown: %s", d->error);
	st = slabs_open(d, &v->memmap, &v->slabs);
	v->has_slabs = st == ST_OK;
	if (!v->has_slabs)
		report_unknown(v->report, "slab objects", availability_of(st), "%s", d->error);
	st = v->has_slabs ? kfence_open(d, &v->kfence) : ST_ABSENT;
	v->has_kfence = st == ST_OK;
	if (!v->has_kfence && st != ST_ABSENT)
		report_unknown(v->report, "objects of KFENCE", availability_of(st), "%s", d->error);
	v->has_tracks = slub_tracks_open(d, &v->tracks) == ST_OK;
	st = stack_cache_open(d, &v->stacks);
	v->has_stacks = st == ST_OK;
	if (!v->has_stacks && st != ST_ABSENT)
		dump_lacks(d, "call stacks", st, "%s", d->error);
	v->stacks.depth_limit = STACK_DEPTH;
	if (!v->has_stacks)
		symbolizer_open(d, &v->stacks.symbols);
	if (v->in->opts.lines) {
		stack_cache_with_lines(&v->stacks, v->in->opts.lines_dir);
		v->report->lines = &v->stacks.lines;
	}
}

static void find_orders(struct tag_view *v)
{
	struct dump *d = v->dump;
	struct field f;

	v->head_flag = page_flag_mask(d, "PG_head");
	/* The low byte of _flags_1, 6.6 and later; before, a member of its own. */
	v->order_in_flags = dump_ask(d, member, "struct folio", "_flags_1", &f) == ST_OK &&
			    dump_ask(d, member, "struct folio", "_folio_order", &f) != ST_OK;
}

static enum status add_pool(void *arg, uint64_t pool)
{
	struct tag_view *v = arg;

	hash_u64_get(&v->pools, (pool - v->slabs.linear) >> v->dump->page_shift, NULL);
	return ST_OK;
}

/* page_owner, which keeps its stacks there, has no records of the first of them. */
static void find_pools(struct tag_view *v)
{
	uint64_t pages = v->stacks.depot.pool_bytes >> v->dump->page_shift;

	hash_u64_init(&v->pools, v->dump->arena, 1);
	if (!v->has_stacks || !v->has_slabs || !pages)
		return;
	v->pool_order = __builtin_ctzll(pages);
	depot_pools(&v->stacks.depot, add_pool, v);
}

enum status tag_view_open(struct tag_view *v, enum availability *why)
{
	struct dump *d = v->dump;
	enum status st = ram_open(d, &v->ram) ?: memmap_open(d, &v->memmap) ?:
			page_types_open(d, &v->memmap, &v->states);

	if (st == ST_OK) {
		st = page_tags_open(d, &v->pages);
		v->has_pages = st == ST_OK;
		if (v->any_kernel)
			st = ST_OK;
	}
	*why = st == ST_ABSENT ? OFF_AT_BOOT : availability_of(st);
	st = st ?: site_index_open(d, v->tags, &v->sites);
	if (st != ST_OK)
		return st;
	hash_u64_init(&v->vmalloc, d->arena, 1);
	find_orders(v);
	special_handles_open(d, &v->special);
	open_owners(v);
	open_classes(v);
	find_vmalloc(v);
	find_pools(v);
	return ST_OK;
}

/* The order of a compound page; other pages do not store their order. */
static bool compound_order(struct tag_view *v, uint64_t pfn, const struct page_info *info,
			   unsigned int *ret)
{
	struct page_info second;

	if (!v->head_flag || !v->order_in_flags || !(info->flags & v->head_flag) ||
	    page_type_at(&v->states, pfn + 1, &second) != ST_OK || second.head != pfn)
		return false;
	*ret = second.flags & 0xff;
	return *ret && *ret <= MAX_ORDER;
}

static void fill_stack(struct tag_view *v, struct tag_owner *o)
{
	struct cached_stack *k;

	if (!o->handle || !v->has_stacks)
		return;
	k = stack_cache_get(&v->stacks, o->handle);
	if (!k->decoded) {
		o->handle = 0;
		v->bad_stacks++;
	}
	o->stack = stack_cache_frames(&v->stacks, k);
}

enum page_record tag_view_record_of(struct tag_view *v, uint64_t pfn, struct owner_record *ret)
{
	if (!v->has_owner)
		return v->records_unknown ? RECORD_UNKNOWN : RECORD_NONE;
	switch (page_owner_look_up(&v->owner, pfn, ret)) {
	case ST_OK:
		return ret->page.allocated ? RECORD_LIVE : RECORD_FREE;
	case ST_ABSENT:
		return RECORD_NONE;
	default:
		return RECORD_UNKNOWN;
	}
}

bool tag_view_record(struct tag_view *v, uint64_t pfn, struct owner_record *ret)
{
	return tag_view_record_of(v, pfn, ret) == RECORD_LIVE;
}

bool tag_view_order(struct tag_view *v, uint64_t pfn, const struct page_info *info,
		    const struct owner_record *r, unsigned int *ret)
{
	if (compound_order(v, pfn, info, ret))
		return true;
	if (hash_u64_has(&v->pools, pfn)) {
		*ret = v->pool_order;
		return true;
	}
	/* Pages from before page_owner started have a record each, whatever the order was. */
	if (!r || !r->page.head || special_handle_is(&v->special, SPECIAL_EARLY, r->page.handle))
		return false;
	*ret = r->page.order;
	return true;
}

void tag_view_page_owner(struct tag_view *v, const struct owner_record *r, struct tag_owner *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!r)
		return;
	ret->has_pid = v->owner.f[OWNER_PID].present;
	ret->pid = r->pid;
	ret->tgid = r->tgid;
	ret->has_comm = v->owner.f[OWNER_COMM].present && v->owner.f[OWNER_TGID].present;
	memcpy(ret->comm, r->comm, sizeof(ret->comm));
	ret->has_ts = v->owner.f[OWNER_TS].present;
	ret->ts_ns = r->page.ts_ns;
	ret->handle = r->page.handle;
	fill_stack(v, ret);
}

struct cell tag_view_age(const struct tag_view *v, const struct tag_owner *o)
{
	return o->has_ts ? report_age(v->report, o->ts_ns) : cell_text(NULL);
}

/* A track has a pid only; the task with that pid now is the same one only if it is older. */
static enum status name_task(struct tag_view *v, struct tag_owner *o)
{
	const struct task_name *t;
	enum status st;

	if (!v->asked_tasks) {
		v->asked_tasks = true;
		st = task_index_open(v->dump, &v->tasks);
		v->has_tasks = st == ST_OK;
		if (st == ST_STOPPED)
			return st;
		if (st != ST_OK || v->tasks.problem)
			report_warn(v->report, "the list of tasks is incomplete: %s",
				    st != ST_OK ? v->dump->error : v->tasks.problem);
	}
	t = v->has_tasks && o->has_ts ? task_index_find(&v->tasks, o->pid, o->ts_ns) : NULL;
	if (!t)
		return ST_OK;
	o->derived = true;
	o->tgid = t->tgid;
	o->has_comm = true;
	memcpy(o->comm, t->comm, sizeof(o->comm));
	return ST_OK;
}

enum status tag_view_object_owner(struct tag_view *v, const struct slab *slab, uint32_t i,
				  bool freed, struct tag_owner *ret)
{
	const struct report *r = v->report;
	struct slub_track t;
	enum status st;

	memset(ret, 0, sizeof(*ret));
	if (!v->has_tracks)
		return ST_OK;
	st = slub_track_at(&v->tracks, slab, i, freed, &t);
	if (st == ST_UNREADABLE || st == ST_CORRUPT) {
		if (!v->bad_tracks++)
			v->track_problem = dump_why(v->dump);
		return ST_OK;
	}
	if (st != ST_OK)
		return st == ST_ABSENT ? ST_OK : st;
	ret->has_pid = true;
	ret->pid = t.pid;
	/* A track tells the age; the time that many nanoseconds before the panic is the same. */
	ret->has_ts = t.has_age && age_at_panic(&r->info, t.age_ns, &ret->ts_ns);
	ret->handle = t.handle;
	st = name_task(v, ret);
	/* Up to 5.17 the track contains the frames. */
	if (st == ST_OK && t.n)
		ret->stack = symbolize_stack(&v->stacks.symbols, t.frames, t.n);
	if (st == ST_OK)
		fill_stack(v, ret);
	return st;
}

enum status tag_view_allocator(struct tag_view *v, const struct slub_object *o,
			       struct tag_owner *ret)
{
	return o->kfence ? tag_view_kfence_owner(v, &o->kfence->allocated, ret)
			 : tag_view_object_owner(v, o->slab, o->index, false, ret);
}

enum status tag_view_kfence_owner(struct tag_view *v, const struct kfence_track *t,
				  struct tag_owner *ret)
{
	*ret = (struct tag_owner){
		.has_pid = true,
		.pid = t->pid,
		.has_ts = t->has_time,
		.ts_ns = t->ts_ns,
		.stack = t->n ? symbolize_stack(&v->stacks.symbols, t->frames, t->n) : NULL,
	};
	return name_task(v, ret);
}

enum page_class tag_view_class(struct tag_view *v, uint64_t pfn, const struct page_info *info)
{
	if (!v->classes)
		return CLASS_UNKNOWN;
	return page_class_at(v->classes, info, pfn, v->tags->on ? RECORD_LIVE : RECORD_NONE, 0);
}

static const struct stack *stack_of(const struct tag_view *v, const struct tag_owner *o)
{
	return special_handle(&v->special, o->handle) && o->handle ? NULL : o->stack;
}

enum tag_validity tag_view_page_validity(struct tag_view *v, uint64_t tag, uint64_t pfn,
					 const struct page_info *info, enum page_class class,
					 const struct tag_owner *o)
{
	/* A free removes the reference, unless profiling was off at that time. */
	if (class == CLASS_BUDDY || class == CLASS_PCP)
		return TAG_REF_STALE;
	return v->tags->on ? TAG_REF_VALID
			   : tag_validity_page(site_named(&v->sites, tag), stack_of(v, o), pfn,
					       info, class);
}

enum tag_validity tag_view_object_validity(struct tag_view *v, uint64_t tag, bool is_free,
					   const struct tag_owner *o)
{
	return is_free	     ? TAG_REF_STALE
	       : v->tags->on ? TAG_REF_VALID
			     : tag_validity_stack(site_named(&v->sites, tag), stack_of(v, o));
}

void tag_view_end(struct tag_view *v, const struct scan_stats *cov, bool complete)
{
	const struct gap gaps[] = {
		{ "profiling is off: a reference marked unsure may belong to an earlier allocation",
		  v->tags->n && !v->tags->on, .is_note = true },
		{ "the list of free objects is incomplete: %s",
		  v->has_slabs && !v->slabs.sheaves_complete, .why = v->slabs.sheaves_problem },
		{ "%s missing: %s", v->bad_tracks, "object track is", "object tracks are",
		  v->track_problem },
		{ "the stacks of %s are not in the depot, or not in this dump", v->bad_stacks,
		  "allocation", "allocations", .is_note = true },
		{ "some alloc tags may be missing: %s", v->tags->problem != NULL, .is_note = true,
		  .why = v->tags->problem },
		GAP_WHY("%s", v->ram.derived),
	};

	REPORT_GAPS(v->report, gaps);
	v->report->of_tags = true;
	report_end(v->report, cov, complete);
}

struct walk {
	struct tag_view *v;
	const struct reference_visitor *visitor;
	void *arg;
	struct scan_stats *stats;
};

static enum status visit_slab(struct walk *w, uint64_t pfn)
{
	struct slab_gaps gaps;
	enum status st = slub_walk(&w->v->slabs, pfn, w->visitor->untagged, w->visitor->object,
				   w->arg, &gaps);

	if (st == ST_OK)
		w->visitor->slab(w->arg, pfn, &gaps);
	return st;
}

static enum status visit_pfn(void *arg, uint64_t pfn)
{
	struct walk *w = arg;
	struct tag_view *v = w->v;
	struct page_info info;
	uint64_t tag;
	enum status st = page_type_at(&v->states, pfn, &info)
				 ?: page_tags_at(&v->pages, pfn, &info, &tag);

	w->stats->skipped += st == ST_ABSENT;
	w->stats->unreadable += st == ST_UNREADABLE;
	if (st == ST_ABSENT || st == ST_UNREADABLE)
		return ST_OK;
	w->stats->scanned++;
	w->stats->undecodable += st == ST_CORRUPT;
	if (st != ST_OK)
		return st == ST_CORRUPT ? ST_OK : st;
	st = w->visitor->page(w->arg, pfn, &info, tag);
	if (st == ST_OK && v->has_slabs && info.state == PAGE_TYPE_SLAB && info.head == pfn)
		st = visit_slab(w, pfn);
	return st;
}

enum status references_walk(struct tag_view *v, const struct reference_visitor *visitor, void *arg,
			    struct scan_stats *stats, bool *percpu_missing)
{
	struct walk w = { v, visitor, arg, stats };
	struct slab_gaps gaps = { 0 };
	enum status st;

	stats->ram_pages = v->ram.pages;
	stats->ram_name = v->ram.name;
	st = ram_walk(v->dump, &v->ram, visit_pfn, &w);
	if (st == ST_OK && v->has_kfence)
		st = slub_walk_kfence(&v->slabs, &v->kfence, visitor->object, arg, &gaps);
	if (st != ST_OK)
		return st;
	/* Its pages are no slabs: what is missing are tags. */
	if (gaps.slab || gaps.tags)
		visitor->slab(arg, v->kfence.pfn, &(const struct slab_gaps){ .tags = true });
	st = percpu_objects_walk(v->dump, visitor->percpu, arg);
	if (st == ST_UNREADABLE || st == ST_CORRUPT || st == ST_UNKNOWN) {
		report_warn(v->report, "per-CPU memory is not available: %s", v->dump->error);
		*percpu_missing = true;
	}
	return st == ST_STOPPED ? st : ST_OK;
}
