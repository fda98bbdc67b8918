// SPDX-License-Identifier: GPL-2.0-or-later
#include "classes/page_class.h"

#include "kernel/percpu.h"
#include "util/units.h"
#include "vm/kstacks.h"
#include "vm/percpu_chunks.h"
#include "zones/vmstat.h"

#define CLASS_NAMES                                                                              \
	[CLASS_SLAB] = "slab", [CLASS_VMALLOC] = "vmalloc", [CLASS_PGTABLE] = "pgtable",         \
	[CLASS_ANON] = "anon", [CLASS_FILE] = "file", [CLASS_SHMEM] = "shmem",                   \
	[CLASS_HUGETLB] = "hugetlb", [CLASS_PERCPU] = "percpu", [CLASS_KSTACK] = "kstack",       \
	[CLASS_ZSMALLOC] = "zsmalloc", [CLASS_PAGE_POOL] = "page_pool", [CLASS_EARLY] = "early", \
	[CLASS_DIRECT] = "direct", [CLASS_OFFLINE] = "offline", [CLASS_GUARD] = "guard",         \
	[CLASS_BUDDY] = "buddy", [CLASS_PCP] = "pcp", [CLASS_UNACCEPTED] = "unaccepted",         \
	[CLASS_RESERVED] = "reserved", [CLASS_REMOVED] = "removed", [CLASS_FREE] = "free"

const char *const page_class_names[PAGE_CLASSES + 1] = { CLASS_NAMES };
const char *const page_class_row_names[PAGE_CLASSES + 3] = {
	CLASS_NAMES, [PAGE_CLASSES] = "unknown", [PAGE_CLASSES + 1] = "unreadable"
};

/* What struct page decides alone. */
static const enum page_class of_state[PAGE_TYPES] = {
	[PAGE_TYPE_SLAB] = CLASS_SLAB,		[PAGE_TYPE_BUDDY] = CLASS_BUDDY,
	[PAGE_TYPE_PGTABLE] = CLASS_PGTABLE,	[PAGE_TYPE_HUGETLB] = CLASS_HUGETLB,
	[PAGE_TYPE_OFFLINE] = CLASS_OFFLINE,	[PAGE_TYPE_GUARD] = CLASS_GUARD,
	[PAGE_TYPE_ZSMALLOC] = CLASS_ZSMALLOC,	[PAGE_TYPE_UNACCEPTED] = CLASS_UNACCEPTED,
	[PAGE_TYPE_LARGE_KMALLOC] = CLASS_SLAB, [PAGE_TYPE_ANON] = CLASS_ANON,
	[PAGE_TYPE_FILE] = CLASS_FILE,
};

const char *page_class_name(enum page_class class)
{
	return page_class_names[class];
}

/* Keeps the first problem for a warning. */
static enum status keep_problem(struct page_classes *c, enum status st, const char *what,
				const char *problem)
{
	if (st != ST_OK && st != ST_ABSENT && !c->problem)
		c->problem = dump_text(c->dump, "%s: %s", what, problem);
	return ST_OK;
}

/* The same for a list of many pages: without it, no page is known to be direct. */
static enum status keep_going(struct page_classes *c, enum status st, const char *what,
			      const char *problem)
{
	c->complete &= st == ST_OK;
	return keep_problem(c, st, what, problem);
}

struct builder {
	struct page_classes *classes;
	struct page_to_pfn finder;
	struct kstacks stacks;
	struct percpu_pages percpu;
};

/* A problem of one area is one of the class that the area is of. */
static enum status cut_class(struct page_classes *c, enum status st, enum page_class class)
{
	c->cut[class] |= st != ST_OK;
	return st;
}

static enum status add_area(void *arg, const struct vm_area *area)
{
	struct builder *b = arg;
	struct page_classes *c = b->classes;
	struct pfnset *set = &c->vmalloc;
	enum page_class class = CLASS_VMALLOC;
	uint64_t filled;

