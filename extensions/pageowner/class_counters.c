// SPDX-License-Identifier: GPL-2.0-or-later
#include "class_counters.h"

#include "pools/balloon.h"
#include "vm/swap_cache.h"
#include "zones/mem_total.h"
#include "zones/vmstat.h"
#include "view.h"

#define CAUSE 320

struct class_view {
	const struct owner_view *v;
	const struct class_pages *found;
	enum page_class class;
	char *cause; /* CAUSE bytes, for a cause with figures */
};

/* The kernel's counter of a class: a sum of names of /proc/vmstat, or a function. */
struct counted_by {
	const char *plus[2], *minus[2];
	enum status (*special)(const struct owner_view *v, int64_t *pages);
	const char *counter;
	/* Whether cause explains a difference of that many pages; NULL: there is no cause. */
	bool (*explains)(const struct class_view *m, int64_t diff);
	const char *cause; /* NULL: explains() writes it */
};

static enum status value(const struct owner_view *v, const char *name, int64_t *ret)
{
	uint64_t n;

	return RESULT(dump_value(v->dump, name, &n), ret, (int64_t)n);
}

/* atomic_long_t is a structure: its bytes are those of a long. */
static enum status atomic(const struct owner_view *v, const char *name, int64_t *ret)
{
	uint64_t n;

	return RESULT(dump_symbol_u64(v->dump, name, &n), ret, (int64_t)n);
}

/* A variable without which the kernel has no such function is not there. */
static bool is_older(struct dump *d, const char *variable, const char *function)
{
	return !dump_has_symbol(d, variable) && !dump_has_symbol(d, function);
}

/*
 * A counter of /proc/vmstat.  The swap cache has one since 5.12, with CONFIG_SWAP; before, the
 * kernel adds its address spaces up.
 */
static enum status counter_of(const struct owner_view *v, const char *name, int64_t *ret)
{
	enum status st = counter_read(v->counters, name, ret);
	uint64_t pages;

	if (st != ST_ABSENT || strcmp(name, "nr_swapcached"))
		return st;
	return RESULT(swap_cache_pages(v->dump, &pages), ret, (int64_t)pages);
}

/*
 * Since 5.3 a variable, which vmalloc_nr_pages() reads (mm/vmalloc.c), since 6.19 an item of zones'
 * statistics.
 */
static enum status vmalloc_pages(const struct owner_view *v, int64_t *ret)
{
	enum status st = counter_read(v->counters, "nr_vmalloc", ret);

	if (st != ST_ABSENT || is_older(v->dump, "nr_vmalloc_pages", "vmalloc_nr_pages"))
		return st;
	return atomic(v, "nr_vmalloc_pages", ret);
}

/* Since 4.20, for pcpu_nr_pages() (mm/percpu.c). */
static enum status percpu_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t populated, units;
	enum status st;

	if (is_older(v->dump, "pcpu_nr_populated", "pcpu_nr_pages"))
		return ST_ABSENT;
	st = value(v, "pcpu_nr_populated", &populated) ?: value(v, "pcpu_nr_units", &units);
	if (st == ST_OK && __builtin_mul_overflow(populated, units, ret))
		st = dump_corrupt(v->dump, "pcpu_nr_populated: %ld pages", populated);
	return st;
}

/* In KiB. */
static enum status stack_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t kib;

	return RESULT(counter_read(v->counters, "nr_kernel_stack", &kib), ret,
		      (kib << 10) >> v->page_shift);
}

static enum status reserved_pages(const struct owner_view *v, int64_t *ret)
{
	uint64_t managed;

	/* System RAM that is derived from the zones cannot be compared with them. */
	if (v->owner.ram.derived)
		return ST_ABSENT;
	return RESULT(mem_total_sure(v->dump, &managed), ret,
		      (int64_t)(v->owner.ram.pages - managed));
}

static enum status add_pool(void *arg, const struct hugetlb_pool *pool)
{
	*(uint64_t *)arg += pool->total << pool->order;
	return ST_OK;
}

static enum status add_used(void *arg, const struct hugetlb_pool *pool)
{
	*(uint64_t *)arg += (pool->total - pool->free) << pool->order;
	return ST_OK;
}

