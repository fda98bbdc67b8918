// SPDX-License-Identifier: GPL-2.0-or-later
#include "class_counters.h"

#include "kernel/percpu.h"
#include "mm/vmstat.h"
#include "view.h"

struct class_view {
	const struct owner_view *v;
	const uint64_t *pages; /* by class */
};

/* The kernel's counter of a class: a sum of names of /proc/vmstat, or a function. */
struct counted_by {
	const char *plus[2], *minus[2];
	bool (*special)(const struct owner_view *v, int64_t *pages);
	const char *counter;
	/* Whether cause explains a difference of that many pages; NULL: there is no cause. */
	bool (*explains)(const struct class_view *m, int64_t diff);
	const char *cause;
};

static bool value(const struct owner_view *v, const char *name, int64_t *ret)
{
	struct dump *d = v->dump;
	uint64_t n;

	if (!dump_has_symbol(d, name) || dump_value(d, name, &n) != ST_OK)
		return false;
	*ret = (int64_t)n;
	return true;
}

/* atomic_long_t is a structure: its bytes are those of a long. */
static bool atomic(const struct owner_view *v, const char *name, int64_t *ret)
{
	uint64_t addr, n;

	if (dump_symbol(v->dump, name, &addr) != ST_OK ||
	    dump_u64(v->dump, addr, &n, name) != ST_OK)
		return false;
	*ret = (int64_t)n;
	return true;
}

/* Up to 6.18 a variable of its own (mm/vmalloc.c), then an item of zones' statistics. */
static bool vmalloc_pages(const struct owner_view *v, int64_t *ret)
{
	return atomic(v, "nr_vmalloc_pages", ret) ||
	       counter_read(v->counters, "nr_vmalloc", ret) == ST_OK;
}

static bool percpu_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t populated, units;

	if (!value(v, "pcpu_nr_populated", &populated) || !value(v, "pcpu_nr_units", &units) ||
	    __builtin_mul_overflow(populated, units, ret))
		return false;
	return true;
}

/* In KiB. */
static bool stack_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t kib;

	if (counter_read(v->counters, "nr_kernel_stack", &kib) != ST_OK)
		return false;
	*ret = (kib << 10) >> v->page_shift;
	return true;
}

static bool reserved_pages(const struct owner_view *v, int64_t *ret)
{
	int64_t managed;

	/* System RAM that is derived from the zones cannot be compared with them. */
	if (v->owner.ram.derived || !atomic(v, "_totalram_pages", &managed))
		return false;
	*ret = (int64_t)v->owner.ram.pages - managed;
	return true;
}

/* Without a page type of its own large kmalloc is direct. */
static bool is_large_kmalloc(const struct class_view *m, int64_t diff)
{
	return diff < 0 && !m->v->states.marks.mask[PAGE_TYPE_LARGE_KMALLOC];
}

/* The area of alloc tags is not allocated by vmalloc(), and not counted (lib/alloc_tag.c). */
#define TAG_AREA_PAGES 64

static bool is_stacks(const struct class_view *m, int64_t diff)
{
	int64_t rest = diff + (int64_t)m->pages[CLASS_KSTACK];

	return rest >= 0 && rest <= TAG_AREA_PAGES;
}

static bool is_swap_cache(const struct class_view *m, int64_t diff)
{
	int64_t cached;

	return diff && counter_read(m->v->counters, "nr_swapcached", &cached) == ST_OK &&
	       diff >= -cached && diff <= cached;
}

/* The first chunk has pages for static, reserved and dynamic areas in each unit (mm/percpu.c). */
static bool is_first_chunk(const struct class_view *m, int64_t diff)
{
	int64_t units, unit_pages;

	return diff < 0 && value(m->v, "pcpu_nr_units", &units) && units > 0 &&
	       value(m->v, "pcpu_unit_pages", &unit_pages) && unit_pages >= 0 &&
	       -diff % units == 0 && -diff / units <= unit_pages;
}

