// SPDX-License-Identifier: GPL-2.0-or-later
/* One pass over System RAM: classes, and what the parts of owners, caches and files count. */
#include "pass.h"

#include "log/printk.h"
#include "pageowner/class_huge.h"
#include "pools/kexec_image.h"
#include "pools/swiotlb.h"
#include "zones/vmstat.h"
#include "pageowner/view.h"

/* A page that counts in no step of a growth. */
#define NO_STEP GROWTH_STEPS

static unsigned int step_of(const struct pass *p, uint32_t handle, uint64_t ts_ns)
{
	/* init_early_allocated_pages() stamps what is in use with the time at which page_owner starts. */
	if (!p->has_growth || special_handle_is(&p->special, SPECIAL_EARLY, handle))
		return NO_STEP;
	return growth_step(ts_ns, p->v->report.info.panic_ns);
}

static void count(struct pass *p, struct sum *sum, const struct sum_run *run)
{
	if (p->has_ts) {
		if (!sum->pages || run->ts_min < sum->ts_min)
			sum->ts_min = run->ts_min;
		if (!sum->pages || run->ts_max > sum->ts_max)
			sum->ts_max = run->ts_max;
		if (run->step != NO_STEP)
			sum->growth.pages[run->step] += run->pages;
	}
	sum->pages += run->pages;
	sum->allocs += run->allocs;
}

static void add_stack(struct pass *p, uint32_t handle, const struct sum_run *run)
{
	if (!p->last_stack || p->last_handle != handle) {
		p->last_stack = pass_stack(p, handle);
		p->last_handle = handle;
	}
	p->bad += p->last_stack->is_bad ? run->pages : 0;
	count(p, p->last_stack->caller, run);
	count(p, p->last_stack->module, run);
}

/* Whether the record has the tgid and the comm of the one before: neighbours often have the same. */
static bool is_last_task(struct pass *p, const struct owner_page *page, int32_t tgid)
{
	const uint8_t *comm = page->raw + p->v->owner.f[OWNER_COMM].offset;
	/* Of the length that the compiler knows, without a call. */
	bool is_same = p->comm_bytes == TASK_COMM_LEN ? !memcmp(p->last_comm, comm, TASK_COMM_LEN)
						      : !memcmp(p->last_comm, comm, p->comm_bytes);

	if (is_same && p->last_process && p->last_tgid == tgid)
		return true;
	memcpy(p->last_comm, comm, p->comm_bytes);
	return false;
}

static void find_process(struct pass *p, const struct owner_page *page, int32_t tgid)
{
	char comm[TASK_COMM_LEN + 1];
	struct sum *sum = p->last_process;

	if (!sum || p->last_tgid != tgid)
		sum = hash_u64_get(&p->processes, (uint64_t)(int64_t)tgid, NULL);
	p->last_process = sum;
	p->last_tgid = tgid;
	/* What was made printable before, and is the same, is so again. */
	p->last_has_name = sum->pages && p->comm_bytes &&
			   !strncmp(sum->comm,
				    (const char *)page->raw + p->v->owner.f[OWNER_COMM].offset,
				    p->comm_bytes);
	if (p->last_has_name)
		return;
	page_owner_comm(&p->v->owner, page, comm);
	p->last_has_name = !strcmp(sum->comm, comm);
}

/* A process may change its name: the one that most of its pages have stays. */
static void count_name(struct pass *p, const struct owner_page *page, uint64_t pages)
{
	struct sum *sum = p->last_process;

	if (p->last_has_name) {
		sum->ahead += pages;
	} else if (sum->ahead >= pages) {
		sum->ahead -= pages;
	} else {
		page_owner_comm(&p->v->owner, page, sum->comm);
		sum->ahead = pages - sum->ahead;
		p->last_has_name = true;
	}
}

static enum task_liveness liveness(const struct pass *p, int32_t tgid, uint64_t ts_ns)
{
	return p->v->owners ? task_owners_find(p->v->owners, tgid, p->has_ts ? ts_ns : 0)
			    : TASK_LIVENESS_UNKNOWN;
}