	if (percpu_pages_have(&b->percpu, area))
		return cut_class(c, percpu_pages_add(&b->percpu, area, &c->percpu), CLASS_PERCPU);
	if (vm_area_filled(c->dump, area, &filled) == ST_OK)
		c->filled_areas += filled;
	if (!vm_area_owns(area))
		return ST_OK;
	if (kstacks_have(&b->stacks, area)) {
		enum kstack_use use = kstacks_use(&b->stacks, area);

		c->cached_stacks += use == KSTACK_CACHED ? area->nr_pages : 0;
		c->exited_stacks += use == KSTACK_UNLISTED ? area->nr_pages : 0;
		set = &c->kstack;
		class = CLASS_KSTACK;
	} else if (kstacks_may_have(&b->stacks, area)) {
		set = &c->unsure;
		class = CLASS_UNKNOWN;
	}
	return cut_class(c, vm_area_pages(c->dump, area, &b->finder, set), class);
}

/* z3fold has no list of all its pages: they are direct. What is missing of zbud costs its own pages. */
static enum status ask_zbud(struct page_classes *c)
{
	enum status st = zbud_pages(c->dump, &c->zbud);

	if (st == ST_OK || st == ST_ABSENT)
		return ST_OK;
	c->cut[CLASS_ZSMALLOC] = true;
	return keep_problem(c, st, "pages of zswap may be among direct ones", c->dump->error);
}

/* Free ones look like pages that a driver has, those in use like anonymous ones and files. */
static void ask_hugetlb(struct page_classes *c, const struct hugetlb_mark *mark)
{
	if (!mark->problem)
		return;
	c->cut[CLASS_HUGETLB] = true;
	keep_going(c, ST_UNKNOWN, "pages of hugetlb", mark->problem);
}

/* One page that shows the form of its struct zspage proves it for all.  ST_ABSENT: none does. */
static enum status learn_zspages(struct page_classes *c, const struct ram *ram)
{
	struct page_info info;

	for (size_t i = 0; i < ram->n; i++)
		for (uint64_t pfn = ram->ranges[i].start; pfn < ram->ranges[i].end; pfn++) {
			if (dump_stopped(c->dump))
				return dump_fail(c->dump, ST_STOPPED, "interrupted");
			if (page_type_at(&c->free.blocks.states, pfn, &info) == ST_OK &&
			    zspages_learn(&c->zspages, &info))
				return ST_OK;
		}
	return ST_ABSENT;
}

/* Where zsmalloc is a module whose types are not loaded, the counter alone says that it has pages. */
static enum status ask_zsmalloc(struct page_classes *c, const struct ram *ram)
{
	struct dump *d = c->dump;
	char problem[192];
	int64_t pages = 0;
	enum status st;

	if (!c->zspages.unknown)
		return ST_OK;
	st = counter_ask(d, "nr_zspages", &pages);
	if (st == ST_STOPPED)
		return st;
	/* Without the counter the kernel has no zsmalloc. */
	if (st == ST_ABSENT || (st == ST_OK && !pages))
		return ST_OK;
	if (st == ST_OK && learn_zspages(c, ram) == ST_OK)
		return ST_OK;
	c->cut[CLASS_ZSMALLOC] = true;
	if (st != ST_OK)
		return keep_problem(c, st, "pages of zsmalloc may be among direct ones", d->error);
	snprintf(problem, sizeof(problem), "struct zspage is of a module%s",
		 dump_load_module(d, "zsmalloc"));
	return keep_problem(c, ST_UNKNOWN, "pages of zsmalloc are among direct ones", problem);
}

static enum status add_populated(void *arg, const struct percpu_chunk *chunk)
{
	*(uint64_t *)arg += chunk->is_first ? 0 : chunk->pages;
	return ST_OK;
}

/*
 * Page tables that hold nothing but zeros map nothing, and nothing says that they were lost; chunks count the pages that
 * they have there for each unit, of which those of CPUs alone are there (pcpu_alloc_pages(), mm/percpu-vm.c). Where some
 * of these are not known, what the tables say stands.
 */
static enum status check_percpu(struct page_classes *c)
{
	struct percpu_first first;
	struct percpu cpus;
	char problem[128];
	uint64_t pages = 0;
	enum status st = percpu_chunks_walk(c->dump, add_populated, &pages)
				 ?: percpu_first_read(c->dump, &first)
				 ?: percpu_open(c->dump, &cpus);