#define KEPT_STACKS 2  /* NR_CACHED_STACKS in kernel/fork.c, for each CPU */
#define STACK_PAGES 16 /* no thread has more */

static bool is_kept_stacks(const struct class_view *m, int64_t diff)
{
	struct percpu cpus;

	return diff > 0 && percpu_open(m->v->dump, &cpus) == ST_OK &&
	       diff <= (int64_t)cpus.n * KEPT_STACKS * STACK_PAGES;
}

static const struct counted_by sources[PAGE_CLASSES] = {
	[CLASS_SLAB] = { { "nr_slab_reclaimable", "nr_slab_unreclaimable" },
			 .counter = "Slab",
			 .explains = is_large_kmalloc,
			 .cause = "large kmalloc pages carry no slab flag: direct" },
	[CLASS_VMALLOC] = { .special = vmalloc_pages,
			    .counter = "VmallocUsed",
			    .explains = is_stacks,
			    .cause = "VmallocUsed includes thread stacks" },
	[CLASS_PGTABLE] = { { "nr_page_table_pages", "nr_sec_page_table_pages" },
			    .counter = "PageTables" },
	[CLASS_ANON] = { { "nr_anon_pages" },
			 .counter = "AnonPages",
			 .explains = is_swap_cache,
			 .cause = "swap cache: unmapped pages are counted as file pages" },
	[CLASS_FILE] = { { "nr_file_pages" },
			 { "nr_shmem", "nr_swapcached" },
			 .counter = "Cached + Buffers - Shmem",
			 .explains = is_swap_cache,
			 .cause = "swap cache" },
	[CLASS_SHMEM] = { { "nr_shmem" },
			  .counter = "Shmem",
			  .explains = is_swap_cache,
			  .cause = "swap cache" },
	[CLASS_PERCPU] = { .special = percpu_pages,
			   .counter = "Percpu",
			   .explains = is_first_chunk,
			   .cause = "the first chunk is in reserved memory" },
	[CLASS_KSTACK] = { .special = stack_pages,
			   .counter = "KernelStack",
			   .explains = is_kept_stacks,
			   .cause = "stacks that CPUs cache for new threads" },
	[CLASS_ZSMALLOC] = { { "nr_zspages" }, .counter = "Zswapped pool" },
	[CLASS_BUDDY] = { { "nr_free_pages" }, .counter = "MemFree" },
	[CLASS_RESERVED] = { .special = reserved_pages, .counter = "System RAM - MemTotal" },
};

/* The first counter is required; the others count 0 where a kernel lacks them. */
static bool count(const struct owner_view *v, const struct counted_by *s, int64_t *ret)
{
	int64_t sum = 0, n;

	if (s->special)
		return s->special(v, ret);
	for (unsigned int i = 0; i < 2; i++) {
		if (s->plus[i] && counter_read(v->counters, s->plus[i], &n) == ST_OK)
			sum += n;
		else if (!i)
			return false;
		if (s->minus[i] && counter_read(v->counters, s->minus[i], &n) == ST_OK)
			sum -= n;
	}
	*ret = sum;
	return true;
}

static const char *cause_of(const struct class_view *m, const struct counted_by *s, int64_t diff)
{
	if (m->v->classes->problem && s->special)
		return "some lists of its pages are not in this dump";
	return s->explains && s->explains(m, diff) ? s->cause : "unknown";
}

void class_count(const struct owner_view *v, const uint64_t pages[PAGE_CLASSES],
		 enum page_class class, struct class_count *ret)
{
	const struct class_view m = { v, pages };
	const struct counted_by *s = &sources[class];
	int64_t diff;

	*ret = (struct class_count){ .counter = s->counter };
	ret->known = s->counter && v->counters && count(v, s, &ret->pages);
	if (!ret->known)
		return;
	diff = (int64_t)pages[class] - ret->pages;
	if (diff)
		ret->cause = cause_of(&m, s, diff);
}