bool class_used_bytes(struct dump *d, enum page_class class, uint64_t *ret)
{
	uint64_t pages = 0;

	if (class != CLASS_HUGETLB || hugetlb_walk(d, add_used, &pages) != ST_OK)
		return false;
	*ret = pages << d->page_shift;
	return true;
}

static enum status huge_pages(const struct owner_view *v, int64_t *ret)
{
	uint64_t pages = 0;

	return RESULT(hugetlb_walk(v->dump, add_pool, &pages), ret, (int64_t)pages);
}

static enum status ballooned_pages(const struct owner_view *v, int64_t *ret)
{
	uint64_t pages;

	return RESULT(balloon_pages(v->dump, &pages), ret, (int64_t)pages);
}

/*
 * Without a page type of its own large kmalloc is direct. It is what has no cache of kmalloc, whose
 * largest has objects of two pages: so it comes in blocks of 4 pages or a power of two above
 * (KMALLOC_SHIFT_HIGH in include/linux/slab.h, 5.10 to 7.3). Where all pages were looked at, as many
 * must be direct.
 */
#define LARGE_KMALLOC_PAGES 4

static bool is_large_kmalloc(const struct class_view *m, int64_t diff)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < PAGE_CLASSES; i++)
		all += m->found->pages[i];
	/* Where slabs alone were counted nothing contradicts it, if the dump has all pages. */
	return diff < 0 && !m->v->states.marks.mask[PAGE_TYPE_LARGE_KMALLOC] &&
	       -diff % LARGE_KMALLOC_PAGES == 0 &&
	       (all < m->v->owner.ram.pages ? !m->v->owner.ram.derived && !m->found->unreadable
					    : (uint64_t)-diff <= m->found->pages[CLASS_DIRECT]);
}

/* The area of alloc tags is not allocated by vmalloc(), and not counted (lib/alloc_tag.c). */
#define TAG_AREA_PAGES 64

static bool is_stacks(const struct class_view *m, int64_t diff)
{
	int64_t filled = m->v->classes ? m->v->classes->filled_areas : 0;
	int64_t rest = diff + (int64_t)m->found->pages[CLASS_KSTACK];
	struct strbuf s = strbuf_in(m->cause, CAUSE);

	strbuf_add(&s, "VmallocUsed includes thread stacks");
	if (rest < 0 && filled) {
		strbuf_add(&s, " and %s of an area that was being filled",
			   COUNT_OF(filled, "page"));
		rest += filled;
	}
	if (rest > 0 && rest <= TAG_AREA_PAGES)
		strbuf_add(&s, ", and not %s of alloc tags", COUNT_OF((uint64_t)rest, "page"));
	else if (rest)
		strbuf_add(&s, ", %ld unknown", rest);
	return rest != diff;
}

static void add_unmapped(struct unmapped_pages *u, uint64_t pages, bool cached,
			 enum page_type state, int32_t refcount)
{
	uint64_t *part = &u->referenced;

	if (cached)
		part = state == PAGE_TYPE_ANON ? &u->swap_cache : &u->swap_alone;
	else if (refcount == 1)
		part = &u->last_reference;
	*part += pages;
}

static void add_compound(const struct page_classes *classes, const struct anon_compound *a,
			 struct unmapped_pages *ret)
{
	if (a->mapped)
		ret->partly += a->unmapped;
	else
		add_unmapped(ret, a->unmapped, a->flags & classes->lru.swapcache, a->state,
			     a->refcount);
}

static struct page_mapcounts *mapcounts_of(struct owner_view *v, struct class_pages *c)
{
	struct page_mapcounts *m;

	if (c->asked_mapcounts)
		return c->mapcounts;
	c->asked_mapcounts = true;
	m = dump_alloc(v->dump, sizeof(*m));
	if (page_mapcounts_open(&v->states, m) == ST_OK)
		c->mapcounts = m;
	return c->mapcounts;
}

/* A page of a compound page, whose mappings are counted together or apart. */
static void add_anon_part(struct owner_view *v, struct class_pages *c, uint64_t pfn,
			  const struct page_info *info)
{
	struct page_mapcounts *m = mapcounts_of(v, c);
	struct page_users users = { 0 };
	uint32_t n;

	if (!m || page_mapcount(m, pfn, info, &n) != ST_OK)
		return;
	if (!(c->compound.mapped | c->compound.unmapped) || c->compound.head != info->head) {
		add_compound(v->classes, &c->compound, &c->anon);
		page_type_users(&v->states, info->head, &users);
		c->compound = (struct anon_compound){ .head = info->head,
						      .flags = info->head_flags,
						      .state = info->state,
						      .refcount = users.refcount };
	}
	++*(n ? &c->compound.mapped : &c->compound.unmapped);
}