	if (st == ST_STOPPED)
		return st;
	pages = st == ST_OK && cpus.n <= first.units ? pages / first.units * cpus.n : 0;
	if (c->percpu.n >= pages)
		return ST_OK;
	snprintf(problem, sizeof(problem), "page tables have %lu of %s of its chunks", c->percpu.n,
		 COUNT_OF(pages, "page"));
	return keep_going(c, cut_class(c, ST_CORRUPT, CLASS_PERCPU), "per-CPU memory", problem);
}

static enum status ask_owners(struct page_classes *c, struct memmap *memmap, uint64_t end)
{
	struct dump *d = c->dump;
	struct builder b = { .classes = c };
	struct vm_layout layout;
	enum status st = page_to_pfn_open(d, memmap, end, &b.finder) ?: vm_layout_open(d, &layout);

	if (st != ST_OK)
		return keep_going(c, st, "vmalloc", d->error);
	st = kstacks_open(&layout, &c->kstack, &b.stacks);
	if (st != ST_OK)
		return keep_going(c, cut_class(c, st, CLASS_KSTACK), "stacks of threads", d->error);
	/*
	 * Areas with the vm_struct.caller of a known stack are stacks too: one known stack will do.
	 */
	if (!b.stacks.callers.n)
		keep_going(c, cut_class(c, b.stacks.problem.status, CLASS_KSTACK),
			   "stacks of threads", b.stacks.problem.text);
	percpu_pages_open(d, &b.percpu);
	if (!b.percpu.maker) {
		st = percpu_pages_of_one_cpu(d, &c->percpu);
		keep_going(c, cut_class(c, st, CLASS_PERCPU), "per-CPU memory", d->error);
	}
	st = keep_going(c, vm_areas_walk(&layout, add_area, &b), "vmalloc", d->error);
	if (st == ST_OK && b.percpu.maker && !c->cut[CLASS_PERCPU])
		st = check_percpu(c);
	if (b.stacks.problem.text)
		c->cached_stacks = c->exited_stacks = 0;
	return st;
}

enum status page_classes_open(struct dump *d, const struct page_types *states,
			      const struct ram *ram, struct page_classes *ret)
{
	uint64_t end = ram->ranges[ram->n - 1].end;
	struct page_classes *c = ret;
	enum status st = free_pages_open(d, states, end, &c->free);

	if (st != ST_OK)
		return st;
	c->dump = d;
	c->complete = true;
	c->has_holes = ram->derived;
	c->problem = c->free.no_pcp.text;
	pfnset_init(&c->vmalloc, d->arena, end);
	pfnset_init(&c->kstack, d->arena, end);
	pfnset_init(&c->percpu, d->arena, end);
	pfnset_init(&c->unsure, d->arena, end);
	pfnset_init(&c->zbud, d->arena, end);
	lru_masks_open(d, &c->lru);
	c->reserved = page_flag_always(d, "PG_reserved");
	c->head = page_flag_mask(d, "PG_head");
	c->self_hosted = page_flag_mask(d, "PG_vmemmap_self_hosted");
	zspages_open(states, &c->zspages);
	special_handles_open(d, &c->special);
	ask_hugetlb(c, &states->marks.hugetlb);
	st = ask_owners(c, states->memmap, end) ?: ask_zbud(c) ?: ask_zsmalloc(c, ram);
	decoder_trace(d, "decide pages of vmalloc %lu, stacks %lu, per-CPU memory %lu%s",
		      c->vmalloc.n, c->kstack.n, c->percpu.n, c->complete ? "" : ", not all");
	return st;
}

static enum page_class listed(struct page_classes *c, uint64_t pfn)
{
	if (pfnset_has(&c->kstack, pfn))
		return CLASS_KSTACK;
	if (pfnset_has(&c->percpu, pfn))
		return CLASS_PERCPU;
	if (pfnset_has(&c->vmalloc, pfn))
		return CLASS_VMALLOC;
	return pfnset_has(&c->zbud, pfn) ? CLASS_ZSMALLOC : CLASS_UNKNOWN;
}

