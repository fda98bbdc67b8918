// SPDX-License-Identifier: GPL-2.0-or-later
/* One pass over System RAM: classes, and the largest owners by caller, module, process, cgroup. */
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "growth.h"
#include "mm/boot_memory.h"
#include "mm/slab_caches.h"
#include "mm/special_handles.h"
#include "pageowner/view.h"
#include "pageowner/zones.h"
#include "summary.h"
#include "util/units.h"

/* That are shown; of the other keys the largest one. */
#define CALLERS 3

/* Pages of one value of a key. */
struct sum {
	uint64_t pages, allocs;
	uint64_t ts_min, ts_max;
	struct growth growth;
	bool names_owner; /* of stacks and callers: page_owner did not register the stack for itself */
	uint64_t live, dead; /* of processes, as are their names */
	char comm[TASK_COMM_LEN + 1];
	bool many_comms;
};

struct pass {
	struct summary *s;
	struct owner_view *v;
	bool has_ts, has_growth;
	struct special_handles special;
	uint64_t classes[PAGE_CLASSES];
	uint64_t unreadable;	    /* without a struct page in this dump */
	uint64_t bad;		    /* live pages whose stack was not found */
	struct slab_caches *caches; /* NULL: not available */
	struct summary_files files;
	struct hash_u64 stacks, processes, memcgs; /* of struct sum */
	struct hash_u64 callers, modules;	   /* the same, by the words of keys */
	/* Of the page before: neighbours often have the same. */
	uint32_t last_handle;
	struct sum *last_stack;
	int32_t last_tgid;
	struct sum *last_process;
	uint64_t last_memcg;
	struct sum *last_charge;
};

static void add_time(struct pass *p, struct sum *sum, const struct owner_page *page)
{
	if (!p->has_ts)
		return;
	if (!sum->pages || page->ts_ns < sum->ts_min)
		sum->ts_min = page->ts_ns;
	if (!sum->pages || page->ts_ns > sum->ts_max)
		sum->ts_max = page->ts_ns;
	/* init_early_allocated_pages() stamps what is in use with the time at which page_owner starts. */
	if (p->has_growth && !special_handle_is(&p->special, SPECIAL_EARLY, page->handle))
		sum->growth.pages[growth_step(page->ts_ns, p->v->report.info.panic_ns)]++;
}

static void count(struct pass *p, struct sum *sum, const struct owner_page *page)
{
	add_time(p, sum, page);
	sum->pages++;
	sum->allocs += page->head;
}

static enum status add_stack(struct pass *p, const struct owner_page *page)
{
	bool is_new;

	if (!p->last_stack || p->last_handle != page->handle) {
		p->last_stack = hash_u64_get(&p->stacks, page->handle, &is_new);
		p->last_handle = page->handle;
	}
	if (!p->last_stack)
		return dump_no_memory(p->v->dump);
	count(p, p->last_stack, page);
	return ST_OK;
}

static enum status add_process(struct pass *p, const struct owner_page *page)
{
	const struct owner_view *v = p->v;
	struct owner_record r;
	enum task_liveness life;
	struct sum *sum = p->last_process;
	bool is_new;

	if (!v->owner.f[OWNER_TGID].present)
		return ST_OK;
	page_owner_decode(&v->owner, page, &r);
	if (!sum || p->last_tgid != r.tgid)
		sum = hash_u64_get(&p->processes, (uint64_t)(int64_t)r.tgid, &is_new);
	if (!sum)
		return dump_no_memory(v->dump);
	p->last_process = sum;
	p->last_tgid = r.tgid;
	if (!sum->pages)
		memcpy(sum->comm, r.comm, sizeof(sum->comm));
	sum->many_comms |= strcmp(sum->comm, r.comm) != 0;
	count(p, sum, page);
	life = v->owners ? task_owners_find(v->owners, r.tgid, p->has_ts ? page->ts_ns : 0)
			 : TASK_LIVENESS_UNKNOWN;
	sum->live += life == TASK_LIVE;
	sum->dead += life == TASK_DEAD;
	return ST_OK;
}

static enum status add_charge(struct pass *p, const struct owner_page *page,
			      const struct page_info *info)
{
	struct sum *sum = p->last_charge;
	bool is_new;

	if (!p->v->has_memcgs || !info->memcg)
		return ST_OK;
	if (!sum || p->last_memcg != info->memcg)
		sum = hash_u64_get(&p->memcgs, info->memcg, &is_new);
	if (!sum)
		return dump_no_memory(p->v->dump);
	p->last_charge = sum;
	p->last_memcg = info->memcg;
	count(p, sum, page);
	return ST_OK;
}

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct pass *p = arg;
	struct owner_view *v = p->v;
	enum page_record record = page->allocated ? RECORD_LIVE
				  : page->unknown ? RECORD_UNKNOWN
						  : RECORD_NONE;
	struct page_info info;
	bool has_info = v->classes && page_type_at(&v->states, page->pfn, &info) == ST_OK;
	enum page_class class;
	enum status st;

	if (has_info) {
		class = page_class_at(v->classes, &info, page->pfn, record,
				      page->allocated ? page->handle : 0);
		p->classes[class]++;
		if (summary_files_add(&p->files, page->pfn, &info, class) == ST_NOMEM)
			return ST_NOMEM;
	} else {
		p->unreadable++;
	}
	if (has_info && p->caches && slab_caches_want(&info) &&
	    slab_caches_add(p->caches, &info) == ST_NOMEM)
		return ST_NOMEM;
	if (!page->allocated)
		return ST_OK;
	st = add_stack(p, page);
	if (st == ST_OK)
		st = add_process(p, page);
	return st == ST_OK && has_info ? add_charge(p, page, &info) : st;
}

