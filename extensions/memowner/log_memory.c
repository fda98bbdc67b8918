// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory by class, as the counters of a report in the log have it: where there is no dump. */
#include "limits.h"
#include "log/log_file.h"
#include "oom/oom_slabs.h"
#include "summary.h"
#include "util/largest.h"
#include "util/units.h"

#define ROWS 12
#define CACHES 5       /* as many as of a dump */
#define UNEVICTABLE 10 /* tenths of a percent of RAM, of which it matters whose they are */

struct row {
	const char *name;
	enum page_class class; /* whose limit it has */
	struct maybe_u64 pages;
};

static struct maybe_u64 told(struct log_number n)
{
	return (struct maybe_u64){ n.value, n.known };
}

static struct maybe_u64 sum(struct maybe_u64 a, struct maybe_u64 b)
{
	return (struct maybe_u64){ a.n + b.n, a.known && b.known && a.n + b.n >= a.n };
}

static struct maybe_u64 less(struct maybe_u64 a, struct maybe_u64 b)
{
	return (struct maybe_u64){ a.n - b.n, a.known && b.known && a.n >= b.n };
}

/* What some kernels do not print counts nothing. */
static struct maybe_u64 or_none(struct maybe_u64 n)
{
	return (struct maybe_u64){ n.known ? n.n : 0, true };
}

static struct maybe_u64 pages_of_kib(const struct summary *s, struct log_number kib)
{
	unsigned int shift = s->dump->page_shift;

	return (struct maybe_u64){ shift ? kib.value >> (shift - 10) : 0, kib.known && shift };
}

#define COUNTER(name) told(m->pages[MEM_##name])

/* In 4.18 to 5.8 each zone has them, later each node. */
static struct maybe_u64 stacks_of(const struct summary *s, const struct mem_info *m)
{
	struct log_number kib = m->node_stacks_kib;

	for (unsigned int i = 0; !m->node_stacks_kib.known && i < m->nzones; i++) {
		const struct log_number *n = &m->zones[i].kib[MEM_ZONE_kernel_stack];

		if (!n->known)
			return (struct maybe_u64){ 0 };
		kib.value += n->value;
		kib.known = true;
	}
	return pages_of_kib(s, kib);
}

/* Each zone has it since 6.17. */
static struct maybe_u64 zspages_of(const struct summary *s, const struct mem_info *m)
{
	struct log_number kib = { 0 };

	for (unsigned int i = 0; i < m->nzones; i++) {
		const struct log_number *n = &m->zones[i].kib[MEM_ZONE_zspages];

		if (!n->known)
			return (struct maybe_u64){ 0 };
		kib.value += n->value;
		kib.known = true;
	}
	return pages_of_kib(s, kib);
}

static void put_ram(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 total = less(told(m->ram), told(m->reserved));

	if (!m->ram.known)
		return;
	s->ram_pages = m->ram.value;
	s->ram_name = "System RAM";
	summary_add(s, &(struct statement){ .section = SECTION_RAM,
					    .name = "System RAM",
					    .pages = told(m->ram) });
	if (total.known)
		summary_add(s, &(struct statement){ .section = SECTION_RAM,
						    .name = "MemTotal",
						    .pages = total });
}

static void take_swap(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 total = pages_of_kib(s, m->total_swap_kib),
			       free = pages_of_kib(s, m->free_swap_kib), used = less(total, free);

	if (used.known)
		s->swap = (struct swap_sum){ true, total.n, used.n };
}

static void put_classes(struct summary *s, const struct row *rows, size_t n)
{
	struct largest largest = { .room = ROWS };

	for (size_t i = 0; i < n; i++)
		if (rows[i].pages.known && rows[i].pages.n && rows[i].pages.n <= s->ram_pages)
			largest_add(&largest, rows[i].pages.n, &rows[i]);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct row *row = largest.of[i].item;
		uint64_t tenths = units_tenths(row->pages.n, s->ram_pages);
		const char *remark = row->class == CLASS_BUDDY ? limit_of_free(tenths)
							       : limit_of_class(row->class, tenths);

		if (row->class == CLASS_DIRECT && remark)
			remark = "high: no counter of the report has it";
		summary_add(s, &(struct statement){ .section = SECTION_CLASS,
						    .name = row->name,
						    .pages = row->pages,
						    .remark = remark });
	}
}