static enum page_class unmapped(const struct page_classes *c, const struct page_info *info)
{
	enum page_class class = of_state[lru_type(&c->lru, info)];

	return class == CLASS_FILE && info->head_flags & c->lru.swapbacked ? CLASS_SHMEM : class;
}

/*
 * The allocator never had what memory_hotplug.memmap_on_memory has put into the block itself; since 6.11 it is
 * not marked as reserved.  zsmalloc has another use of the flag, and page.private.
 */
static bool is_self_hosted(struct page_classes *c, const struct page_info *info, uint64_t pfn)
{
	return info->flags & c->self_hosted && info->head == pfn && !info->private && !info->pool &&
	       memmap_is_added(c->free.blocks.states.memmap, pfn);
}

/* In no free list: page_owner has it as free, or has no record of it. */
static enum page_class not_live(struct page_classes *c, const struct page_info *info, uint64_t pfn)
{
	/* Pages between ranges of memory are marked as reserved as well. */
	if (info->flags & c->reserved && !c->has_holes)
		return CLASS_RESERVED;
	if (free_pages_has_block(&c->free, pfn))
		return CLASS_BUDDY;
	return free_pages_has_pcp(&c->free, pfn) ? CLASS_PCP : CLASS_UNKNOWN;
}

static bool is_early(const struct page_classes *c, uint32_t handle)
{
	return handle && special_handle_is(&c->special, SPECIAL_EARLY, handle);
}

/* Not listed by any user of memory. */
static enum page_class unclaimed(const struct page_classes *c, enum page_record record,
				 uint32_t handle)
{
	if (record != RECORD_LIVE && (c->free.no_pcp.text || c->free.blocks.is_cut || c->has_holes))
		return CLASS_UNKNOWN;
	if (record == RECORD_FREE)
		return CLASS_FREE;
	if (handle && c->special.unreadable[SPECIAL_EARLY])
		dump_lacks(c->dump, "pages from before page_owner started", ST_UNKNOWN,
			   "early_handle was not found, or is not in this dump");
	if (!c->complete || record == RECORD_UNKNOWN ||
	    (handle && c->special.unreadable[SPECIAL_EARLY]))
		return CLASS_UNKNOWN;
	return is_early(c, handle) ? CLASS_EARLY : CLASS_DIRECT;
}

enum page_class page_class_at(struct page_classes *c, const struct page_info *info, uint64_t pfn,
			      enum page_record record, uint32_t handle)
{
	enum page_class class = of_state[info->state];

	if (record != RECORD_LIVE && memmap_is_removed(c->free.blocks.states.memmap, pfn))
		return CLASS_REMOVED;
	if (info->state == PAGE_TYPE_UNSURE)
		return CLASS_UNKNOWN;
	if (class == CLASS_FILE && info->head_flags & c->lru.swapbacked)
		return CLASS_SHMEM;
	if (class == CLASS_UNKNOWN)
		class = listed(c, pfn);
	if (class == CLASS_UNKNOWN && record != RECORD_LIVE)
		class = not_live(c, info, pfn);
	/* Pages that CPUs kept when page_owner started have a record, and some are still there. */
	if (class == CLASS_UNKNOWN && record == RECORD_LIVE && is_early(c, handle) &&
	    free_pages_has_pcp(&c->free, pfn))
		class = CLASS_PCP;
	if (class == CLASS_UNKNOWN && pfnset_has(&c->unsure, pfn))
		return CLASS_UNKNOWN;
	if (class == CLASS_UNKNOWN)
		class = unmapped(c, info);
	if (class == CLASS_UNKNOWN && info->pool)
		class = CLASS_PAGE_POOL;
	if (class != CLASS_UNKNOWN)
		return class;
	if (record != RECORD_LIVE && is_self_hosted(c, info, pfn))
		return CLASS_RESERVED;
	switch (zspages_find(&c->zspages, info)) {
	case ST_OK:
		return CLASS_ZSMALLOC;
	case ST_ABSENT:
		return unclaimed(c, record, handle);
	default:
		return CLASS_UNKNOWN;
	}
}