/* Without page_owner: no record. */
static enum status add_pfn(void *arg, uint64_t pfn)
{
	const struct owner_page page = { .pfn = pfn };

	return add_page(arg, &page);
}

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

/* Callers and modules follow from the stacks alone. */
static enum status merge_stacks(struct pass *p)
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
	struct hash_u64 paths;
	enum status st = merge_stacks(p);

	hash_u64_init(&paths, p->v->dump->arena, sizeof(struct sum));
	if (st == ST_OK)
		st = merge_memcgs(p, &paths);
	if (st == ST_OK)
		st = put_keys(p, "caller", &p->callers, CALLERS);
	if (st == ST_OK)
		st = put_keys(p, "module", &p->modules, 1);
	if (st == ST_OK)
		st = put_process(p);
	return st == ST_OK ? put_keys(p, "cgroup", &paths, 1) : st;
}

static enum status put_class(struct pass *p, const char *name, uint64_t pages, const char *remark)
{
	struct cell *row = summary_add(p->s, SECTION_CLASS);

	if (!row)
		return ST_NOMEM;
	row[COL_NAME] = cell_text(name);
	row[COL_PAGES] = cell_uint(pages);
	row[COL_BYTES] = cell_uint(pages << p->v->page_shift);
	row[COL_REMARK] = cell_text(remark);
	return ST_OK;
}

/* What is reserved on every machine is nothing unusual: its size follows from RAM and options. */
static const char *remark_on(const struct pass *p, enum page_class class, uint64_t ram)
{
	uint64_t pages = p->classes[class];

	if (class == CLASS_RESERVED) {
		uint64_t always = boot_memory_pages(p->v->dump, ram);

		pages -= always < pages ? always : pages;
	}
	return limit_of_class(class, units_tenths(pages, ram));
}

/* A boost of the watermarks may be far more than the share that is few pages on any machine. */
static const char *remark_on_free(struct pass *p, uint64_t tenths, bool is_whole)
{
	const char *remark = is_whole ? limit_of_free(tenths) : NULL;

	return remark			   ? remark
	       : zones_refuse_kernel(p->v) ? "low: no zone serves order 0, GFP_KERNEL"
					   : NULL;
}

/* All classes that have pages, the largest first. */
static enum status put_classes(struct pass *p)
{
	const uint64_t ram = p->v->owner.ram.pages;
	bool done[PAGE_CLASSES] = { false }, has_main = false;
	/* Where pages are not known, free ones may be among them. */
	bool is_whole = !p->unreadable && !p->classes[CLASS_UNKNOWN] && !p->v->owner.ram.derived &&
			!p->v->dump->interrupted;
	enum status st = ST_OK;

	for (unsigned int n = 0; n < PAGE_CLASSES && st == ST_OK; n++) {
		unsigned int best = PAGE_CLASSES;
		uint64_t tenths;

		for (unsigned int i = 0; i < PAGE_CLASSES; i++)
			if (!done[i] && p->classes[i] &&
			    (best == PAGE_CLASSES || p->classes[i] > p->classes[best]))
				best = i;
		if (best == PAGE_CLASSES)
			break;
		done[best] = true;
		if (!has_main && best != CLASS_BUDDY && best != CLASS_RESERVED &&
		    p->classes[best] > p->unreadable)
			p->s->main_class = best;
		has_main |= best != CLASS_BUDDY && best != CLASS_RESERVED;
		tenths = units_tenths(p->classes[best], ram);
		st = put_class(p, best == CLASS_UNKNOWN ? "unknown" : page_class_names[best],
			       p->classes[best],
			       best == CLASS_BUDDY ? remark_on_free(p, tenths, is_whole)
						   : remark_on(p, best, ram));
	}
	if (st == ST_OK && p->unreadable)
		st = put_class(p, "unreadable", p->unreadable, NULL);
	return st;
}

static void open_caches(struct pass *p)
{
	struct slab_caches *c = dump_alloc(p->v->dump, sizeof(*c));

	if (c && p->v->classes && slab_caches_open(p->v->dump, &p->v->states, NULL, c) == ST_OK)
		p->caches = c;
}

static enum status put_ram(struct pass *p)
{
	struct owner_view *v = p->v;
	struct cell *row = summary_add(p->s, SECTION_RAM);
	uint64_t managed, addr;