static void add_anon(struct owner_view *v, struct class_pages *c, uint64_t pfn,
		     const struct page_info *info)
{
	struct page_users users;

	if (info->head != pfn || info->head_flags & v->classes->head)
		add_anon_part(v, c, pfn, info);
	else if (page_type_users(&v->states, pfn, &users) == ST_OK && users.mapcount < 0)
		add_unmapped(&c->anon, 1, info->head_flags & v->classes->lru.swapcache, info->state,
			     users.refcount);
}

void class_add_page(struct owner_view *v, struct class_pages *c, enum page_class class,
		    uint64_t pfn, const struct page_info *info)
{
	c->pages[class]++;
	if (class == CLASS_ANON)
		add_anon(v, c, pfn, info);
	else if ((class == CLASS_FILE || class == CLASS_SHMEM) && !info->mapping)
		c->truncated[class]++;
	else if (class == CLASS_OFFLINE && ram_driver(&v->owner.ram, pfn))
		c->unplugged++;
}

static void lacks_counter(const struct owner_view *v, enum status st)
{
	dump_lacks(v->dump, "counters of pages", st, "%s", v->dump->error);
}

struct cause_part {
	uint64_t pages;
	const char *text;
};

/* "1 unmapped in the swap cache, 2 unknown": false if no part is known. */
static bool put_parts(const struct class_view *m, const struct cause_part *parts, size_t n,
		      int64_t diff)
{
	struct strbuf s = strbuf_in(m->cause, CAUSE);
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (!parts[i].pages)
			continue;
		sum += parts[i].pages;
		strbuf_add(&s, "%s%s %s", strbuf_between(&s, ", "), COUNT_TEXT(parts[i].pages),
			   parts[i].text);
	}
	if (sum && sum != diff)
		strbuf_add(&s, ", %ld unknown", diff - sum);
	return sum;
}

/* Drivers of virtual machines other than balloons have offline pages, too. */
static bool is_not_balloon(const struct class_view *m, int64_t diff)
{
	const struct class_pages *found = m->found;
	const struct cause_part part = {
		found->unplugged, dump_text(m->v->dump, "not plugged by %s",
					    ram_first_driver(&m->v->owner.ram) ?: "its driver")
	};

	if (diff > 0 && !put_parts(m, &part, 1, diff))
		snprintf(m->cause, CAUSE, "offline, and not in a balloon");
	return diff > 0;
}

/*
 * The allocator manages no page of a memory block that is offline, nor, unless a balloon deflates on OOM, what
 * was given to the host.
 */
static bool is_unmanaged(const struct class_view *m, int64_t diff)
{
	const uint64_t *pages = m->found->pages;
	const struct cause_part parts[] = {
		{ pages[CLASS_REMOVED], "of offline memory blocks" },
		{ pages[CLASS_OFFLINE], "given to the host" },
	};
	int64_t ballooned;

	if (diff < 0 && ballooned_pages(m->v, &ballooned) == ST_OK && ballooned == -diff) {
		snprintf(m->cause, CAUSE, "MemTotal is without the pages of balloons");
		return true;
	}
	for (size_t n = ARRAY_SIZE(parts); n; n--)
		if (diff < 0 && parts[0].pages + (n > 1 ? parts[1].pages : 0) <= (uint64_t)-diff)
			return put_parts(m, parts, n, -diff);
	return false;
}

/* Pages that have left their file, and what the swap cache has of the class. */
static bool is_fileless(const struct class_view *m, int64_t diff)
{
	const struct cause_part part = { m->found->truncated[m->class],
					 "truncated, not yet freed" };
	int64_t cached;

	if (put_parts(m, &part, 1, diff))
		return true;
	snprintf(m->cause, CAUSE, "swap cache");
	return counter_of(m->v, "nr_swapcached", &cached) == ST_OK && diff >= -cached &&
	       diff <= cached;
}