/* All pages of the run are of the task of this one, and it was as live at each of their times. */
static void add_process(struct pass *p, const struct owner_page *page, const struct sum_run *run)
{
	enum task_liveness life;
	int32_t tgid;

	if (!p->v->owner.f[OWNER_TGID].present)
		return;
	tgid = (int32_t)quick_get(&p->tgid, page->raw);
	if (!is_last_task(p, page, tgid))
		find_process(p, page, tgid);
	count(p, p->last_process, run);
	count_name(p, page, run->pages);
	life = liveness(p, tgid, run->ts_min);
	p->last_process->live += life == TASK_LIVE ? run->pages : 0;
	p->last_process->dead += life == TASK_DEAD ? run->pages : 0;
}

static void add_charge(struct pass *p, const struct page_info *info, const struct sum_run *run)
{
	if (!p->v->has_memcgs || !info->memcg)
		return;
	if (!p->last_charge || p->last_memcg != info->memcg) {
		p->last_charge = hash_u64_get(&p->memcgs, info->memcg, NULL);
		p->last_memcg = info->memcg;
	}
	count(p, p->last_charge, run);
}

/* False: its struct page is not in this dump. */
static bool add_use(struct pass *p, const struct owner_page *page, struct page_info *info)
{
	struct owner_view *v = p->v;
	enum page_record record = page->allocated ? RECORD_LIVE
				  : page->unknown ? RECORD_UNKNOWN
						  : RECORD_NONE;
	enum page_class class;

	if (!v->classes || page_type_at(&v->states, page->pfn, info) != ST_OK) {
		p->unreadable++;
		return false;
	}
	class = page_class_at(v->classes, info, page->pfn, record,
			      page->allocated ? page->handle : 0);
	p->classes[class]++;
	p->unplugged += class == CLASS_OFFLINE && ram_driver(&v->owner.ram, page->pfn);
	p->merged += info->is_merged;
	summary_files_add(&p->files, page->pfn, info, class);
	if (p->caches && slab_caches_want(info))
		slab_caches_add(p->caches, info);
	return true;
}

static enum status add_page(void *arg, const struct owner_page *page)
{
	struct pass *p = arg;
	struct page_info info;
	bool has_info = add_use(p, page, &info);
	struct sum_run one = { 1, page->head, page->ts_ns, page->ts_ns, NO_STEP };

	if (!page->allocated)
		return ST_OK;
	one.step = step_of(p, page->handle, page->ts_ns);
	add_stack(p, page->handle, &one);
	add_process(p, page, &one);
	if (has_info)
		add_charge(p, &info, &one);
	return ST_OK;
}

/* Whether the records of a run have the tgid and the comm of its first one. */
static bool is_one_task(const struct pass *p, const struct owner_run *run)
{
	const uint8_t *first = run->first.raw, *raw = first;
	const uint32_t comm = p->v->owner.f[OWNER_COMM].offset;
	const uint64_t tgid = quick_get(&p->tgid, first);

	for (uint64_t i = 1; i < run->pages; i++) {
		raw += run->stride;
		if (quick_get(&p->tgid, raw) != tgid ||
		    (p->comm_bytes == TASK_COMM_LEN
			     ? memcmp(first + comm, raw + comm, TASK_COMM_LEN)
			     : memcmp(first + comm, raw + comm, p->comm_bytes)))
			return false;
	}
	return true;
}

/* Whether all pages of a run count in the same sums: one step of the growth, one task, as live as at the first. */
static bool is_one(const struct pass *p, const struct owner_run *run, struct sum_run *ret)
{
	const uint32_t handle = run->first.handle;
	const int32_t tgid = (int32_t)quick_get(&p->tgid, run->first.raw);

	*ret = (struct sum_run){ run->pages, run->pages, run->ts_min, run->ts_max,
				 step_of(p, handle, run->ts_min) };
	return ret->step == step_of(p, handle, run->ts_max) &&
	       liveness(p, tgid, run->ts_min) == liveness(p, tgid, run->ts_max) &&
	       is_one_task(p, run);
}