	if (!row)
		return ST_NOMEM;
	p->s->ram_pages = v->owner.ram.pages;
	p->s->is_derived = v->owner.ram.derived;
	row[COL_NAME] = cell_text(v->owner.ram.derived ? "zone spans" : "System RAM");
	if (v->owner.ram.derived)
		row[COL_REMARK] = cell_text("holes included");
	row[COL_PAGES] = cell_uint(v->owner.ram.pages);
	row[COL_BYTES] = cell_uint(v->owner.ram.pages << v->page_shift);
	if (dump_symbol(v->dump, "_totalram_pages", &addr) != ST_OK ||
	    dump_u64(v->dump, addr, &managed, "_totalram_pages") != ST_OK)
		return summary_missing(p->s, "MemTotal", "%s", v->dump->error);
	row = summary_add(p->s, SECTION_RAM);
	if (!row)
		return ST_NOMEM;
	row[COL_NAME] = cell_text("MemTotal");
	row[COL_PAGES] = cell_uint(managed);
	row[COL_BYTES] = cell_uint(managed << v->page_shift);
	return ST_OK;
}

static enum status scan(struct pass *p)
{
	struct owner_view *v = p->v;
	enum status st;

	p->s->cov.ram_pages = v->owner.ram.pages;
	st = v->has_owner ? page_owner_scan(&v->owner, SCAN_ALL, &p->s->cov, add_page, p)
			  : ram_walk(v->dump, &v->owner.ram, add_pfn, p);
	p->s->has_cov = v->has_owner;
	return st;
}

static void warn(struct pass *p)
{
	struct report *r = p->s->report;
	struct scan_stats *cov = &p->s->cov;
	char n[UNITS_PLURAL];

	cov->live -= p->bad;
	cov->undecodable += p->bad;
	if (p->v->classes && p->unreadable)
		report_warn(r, "no struct page in this dump for %s",
			    units_plural(n, p->unreadable, "page", "pages"));
	if (cov->undecodable)
		report_warn(r, "corrupt page_owner record or stack on %s",
			    units_plural(n, cov->undecodable, "page", "pages"));
	if (cov->unreadable)
		report_warn(r, "no page_ext entry in this dump for %s",
			    units_plural(n, cov->unreadable, "page", "pages"));
	if (p->v->stacks.symbols.problem)
		report_warn(r, "some module names are missing: %s", p->v->stacks.symbols.problem);
	if (p->v->owner.ram.derived)
		report_warn(r,
			    "the resource tree is not in the dump; using zone spans, holes "
			    "included: %s",
			    p->v->owner.ram.derived);
	p->s->complete &= !cov->unreadable && !cov->undecodable && !p->unreadable &&
			  !p->classes[CLASS_UNKNOWN] && !p->v->owner.ram.derived &&
			  !(p->v->classes && p->v->classes->problem);
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

	return name ? summary_missing(p->s, name, "not recorded by this kernel") : ST_OK;
}

enum status summary_pages(struct summary *s, struct owner_view *v)
{
	struct pass *p = dump_alloc(v->dump, sizeof(*p));
	struct arena *a = v->dump->arena;
	enum status st, scanned;

	if (!p)
		return ST_NOMEM;
	p->s = s;
	p->v = v;
	s->main_class = CLASS_UNKNOWN;
	p->has_ts = v->has_owner && v->owner.f[OWNER_TS].present;
	special_handles_open(v->dump, &p->special);
	p->has_growth = p->has_ts && v->report.info.has_panic_time &&
			!p->special.unreadable[SPECIAL_EARLY];
	hash_u64_init(&p->stacks, a, sizeof(struct sum));
	hash_u64_init(&p->processes, a, sizeof(struct sum));
	hash_u64_init(&p->memcgs, a, sizeof(struct sum));
	hash_u64_init(&p->callers, a, sizeof(struct sum));
	hash_u64_init(&p->modules, a, sizeof(struct sum));
	open_caches(p);
	if (v->classes)
		summary_files_open(v->dump, &v->states, &p->files);
	scanned = scan(p);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	st = put_ram(p);
	if (st == ST_OK && v->classes)
		st = put_classes(p);
	if (st == ST_OK)
		st = summary_caches(s, p->caches);
	if (st == ST_OK && v->classes)
		st = summary_files_put(s, &p->files);
	if (st == ST_OK)
		st = summary_cgroups(s);
	if (st == ST_OK && v->classes)
		st = summary_holders(s, v, p->classes);
	if (st == ST_OK && v->classes)
		st = summary_devices(s, v, p->classes);
	s->has_owner = v->has_owner;
	s->has_comm = v->has_owner && v->owner.f[OWNER_COMM].present;
	s->has_ages = p->has_ts && v->report.info.has_panic_time;
	s->has_classes = v->classes;
	s->has_zones = v->zones.n > 0;
	s->pages_missing = p->unreadable || p->classes[CLASS_UNKNOWN];
	s->has_nodes = v->zones.n && v->zones.zones[0].node != v->zones.zones[v->zones.n - 1].node;
	if (st == ST_OK && v->has_owner)
		st = put_owners(p);
	if (st == ST_OK && v->has_owner)
		st = put_unrecorded(p);
	else if (st == ST_OK)
		st = summary_missing(s, "owners", "%s", v->owner_problem);
	warn(p);
	return st == ST_OK ? scanned : st;
}