static bool is_unmapped(const struct class_view *m, int64_t diff)
{
	struct unmapped_pages u = m->found->anon;
	struct cause_part parts[5];

	add_compound(m->v->classes, &m->found->compound, &u);
	parts[0] = (struct cause_part){ u.swap_cache, "unmapped in the swap cache" };
	parts[1] = (struct cause_part){ u.swap_alone, "in the swap cache of tmpfs, or read ahead" };
	parts[2] = (struct cause_part){ u.last_reference, "unmapped, one reference" };
	parts[3] = (struct cause_part){ u.referenced, "unmapped, in use" };
	parts[4] = (struct cause_part){ u.partly, "of huge pages mapped in part" };
	return put_parts(m, parts, ARRAY_SIZE(parts), diff);
}

/* The first chunk has pages for static, reserved and dynamic areas in each unit (mm/percpu.c). */
static bool is_first_chunk(const struct class_view *m, int64_t diff)
{
	int64_t units, unit_pages;

	if (value(m->v, "pcpu_nr_units", &units) != ST_OK ||
	    value(m->v, "pcpu_unit_pages", &unit_pages) != ST_OK) {
		lacks_counter(m->v, ST_UNKNOWN);
		return false;
	}
	return diff < 0 && units > 0 && unit_pages >= 0 && -diff % units == 0 &&
	       -diff / units <= unit_pages;
}

/* Stacks that a CPU keeps for new threads are not counted; those of no listed thread may be: it exits, or is being made. */
static bool is_kept_stacks(const struct class_view *m, int64_t diff)
{
	const struct page_classes *c = m->v->classes;
	const int64_t rest = diff - (int64_t)c->cached_stacks;
	const bool is_known = rest >= 0 && (uint64_t)rest <= c->exited_stacks;
	const struct cause_part parts[] = {
		{ c->cached_stacks, "cached by CPUs for new threads" },
		{ is_known ? (uint64_t)rest : c->exited_stacks,
		  "of stacks of no listed thread, which exits or is being made" },
	};

	return put_parts(m, parts, ARRAY_SIZE(parts), diff);
}

/* No counter of a zone has pages of zbud. */
static bool is_zbud(const struct class_view *m, int64_t diff)
{
	const struct cause_part part = { m->v->classes->zbud.n, "of zbud" };

	return put_parts(m, &part, 1, diff);
}

static const struct counted_by sources[PAGE_CLASSES] = {
	[CLASS_SLAB] = { { "nr_slab_reclaimable", "nr_slab_unreclaimable" },
			 .counter = "Slab",
			 .explains = is_large_kmalloc,
			 .cause = "large kmalloc pages carry no slab flag: direct" },
	[CLASS_VMALLOC] = { .special = vmalloc_pages,
			    .counter = "VmallocUsed",
			    .explains = is_stacks },
	/* Page tables of KVM and of an IOMMU (SecPageTables) have no page type: they are direct. */
	[CLASS_PGTABLE] = { { "nr_page_table_pages" }, .counter = "PageTables" },
	[CLASS_ANON] = { { "nr_anon_pages" }, .counter = "AnonPages", .explains = is_unmapped },
	[CLASS_FILE] = { { "nr_file_pages" },
			 { "nr_shmem", "nr_swapcached" },
			 .counter = "Cached + Buffers - Shmem",
			 .explains = is_fileless },
	[CLASS_HUGETLB] = { .special = huge_pages, .counter = "Hugetlb" },
	[CLASS_SHMEM] = { { "nr_shmem" }, .counter = "Shmem", .explains = is_fileless },
	[CLASS_PERCPU] = { .special = percpu_pages,
			   .counter = "Percpu",
			   .explains = is_first_chunk,
			   .cause = "the first chunk is in reserved memory" },
	[CLASS_KSTACK] = { .special = stack_pages,
			   .counter = "KernelStack",
			   .explains = is_kept_stacks },
	[CLASS_ZSMALLOC] = { { "nr_zspages" }, .counter = "nr_zspages", .explains = is_zbud },
	[CLASS_BUDDY] = { { "nr_free_pages" }, .counter = "MemFree" },
	[CLASS_OFFLINE] = { .special = ballooned_pages,
			    .counter = "Balloon",
			    .explains = is_not_balloon },
	[CLASS_RESERVED] = { .special = reserved_pages,
			     .counter = "System RAM - MemTotal",
			     .explains = is_unmanaged },
};