/* What add_page() does with each page of a run. */
static void add_alike(void *arg, const struct owner_run *run)
{
	struct pass *p = arg;
	struct owner_page page = run->first;
	struct sum_run all;
	bool at_once = is_one(p, run, &all);

	if (at_once) {
		add_stack(p, page.handle, &all);
		add_process(p, &page, &all);
	}
	if (at_once && !p->v->classes) {
		p->unreadable += run->pages;
		return;
	}
	for (uint64_t i = 0; i < run->pages; i++, page.pfn++, page.raw += run->stride) {
		struct page_info info;

		page.ts_ns = quick_get(&p->v->owner.quick.ts, page.raw);
		if (!at_once)
			add_page(p, &page);
		else if (add_use(p, &page, &info))
			add_charge(p, &info,
				   &(struct sum_run){ 1, 1, page.ts_ns, page.ts_ns, all.step });
	}
}

/* Some thousand stacks are more than the caches have: of this handle the slot, of one before it what counts. */
static void fetch_stack(void *arg, uint32_t handle)
{
	struct pass *p = arg;
	const struct stack_sums *sums = hash_u64_find(&p->stacks, p->soon[0]);

	if (sums)
		__builtin_prefetch(sums);
	p->soon[0] = p->soon[1];
	p->soon[1] = handle;
	hash_u64_fetch(&p->stacks, handle);
}

/* Without page_owner: no record. */
static enum status add_pfn(void *arg, uint64_t pfn)
{
	const struct owner_page page = { .pfn = pfn };

	return add_page(arg, &page);
}

static void put_class(struct pass *p, const char *name, uint64_t pages, struct maybe_u64 high,
		      const char *remark)
{
	SUMMARY_ADD(p->s, .section = SECTION_CLASS, .name = name, .pages = { pages, true },
		    .high = high, .remark = remark);
}

/* Page cache is what reclaim frees first: what it cannot is no cache. */
static const char *with_unevictable(const struct pass *p, enum page_class class, const char *remark)
{
	const enum file_class of = class == CLASS_FILE ? FILE_CACHE : FILE_SHMEM;
	uint64_t locked = 0, all = 0;

	if (class != CLASS_FILE && class != CLASS_SHMEM)
		return remark;
	hash_u64_for_each(const struct file_use, u, &p->files.pages.uses) {
		locked += file_key_class(hash_u64_key(u)) == of ? u->mlocked : 0;
		all += file_key_class(hash_u64_key(u)) == of ? u->unevictable : 0;
	}
	if (!summary_reaches(p->s, LIMIT_HOLDER, all))
		return remark;
	return dump_text(p->v->dump, "%s%s%s unevictable%s%s",
			 remark ?: "high: ", remark ? ", " : "", summary_size(p->s, all),
			 locked ? ", mlocked " : "", locked ? summary_size(p->s, locked) : "");
}

/*
 * Anonymous pages that no process maps, and that are not in the swap cache: something pins them, as a UMEM of AF_XDP
 * or a region of RDMA whose process has unmapped it. By NR_ANON_MAPPED; 0: few, or unknown.
 */
static uint64_t unmapped_anon(const struct pass *p)
{
	struct dump *d = p->v->dump;
	struct counters *c = dump_alloc(d, sizeof(*c));
	struct swap_sum swap = { 0 };
	int64_t mapped, cached = 0, pinned, released;
	uint64_t pages = p->classes[CLASS_ANON];

	if (!summary_reaches(p->s, LIMIT_HOLDER, pages) || counters_open(d, c) != ST_OK ||
	    counter_read(c, "nr_anon_pages", &mapped) != ST_OK)
		return 0;
	p->s->anon_mapped = (struct maybe_u64){ (uint64_t)mapped, mapped >= 0 };
	/* Counted since 5.12. */
	if (counter_read(c, "nr_swapcached", &cached) != ST_OK) {
		swap_areas_sum(d, &swap);
		if (!swap.known || swap.pages)
			return 0;
	}
	p->s->swap_cached = cached > 0 ? (uint64_t)cached : 0;
	mapped += cached;
	pages -= (uint64_t)mapped < pages ? (uint64_t)mapped : pages;
	/* 5.8: of pin_user_pages() and unpin_user_page(). */
	if (counter_read(c, "nr_foll_pin_acquired", &pinned) == ST_OK &&
	    counter_read(c, "nr_foll_pin_released", &released) == ST_OK && pinned > released)
		p->s->pinned = (uint64_t)(pinned - released);
	return summary_reaches(p->s, LIMIT_HOLDER, pages) ? pages : 0;
}