/* The lists of anonymous memory have shared memory as well, unless it is among what cannot be reclaimed. */
static void put_memory(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 lists = sum(COUNTER(active_anon),
					   sum(COUNTER(inactive_anon), COUNTER(isolated_anon))),
			       file = sum(COUNTER(active_file),
					  sum(COUNTER(inactive_file), COUNTER(isolated_file))),
			       slab = sum(COUNTER(slab_reclaimable), COUNTER(slab_unreclaimable)),
			       tables = sum(COUNTER(pagetables), or_none(COUNTER(sec_pagetables))),
			       stacks = stacks_of(s, m), zspages = zspages_of(s, m),
			       huge = pages_of_kib(s, m->hugetlb_kib),
			       locked = COUNTER(unevictable), reserved = told(m->reserved);
	const struct maybe_u64 unknown = { 0 };
	const bool is_split = locked.known && units_tenths(locked.n, s->ram_pages) < UNEVICTABLE;
	struct maybe_u64 used = sum(lists, sum(file, locked));

	used = sum(used, sum(slab, sum(tables, stacks)));
	used = sum(used, sum(COUNTER(free), or_none(COUNTER(free_pcp))));
	used = sum(used, sum(or_none(huge), reserved));
	used = sum(used, sum(or_none(zspages), or_none(COUNTER(kernel_misc_reclaimable))));
	used = sum(used, or_none(COUNTER(bounce)));
	/* Behind the huge pages the report goes on with this line: none is missing. */
	used.known &= m->pagecache.known;
	const struct row rows[] = {
		{ is_split ? "anon" : "anon or shmem", CLASS_ANON,
		  is_split ? less(lists, COUNTER(shmem)) : lists },
		{ "shmem", CLASS_SHMEM, is_split ? COUNTER(shmem) : unknown },
		{ "file", CLASS_UNKNOWN, file },
		{ "unevictable", CLASS_UNKNOWN, is_split ? unknown : locked },
		{ "slab", CLASS_SLAB, slab },
		{ "pgtable", CLASS_PGTABLE, tables },
		{ "kstack", CLASS_KSTACK, stacks },
		{ "zsmalloc", CLASS_ZSMALLOC, zspages },
		{ "hugetlb", CLASS_UNKNOWN, huge },
		{ "buddy", CLASS_BUDDY, COUNTER(free) },
		{ "reserved", CLASS_RESERVED, reserved },
		{ "rest", CLASS_DIRECT, less(told(m->ram), used) },
	};

	put_classes(s, rows, ARRAY_SIZE(rows));
}

enum status summary_log_memory(struct summary *s)
{
	const struct oom_report *r = s->last_report;

	if (!r || !r->has_mem_info)
		return ST_OK;
	put_ram(s, &r->mem);
	s->free = told(r->mem.pages[MEM_free]);
	s->free.known &= s->ram_pages && s->free.n <= s->ram_pages;
	take_swap(s, &r->mem);
	if (s->ram_pages)
		put_memory(s, &r->mem);
	return ST_OK;
}

enum status summary_log_cgroup(struct summary *s)
{
	const struct oom_report *r = s->last_report;
	struct maybe_u64 usage, max;
	char size[UNITS_BYTES];

	if (!r || r->scope != OOM_SCOPE_MEMCG || !*r->oom_memcg)
		return ST_OK;
	usage = pages_of_kib(s, r->memory.usage_kib);
	max = told(r->memory.limit_kib);
	summary_add(s,
		    &(struct statement){
			    .section = SECTION_HOLDER,
			    .by = "cgroup",
			    .name = r->oom_memcg,
			    .pages = usage,
			    .bytes = { r->memory.usage_kib.value << 10, r->memory.usage_kib.known },
			    .remark = max.known
					      ? arena_text(s->dump->arena, "limit of %s",
							   units_size(size, (int64_t)(max.n << 10)))
					      : NULL });
	return ST_OK;
}

/* Where slab is what ran out the report lists the caches that cannot be reclaimed. */
enum status summary_log_slabs(struct summary *s)
{
	const struct oom_report *r = s->last_report;
	struct oom_slabs *all = dump_alloc(s->dump, sizeof(*all));

	if (!r || !r->has_mem_info)
		return ST_OK;
	oom_slabs_read(&s->dump->log_file->log, r->first, all);
	for (unsigned int i = 0; i < all->n && i < CACHES; i++) {
		const struct log_number kib = { true, all->slabs[i].total_kib };

		summary_add(s, &(struct statement){ .section = SECTION_CACHE,
						    .name = all->slabs[i].name,
						    .pages = pages_of_kib(s, kib),
						    .bytes = { kib.value << 10, true } });
	}
	return ST_OK;
}

/* What a log never has, once. */
enum status summary_log_missing(struct summary *s)
{
	summary_unknown(s, "owners, call sites, slab caches, files, cgroups", NOT_IN_DUMP,
			"a log does not have them");
	return ST_OK;
}