const char *class_counter(enum page_class class)
{
	return sources[class].counter;
}

/*
 * The first counter is required; the others count 0 where a kernel lacks them.  A counter that the
 * kernel has and this dump does not leaves the sum unknown.
 */
static enum status count(const struct owner_view *v, const struct counted_by *s, int64_t *ret)
{
	int64_t sum = 0;

	if (s->special)
		return s->special(v, ret);
	for (unsigned int i = 0; i < 4; i++) {
		const char *name = i < 2 ? s->plus[i] : s->minus[i - 2];
		int64_t n = 0;
		enum status st = name ? counter_of(v, name, &n) : ST_ABSENT;

		if (st != ST_OK && (st != ST_ABSENT || !i))
			return st;
		if (st == ST_OK)
			sum += i < 2 ? n : -n;
	}
	*ret = sum;
	return ST_OK;
}

static const char *cause_of(const struct class_view *m, const struct counted_by *s, int64_t diff)
{
	if (m->v->classes && m->v->classes->cut[s - sources])
		return "some lists of its pages are not in this dump";
	if (m->found->unreadable || m->found->pages[CLASS_UNKNOWN])
		return NULL;
	if (!s->explains || !s->explains(m, diff))
		return "unknown";
	return s->cause ?: m->cause;
}

void class_count(const struct owner_view *v, const struct class_pages *found, enum page_class class,
		 struct class_count *ret)
{
	const struct class_view m = { v, found, class, dump_alloc(v->dump, CAUSE) };
	const struct counted_by *s = &sources[class];
	enum status st;
	int64_t diff;

	*ret = (struct class_count){ .counter = s->counter };
	if (!s->counter || !v->counters)
		return;
	st = count(v, s, &ret->pages);
	if (st == ST_OK && (ret->pages >= MOST_COUNTED || ret->pages <= -MOST_COUNTED))
		st = dump_corrupt(v->dump, "%s: %ld pages", s->counter, ret->pages);
	ret->known = st == ST_OK;
	/* Whatever pages of zsmalloc are in, the kernel counts them. */
	if (st == ST_ABSENT && class == CLASS_ZSMALLOC &&
	    found->pages[class] > (v->classes ? v->classes->zbud.n : 0))
		st = ST_UNKNOWN;
	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED)
		lacks_counter(v, st);
	if (!ret->known)
		return;
	diff = (int64_t)found->pages[class] - ret->pages;
	if (diff)
		ret->cause = cause_of(&m, s, diff);
}

bool class_large_kmalloc(const struct owner_view *v, const struct class_pages *found, uint64_t *ret)
{
	struct class_count c;

	class_count(v, found, CLASS_SLAB, &c);
	if (!c.known || !c.cause || c.cause != sources[CLASS_SLAB].cause)
		return false;
	*ret = (uint64_t)c.pages - found->pages[CLASS_SLAB];
	return true;
}

const char *class_large_kmalloc_problem(const struct owner_view *v, const struct class_pages *found)
{
	if (v->states.marks.mask[PAGE_TYPE_LARGE_KMALLOC])
		return NULL;
	if (!v->counters)
		return "the counters of the kernel are not in this dump";
	if (v->classes && v->classes->cut[CLASS_SLAB])
		return "some lists of its pages are not in this dump";
	return found->unreadable || found->pages[CLASS_UNKNOWN]
		       ? "the class of some pages is unknown"
		       : NULL;
}

struct class_total class_part(const char *name, uint64_t pages, bool has_pages,
			      struct class_count count)
{
	struct class_total total = {
		name, has_pages, has_pages && count.known, pages, (int64_t)pages - count.pages,
		count
	};

	if (!total.has_difference)
		total.count.cause = NULL;
	return total;
}

struct class_total class_total(const struct owner_view *v, const struct class_pages *found,
			       enum page_class class, const char *name, bool has_pages)
{
	struct class_count count;

	/* None is no number where not all pages were seen. */
	if (!found->pages[class] && found->unreadable)
		has_pages = false;
	class_count(v, found, class, &count);
	return class_part(name, found->pages[class], has_pages, count);
}