/* Of anonymous pages those in transparent huge pages, where they are half of all or more. 0: few, or unknown. */
static uint64_t huge_anon(const struct pass *p)
{
	struct counters *c = dump_alloc(p->v->dump, sizeof(*c));
	const uint64_t pages = p->classes[CLASS_ANON];
	uint64_t huge = 0;

	if (!summary_reaches(p->s, LIMIT_HOLDER, pages) || counters_open(p->v->dump, c) != ST_OK ||
	    !class_huge_pages(c, dump_page_size(p->v->dump), CLASS_ANON, pages, &huge))
		return 0;
	return huge >= pages / 2 ? huge : 0;
}

/* Memory that a parameter of boot has set aside, where it is much. */
static void add_of_boot(struct summary *s, const char *name, uint64_t pages, const char *remark)
{
	if (summary_reaches(s, LIMIT_HOLDER, pages))
		SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "boot", .name = name,
			    .pages = { pages, true },
			    .bytes = { pages << s->dump->page_shift, true }, .remark = remark);
}

static void add_set_aside(struct summary *s)
{
	struct dump *d = s->dump;
	uint64_t pages = 0, bytes = 0, text = 0;

	/* No share is of it (ram_base()), unless it is unknown. */
	summary_failed(s, "memory set aside for a capture kernel", crash_kernel_pages(d, &pages));
	summary_failed(s, "buffers of the log", printk_bytes(d, &text, &bytes));
	add_of_boot(s, dump_text(d, "log_buf_len=%luM", text >> 20), bytes >> d->page_shift,
		    dump_text(d, "the kernel's log, set aside at boot: %s of text, %s beside it",
			      SIZE_TEXT(text), SIZE_TEXT(bytes - text)));
}

/* What is reserved on every machine is nothing unusual: its size follows from RAM and options. */
static const char *remark_on(const struct pass *p, enum page_class class, uint64_t ram,
			     struct maybe_u64 *is_high)
{
	uint64_t pages = p->classes[class], image = 0, bounce = 0, huge;
	const char *high;

	if (class == CLASS_RESERVED) {
		uint64_t always = boot_memory_pages(p->v->dump, p->v->owner.ram.pages);

		add_set_aside(p->s);
		summary_failed(p->s, "image of kexec -l",
			       kexec_image_pages(p->v->dump, pages, &image));
		summary_failed(p->s, "bounce buffers of swiotlb",
			       swiotlb_pages(p->v->dump, pages, &bounce));
		always += image + bounce;
		pages -= always < pages ? always : pages;
	}
	if (class == CLASS_REMOVED || (class == CLASS_OFFLINE && p->unplugged == pages))
		return class == CLASS_REMOVED ? "memory blocks that are offline: in no zone"
					      : summary_unplugged(p->s, &p->v->owner.ram);
	high = limit_of_class(class, units_tenths(pages, ram));
	if (class == CLASS_ANON && (p->s->unmapped_anon = unmapped_anon(p)))
		high = dump_text(p->v->dump, "%s%s of it mapped by no process",
				 high ? "memory of processes, " : "",
				 summary_size(p->s, p->s->unmapped_anon));
	if (class == CLASS_ANON && (huge = huge_anon(p)))
		high = dump_text(p->v->dump, "%s%s%s of it in transparent huge pages", high ?: "",
				 high ? ", " : "", summary_size(p->s, huge));
	*is_high = limit_high(class, units_tenths(pages, ram));
	if (image)
		high = dump_text(p->s->dump, "%s%s%s in an image of kexec -l", high ?: "",
				 high ? "; " : "", summary_size(p->s, image));
	if (bounce)
		high = dump_text(p->s->dump, "%s%s%s in bounce buffers of devices (swiotlb=)",
				 high ?: "", high ? "; " : "", summary_size(p->s, bounce));
	return with_unevictable(p, class, high);
}

/* A boost of the watermarks may be far more than the share that is few pages on any machine. */
static const char *remark_on_free(struct pass *p, uint64_t tenths, bool is_whole)
{
	const char *remark = is_whole ? limit_of_free(tenths) : NULL, *gfp;

	if (remark || !(gfp = zones_refuse(p->v, p->s->last_report)))
		return remark;
	return dump_text(p->v->dump,
			 "low: no zone gives a page to %s, by its min watermark and reserve", gfp);
}

_Static_assert(PAGE_CLASSES <= LARGEST_ROOM, "all of them are shown");

/* All classes that have pages, the largest first. */
static void put_classes(struct pass *p)
{
	const uint64_t ram = ram_base(&p->v->owner.ram);
	struct largest largest = { .room = PAGE_CLASSES };
	bool has_main = false;

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		if (p->classes[i])
			largest_add(&largest, p->classes[i], &p->classes[i]);
	for (unsigned int i = 0; i < largest.n; i++) {
		unsigned int class = (const uint64_t *)largest.of[i].item - p->classes;
		bool is_used = class != CLASS_BUDDY && class < CLASS_RESERVED;
		uint64_t pages = p->classes[class], tenths = units_tenths(pages, ram);
		struct maybe_u64 high = { 0 };
		const char *remark;

		if (is_used && !has_main && pages > p->unreadable)
			p->s->main_class = class;
		has_main |= is_used;
		remark = class == CLASS_BUDDY ? remark_on_free(p, tenths, p->s->free.known)
					      : remark_on(p, class, ram, &high);
		put_class(p, class == CLASS_UNKNOWN ? "unknown" : page_class_names[class], pages,
			  high, remark);
	}
	if (p->unreadable)
		put_class(p, "unreadable", p->unreadable, (struct maybe_u64){ 0 }, NULL);
}

static enum status open_caches(struct pass *p)
{
	struct slab_caches *c = dump_alloc(p->v->dump, sizeof(*c));
	enum status st = slab_caches_open(p->v->dump, &p->v->states, NULL, c);

	if (st == ST_OK)
		p->caches = c;
	return first_problem_keep(p->v->dump, &p->no_caches, st);
}

static void put_ram(struct pass *p)
{
	const struct ram *ram = &p->v->owner.ram;

	p->s->ram_pages = ram_base(ram);
	p->s->is_derived = ram->derived;
	p->s->ram_name = ram->name;
	SUMMARY_ADD(p->s, .section = SECTION_RAM, .name = ram->name, .pages = { ram->pages, true },
		    .remark = ram->derived   ? "holes included"
			      : ram->offline ? dump_text(p->s->dump, "%s of it offline",
							 summary_size(p->s, ram->offline))
					     : NULL);
}

static enum status scan(struct pass *p)
{
	struct owner_view *v = p->v;
	const struct owner_visitor visitor = { add_page, add_alike, fetch_stack, p };
	enum status st;

	p->s->cov.ram_pages = v->owner.ram.pages;
	st = v->has_owner ? page_owner_scan_runs(&v->owner, SCAN_ALL, &p->s->cov, &visitor)
			  : ram_walk(v->dump, &v->owner.ram, add_pfn, p);
	p->s->has_cov = v->has_owner;
	return st;
}

static void put_gaps(struct pass *p)
{
	struct scan_stats *cov = &p->s->cov;
	const struct page_classes *classes = p->v->classes;

	cov->live -= p->bad;
	cov->undecodable += p->bad;
	const struct gap gaps[] = {
		{ "no struct page in this dump for %s", classes ? p->unreadable : 0, "page",
		  "pages" },
		{ "corrupt page_owner record or stack on %s", cov->undecodable, "page", "pages" },
		{ "no page_ext entry in this dump for %s", cov->unreadable, "page", "pages" },
		GAP_WHY("%s", p->v->owner.ram.derived),
	};
	REPORT_GAPS(p->s->report, gaps);
	p->s->complete &= !p->unreadable && !p->classes[CLASS_UNKNOWN] &&
			  !(classes && classes->problem);
}

static void find_task_fields(struct pass *p)
{
	const struct page_owner *po = &p->v->owner;
	const struct field *comm = &po->f[OWNER_COMM];

	field_quick(&po->f[OWNER_TGID], po->record_bytes, &p->tgid);
	p->comm_bytes = comm->present && comm->size <= TASK_COMM_LEN ? comm->size : 0;
}

static struct pass *make_pass(struct summary *s)
{
	struct pass *p = dump_alloc(s->dump, sizeof(*p));
	struct owner_view *v = s->view;
	struct arena *a = s->dump->arena;

	p->s = s;
	p->v = v;
	p->has_ts = v->has_owner && v->owner.f[OWNER_TS].present;
	if (v->has_owner)
		find_task_fields(p);
	special_handles_open(v->dump, &p->special);
	p->has_growth = p->has_ts && v->report.info.has_panic_time &&
			!p->special.unreadable[SPECIAL_EARLY];
	pass_init_stacks(p);
	hash_u64_init(&p->processes, a, sizeof(struct sum));
	hash_u64_init(&p->memcgs, a, sizeof(struct sum));
	return p;
}

/* Pages that were looked at, those of unknown use among them. */
static uint64_t visited(const struct pass *p)
{
	uint64_t n = p->unreadable;

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		n += p->classes[i];
	return n;
}

static void sum_up(struct pass *p)
{
	struct summary *s = p->s;
	struct owner_view *v = p->v;
	uint64_t counted;

	s->classes = p->classes;
	s->merged_pages = p->merged;
	s->has_owner = v->has_owner;
	s->has_comm = v->has_owner && v->owner.f[OWNER_COMM].present;
	s->has_ages = p->has_ts && v->report.info.has_panic_time;
	s->has_zones = v->zones.n > 0;
	/* Where pages are not known, free ones may be among them, unless the counters of zones have no more. */
	s->free = (struct maybe_u64){ p->classes[CLASS_BUDDY],
				      v->classes && !v->dump->interrupted };
	s->has_sizes = s->free.known && !p->unreadable && !p->classes[CLASS_UNKNOWN] &&
		       !v->owner.ram.derived;
	s->free.known &= s->has_sizes || (zones_free(v, false, &counted) == ST_OK &&
					  counted == p->classes[CLASS_BUDDY]);
	s->has_sizes &= s->free.known && !v->classes->problem;
	s->report->has_sizes = &s->has_sizes;
	s->pages_missing = p->unreadable + p->classes[CLASS_UNKNOWN];
	s->has_classes = v->classes && s->pages_missing < visited(p);
	s->has_nodes = v->zones.n && v->zones.zones[0].node != v->zones.zones[v->zones.n - 1].node;
}

enum status summary_pass(struct summary *s)
{
	struct pass *p = make_pass(s);
	struct owner_view *v = s->view;
	enum status st, scanned;

	s->pass = p;
	st = v->classes ? open_caches(p) : ST_OK;
	if (st == ST_OK && v->classes)
		st = summary_files_open(v->dump, &v->states, &p->files);
	if (st != ST_OK)
		return st;
	scanned = scan(p);
	if (scanned != ST_OK && scanned != ST_STOPPED)
		return scanned;
	put_ram(p);
	sum_up(p);
	put_gaps(p);
	return scanned;
}

enum status summary_classes(struct summary *s)
{
	put_classes(s->pass);
	return ST_OK;
}

/* Of zones the rows of free pages and of a zone's memory ask. */
enum status summary_zones(struct summary *s)
{
	return first_problem_end(s->dump, &s->view->problems[SOURCE_ZONES]);
}

enum status summary_caches(struct summary *s)
{
	return s->pass->caches ? summary_put_caches(s, s->pass->caches)
			       : first_problem_end(s->dump, &s->pass->no_caches);
}

enum status summary_files(struct summary *s)
{
	return summary_files_put(s, &s->pass->files);
}
