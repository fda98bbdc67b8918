// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory by class, as the counters of a report in the log have it: where there is no dump. */
#include "claim_kinds.h"
#include "log/log_file.h"
#include "log_huge.h"
#include "log_source.h"
#include "oom/oom_cgroup.h"
#include "oom/oom_sites.h"
#include "verdict_words.h"

#define ROWS 20
#define CACHES 5       /* as many as of a dump */
#define SITES 3	       /* so of a dump too */
#define COUNTERS 3     /* of a cgroup */
#define UNEVICTABLE 10 /* tenths of a percent of RAM, of which it matters whose they are */

struct row {
	const char *name;
	enum page_class class; /* whose limit it has */
	struct maybe_u64 pages;
	uint32_t memory; /* classes that it may have, as bits; 0: those of its name */
};

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

#define COUNTER(name) log_maybe(m->pages[MEM_##name])

/* The sum of zones: stacks in 4.18 to 5.8, later the nodes have them (kib); zspages since 6.17. */
static struct maybe_u64 of_zones(const struct summary *s, const struct mem_info *m, size_t counter,
				 struct log_number kib)
{
	const bool is_known = kib.known;

	if (!is_known && !mem_info_has_zones(m))
		return (struct maybe_u64){ 0 };
	for (unsigned int i = 0; !is_known && i < m->nzones; i++) {
		const struct log_number *n = &m->zones[i].kib[counter];

		if (!n->known)
			return (struct maybe_u64){ 0 };
		kib.value += n->value;
		kib.known = true;
	}
	return pages_of_kib(s, kib);
}

/* Of nodes whose lines are not all there the sum is unknown. */
static struct log_number of_nodes(const struct mem_info *m, struct log_number kib)
{
	return mem_info_has_nodes(m) ? kib : (struct log_number){ 0 };
}

#define MOVED_SHARE 16 /* of RAM: more does not move while counters are read */

/* Figures of which the same report has one that contradicts them: a line may be damaged. */
static void tell_differs(struct summary *s, const char *name, uint64_t pages, const char *of,
			 uint64_t other)
{
	report_warn(s->report,
		    "figures of the report do not agree: %s has %s, %s %s: a line may be damaged, "
		    "and it is left out",
		    name, COUNT_TEXT(pages), of, COUNT_TEXT(other));
	s->table.differs = true;
}

/* One that cannot be reclaimed is of the list of caches too; a process has a stack, of two pages or more of 4 KiB. */
static struct maybe_u64 not_below(struct summary *s, const char *name, struct maybe_u64 n,
				  const char *of, uint64_t least)
{
	if (!n.known || n.n >= least || least > s->ram_pages)
		return n;
	tell_differs(s, name, n.n, of, least);
	return (struct maybe_u64){ 0 };
}

/* Memory of tmpfs and what is shared is on the lists of anonymous memory, or cannot be reclaimed. */
static struct maybe_u64 shared_of(struct summary *s, struct maybe_u64 n, struct maybe_u64 lists,
				  struct maybe_u64 locked)
{
	const struct maybe_u64 all = sum(lists, locked);

	if (!n.known || !all.known || n.n <= all.n || n.n - all.n <= s->ram_pages / MOVED_SHARE)
		return n;
	tell_differs(s, "shmem", n.n, "the lists that have it", all.n);
	return (struct maybe_u64){ 0 };
}

/* Each page is of one line. */
static void check_sum(struct summary *s, struct maybe_u64 used)
{
	if (!used.known || !s->ram_pages || used.n <= s->ram_pages ||
	    used.n - s->ram_pages <= s->ram_pages / MOVED_SHARE)
		return;
	report_warn(s->report,
		    "figures of the report do not agree: its lines have %s together, RAM has %s: a "
		    "line may be damaged, which is unknown",
		    COUNT_OF(used.n, "page"), COUNT_TEXT(s->ram_pages));
	s->table.differs = true;
}

/* Of lines of which one is damaged the sum is unknown. */
static struct maybe_u64 of_huge(const struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 unknown = { 0 };

	return m->lacks_huge ? unknown : pages_of_kib(s, m->hugetlb_kib);
}

#define LEAST_STACK 13 /* bits of its size */

static void put_ram(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 total = less(log_maybe(m->ram), log_maybe(m->reserved));

	if (!m->ram.known)
		return;
	s->ram_pages = m->ram.value;
	s->ram_name = "System RAM";
	SUMMARY_ADD(s, .section = SECTION_RAM, .name = "System RAM", .pages = log_maybe(m->ram));
	if (total.known)
		SUMMARY_ADD(s, .section = SECTION_RAM, .name = "MemTotal", .pages = total);
}

/* No share is of it: memory may have been added since, and no other figure is of that time. */
static void put_boot_ram(struct summary *s)
{
	const uint64_t kib = s->dump->log_file->boot_ram_kib;

	if (kib && s->dump->page_shift)
		SUMMARY_ADD(s, .section = SECTION_RAM, .name = "System RAM when it booted",
			    .pages = pages_of_kib(s, (struct log_number){ true, kib }));
}

static void take_swap(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 total = pages_of_kib(s, m->total_swap_kib),
			       free = pages_of_kib(s, m->free_swap_kib), used = less(total, free);

	if (used.known)
		s->swap = (struct swap_sum){ true, total.n, used.n };
}

/*
 * Page cache that reclaim could not have before it is written, where it is half of it; NULL: it is less, or unknown. What is
 * being written to swap is of the same counter (NR_WRITEBACK).
 */
static const char *unwritten(const struct summary *s, const struct mem_info *m, uint64_t file)
{
	const bool has_swap = !m->total_swap_kib.known || m->total_swap_kib.value;
	const struct maybe_u64 dirty = COUNTER(dirty), written = COUNTER(writeback),
			       both = sum(dirty, written);

	return both.known && both.n >= file / 2 && both.n <= s->ram_pages &&
			       summary_reaches(s, LIMIT_SHOWN, both.n)
		       ? dump_text(s->dump, "%s dirty, %s being written%s",
				   summary_size(s, dirty.n), summary_size(s, written.n),
				   written.n && has_swap ? ", of files or to swap" : "")
		       : NULL;
}

static void put_classes(struct summary *s, const struct mem_info *m, const struct row *rows,
			size_t n)
{
	/* A kernel with hugetlbfs tells them even if there are none. */
	const bool has_huge = m->hugetlb_kib.known || m->lacks_huge;
	const char *rest = s->ran_out && s->ran_out->is_cut
				   ? "no line has it of the report, whose beginning is missing"
			   : has_huge
				   ? "no line of the report has it"
				   : "no line of the report has it, and none tells of huge pages";
	struct largest largest = { .room = ROWS };

	for (size_t i = 0; i < n; i++)
		if (rows[i].pages.known && rows[i].pages.n && rows[i].pages.n <= s->ram_pages)
			largest_add(&largest, rows[i].pages.n, &rows[i]);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct row *row = largest.of[i].item;
		uint64_t tenths = units_tenths(row->pages.n, s->ram_pages);
		struct maybe_u64 high = { 0 };
		const char *remark = row->class == CLASS_BUDDY ? limit_of_free(tenths)
				     /* A log does not tell what of it every machine has. */
				     : row->class == CLASS_RESERVED
					     ? NULL
					     : limit_of_class(row->class, tenths);

		if (row->class != CLASS_RESERVED)
			high = limit_high(row->class, tenths);
		if (row->class == CLASS_DIRECT && remark)
			remark = s->has_sites ? "in no class; sites may have it" : rest;
		if (!strcmp(row->name, "file"))
			remark = unwritten(s, m, row->pages.n);
		/* Lines were lost, or cut: it is more than what no counter has. */
		if (row->memory)
			remark =
				s->ran_out && s->ran_out->is_cut ? rest
				: has_huge
					? "no line has it that could be read"
					: "no line has it that could be read, and none tells of huge pages";
		SUMMARY_ADD(s, .section = SECTION_CLASS, .name = row->name, .pages = row->pages,
			    .high = high, .remark = remark, .memory = row->memory);
	}
}

/* What lines that are lost may have had: of the kernel's, the caches, memory of processes and files. */
static uint32_t rest_memory(struct maybe_u64 slab, struct maybe_u64 lists, struct maybe_u64 file,
			    struct maybe_u64 tables)
{
	uint32_t memory = OF_LISTS & ~OF(SLAB);

	memory |= slab.known ? 0 : OF(SLAB);
	memory |= tables.known ? 0 : OF(PGTABLE);
	memory |= lists.known ? 0 : OF(ANON) | OF(SHMEM);
	return memory | (file.known ? 0 : OF(FILE));
}

/* Of a class whose counter is lost what other rows of the same report have: it is not of the rest as well. */
static uint64_t take_told(struct summary *s, struct maybe_u64 slab, struct maybe_u64 lists,
			  struct maybe_u64 tables)
{
	const struct {
		bool is_lost;
		uint64_t pages;
		uint32_t memory;
	} rows[] = {
		{ !slab.known, s->table.slabs, OF(SLAB) },
		{ !lists.known && s->table.anon.known, s->table.anon.n, OF(ANON) },
		{ !tables.known, s->table.tables, OF(PGTABLE) },
	};
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].is_lost)
			continue;
		sum += rows[i].pages < s->ram_pages ? rows[i].pages : s->ram_pages;
		s->table.told |= rows[i].memory;
	}
	return sum;
}

/* The lists of anonymous memory have shared memory as well, unless it is among what cannot be reclaimed. */
static void put_memory(struct summary *s, const struct mem_info *m)
{
	const struct maybe_u64 isolated[2] = {
		m->is_old ? or_none(COUNTER(isolated_anon)) : COUNTER(isolated_anon),
		m->is_old ? or_none(COUNTER(isolated_file)) : COUNTER(isolated_file)
	};
	const struct maybe_u64
		lists = sum(COUNTER(active_anon), sum(COUNTER(inactive_anon), isolated[0])),
		file = sum(COUNTER(active_file), sum(COUNTER(inactive_file), isolated[1])),
		/* Up to 2.6.27 no line tells those of processes from those of files. */
		either = sum(COUNTER(active), COUNTER(inactive)),
		slab = COUNTER(slab).known
			       ? COUNTER(slab)
			       : sum(COUNTER(slab_reclaimable),
				     not_below(s, "slab_unreclaimable", COUNTER(slab_unreclaimable),
					       "its caches", s->table.slabs)),
		tables = sum(COUNTER(pagetables), or_none(COUNTER(sec_pagetables))),
		stacks = not_below(
			s, "kernel_stack",
			of_zones(s, m, MEM_ZONE_kernel_stack, of_nodes(m, m->node_stacks_kib)),
			"its processes at least",
			s->table.rows << LEAST_STACK >> s->dump->page_shift),
		zspages = of_zones(s, m, MEM_ZONE_zspages, (struct log_number){ 0 }),
		huge = of_huge(s, m), locked = COUNTER(unevictable),
		reserved = log_maybe(m->reserved);
	const struct maybe_u64 unknown = { 0 }, gpu = pages_of_kib(s, m->gpu_kib),
			       all_balloon = pages_of_kib(s, m->balloon_kib);
	/* Most drivers have theirs among what is reserved, and then not all of that is here. */
	const bool is_reserved = all_balloon.known && all_balloon.n <= reserved.n;
	const struct maybe_u64 balloon = is_reserved ? unknown : all_balloon;
	const struct maybe_u64 shmem = shared_of(s, COUNTER(shmem), lists, locked);
	const bool is_split = locked.known && shmem.known &&
			      units_tenths(locked.n, s->ram_pages) < UNEVICTABLE;
	const struct maybe_u64 needed[] = { lists,  file,   locked,	   slab,
					    tables, stacks, COUNTER(free), reserved };
	struct maybe_u64 used = { 0, true };
	bool is_whole = true;

	s->log_mlocked = of_zones(s, m, MEM_ZONE_mlocked, (struct log_number){ 0 });
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++) {
		is_whole &= needed[i].known;
		used = sum(used, or_none(needed[i]));
	}
	used = sum(sum(used, or_none(either)), sum(or_none(huge), or_none(COUNTER(free_pcp))));
	used = sum(used, sum(or_none(zspages), or_none(COUNTER(kernel_misc_reclaimable))));
	used = sum(used, sum(or_none(COUNTER(bounce)), sum(or_none(gpu), or_none(balloon))));
	/* It has a row, and the lists that are lost have most of it. */
	if (!lists.known && is_split)
		used.n += shmem.n;
	used.n += take_told(s, slab, lists, tables);
	check_sum(s, used);
	/* Behind the huge pages the report goes on with this line: none is missing. */
	is_whole &= m->pagecache.known && !m->lacks_huge && !m->lacks_counter &&
		    mem_info_has_zones(m) && !s->table.differs && !s->dump->log_file->cut_at;
	const struct row rows[] = {
		{ is_split ? "anon" : "anon or shmem", CLASS_ANON,
		  is_split ? less(lists, shmem) : lists },
		{ "shmem", CLASS_SHMEM, is_split ? shmem : unknown },
		{ "file", CLASS_UNKNOWN, file },
		{ "anon or file", CLASS_UNKNOWN, either },
		{ "unevictable", CLASS_UNKNOWN, locked },
		{ "slab", CLASS_SLAB, slab },
		{ "pgtable", CLASS_PGTABLE, tables },
		{ "kstack", CLASS_KSTACK, stacks },
		{ "zsmalloc", CLASS_ZSMALLOC, zspages },
		{ "hugetlb", CLASS_UNKNOWN, huge },
		{ "gpu", CLASS_UNKNOWN, gpu },
		{ "balloon", CLASS_UNKNOWN, balloon },
		{ "kernel_misc_reclaimable", CLASS_UNKNOWN, COUNTER(kernel_misc_reclaimable) },
		{ "bounce", CLASS_UNKNOWN, COUNTER(bounce) },
		{ "buddy", CLASS_BUDDY, COUNTER(free) },
		{ "pcp", CLASS_UNKNOWN, COUNTER(free_pcp) },
		{ "reserved", CLASS_RESERVED, reserved },
		/* A balloon that may be there keeps it from being high. */
		{ "rest", all_balloon.n || !is_whole ? CLASS_UNKNOWN : CLASS_DIRECT,
		  used.n ? less(log_maybe(m->ram), used) : unknown,
		  is_whole ? 0
			   : rest_memory(slab, either.known ? either : lists,
					 either.known ? either : file, tables) },
	};

	put_classes(s, m, rows, ARRAY_SIZE(rows));
}

/* Lines that a terminal broke are put together where their form tells; where it does not, that is why a part is not here. */
static void tell_broken(struct summary *s, const struct oom_report *r)
{
	const struct log_file *f = s->dump->log_file;
	const bool has_figures = r && (r->scope == OOM_SCOPE_MEMCG ||
				       (r->has_mem_info && s->ram_pages && s->dump->page_shift)),
		   is_whole = has_figures && r->has_head && !f->left_reports;

	if (f->broken_at && !is_whole)
		summary_unknown(
			s, "lines that are not read", NOT_IN_DUMP,
			"lines are broken at column %zu, and not all could be put together: "
			"save the log without a terminal's width, as dmesg > FILE does",
			f->broken_at);
}

static void tell_other(struct summary *s, const struct mem_info *m)
{
	if (m->differs)
		tell_differs(s, m->differs, m->differs_pages[0],
			     m->differs_of ?: "its zones or nodes", m->differs_pages[1]);
}

enum status summary_log_memory(struct summary *s)
{
	const struct oom_report *r = summary_log_list(s);
	const size_t cut_at = s->dump->log_file->cut_at;

	if (cut_at)
		summary_unknown(s, dump_text(s->dump, "what stood behind column %zu", cut_at),
				NOT_IN_DUMP,
				"lines of the log end there, and none is longer: save it without a "
				"terminal's width, as dmesg > FILE does");
	if (!r || !r->has_mem_info) {
		if (r)
			tell_other(s, &r->mem);
		put_boot_ram(s);
		tell_broken(s, r);
		return ST_OK;
	}
	if (r->mem.lacks_zone && !cut_at)
		report_warn(s->report, "the line of a zone is damaged, or missing from the report");
	if (r->mem.lacks_counter)
		report_warn(s->report, "a counter of the report is damaged, and is left out");
	tell_other(s, &r->mem);
	put_ram(s, &r->mem);
	tell_broken(s, r);
	s->free = log_maybe(r->mem.pages[MEM_free]);
	s->free.known &= s->ram_pages && s->free.n <= s->ram_pages;
	take_swap(s, &r->mem);
	return ST_OK;
}

/* Behind what caches and processes have. */
enum status summary_log_classes(struct summary *s)
{
	const struct oom_report *r = summary_log_list(s);

	if (r && r->has_mem_info && s->ram_pages) {
		put_memory(s, &r->mem);
		log_huge_put(s, &r->mem);
	}
	return ST_OK;
}

static struct maybe_u64 pages_of_bytes(const struct summary *s, struct log_number bytes)
{
	return pages_of_kib(s, (struct log_number){ bytes.known, bytes.value >> 10 });
}

/* What the counters of the cgroup have; cgroup v1 has a limit of its own for kernel memory. */
static void take_parts(struct summary *s, const struct oom_report *r, const struct oom_cgroup *all)
{
	s->limit_usage = pages_of_kib(s, r->memory.usage_kib);
	s->limit_kernel = all->kernel.known ? pages_of_bytes(s, all->kernel)
					    : pages_of_kib(s, r->kmem.usage_kib);
	s->parts = (struct limit_parts){ pages_of_bytes(s, all->bytes[OOM_CGROUP_anon]),
					 pages_of_bytes(s, all->bytes[OOM_CGROUP_shmem]),
					 pages_of_bytes(s, all->bytes[OOM_CGROUP_file]),
					 pages_of_bytes(s, all->bytes[OOM_CGROUP_sock]) };
}

/* "limit of 512.0M; shmem 495.9M, anon 10.1M": its largest counters, which do not overlap. */
static const char *cgroup_remark(struct summary *s, const struct oom_report *r)
{
	struct oom_cgroup *all = dump_alloc(s->dump, sizeof(*all));
	struct largest largest = { .room = COUNTERS };
	struct strbuf b = STRBUF_OF(256);

	if (oom_limit_is_set(&r->memory))
		strbuf_add(&b, "limit of %s", SIZE_TEXT(r->memory.limit_kib.value << 10));
	oom_cgroup_read(&s->dump->log_file->log, r->first, all);
	take_parts(s, r, all);
	for (size_t i = 0; i < OOM_CGROUP_NCOUNTERS; i++)
		if (all->bytes[i].known && all->bytes[i].value && all->bytes[i].value <= INT64_MAX)
			largest_add(&largest, all->bytes[i].value,
				    i == OOM_CGROUP_kernel ? "other kernel memory"
							   : oom_cgroup_names[i]);
	for (unsigned int i = 0; i < largest.n; i++)
		strbuf_add(&b, "%s%s %s", i ? ", " : strbuf_between(&b, "; "),
			   (const char *)largest.of[i].item, SIZE_TEXT(largest.of[i].size));
	return b.len ? dump_text(s->dump, "%s", b.buf) : NULL;
}

enum status summary_log_cgroup(struct summary *s)
{
	const struct oom_report *r = s->last_report;

	if (!r || r->scope != OOM_SCOPE_MEMCG || !*r->oom_memcg)
		return ST_OK;
	s->has_cgroups = true;
	SUMMARY_ADD(s, .section = SECTION_HOLDER, .by = "cgroup", .name = r->oom_memcg,
		    .pages = pages_of_kib(s, r->memory.usage_kib),
		    .bytes = { r->memory.usage_kib.value << 10, r->memory.usage_kib.known },
		    .remark = cgroup_remark(s, r));
	return ST_OK;
}

/* Where the kernel counts by call site, a report has the largest. */
enum status summary_log_sites(struct summary *s)
{
	const struct oom_report *r = s->last_report;
	struct oom_sites *all = dump_alloc(s->dump, sizeof(*all));

	if (!r)
		return ST_OK;
	oom_sites_read(&s->dump->log_file->log, r->first, all);
	s->has_sites = all->n != 0;
	if (all->n && all->is_off)
		report_warn(s->report, "profiling was turned off before the report: what was "
				       "allocated later has no site");
	for (unsigned int i = 0; i < all->n && i < SITES; i++)
		SUMMARY_ADD(s, .section = SECTION_SITE, .name = all->sites[i].name,
			    .bytes = { all->sites[i].bytes, true },
			    .allocs = { all->sites[i].calls, true });
	return ST_OK;
}

/* The largest has more than RAM. */
static void leave_cache(struct summary *s, struct oom_slabs *all)
{
	while (all->n && s->ram_pages) {
		const struct log_number kib = { true, all->slabs[0].total_kib };
		const struct maybe_u64 pages = pages_of_kib(s, kib);

		if (!pages.known || pages.n <= s->ram_pages)
			return;
		tell_differs(s, all->slabs[0].name, pages.n, "RAM", s->ram_pages);
		memmove(all->slabs, all->slabs + 1, --all->n * sizeof(*all->slabs));
	}
}

/* Where slab is what ran out the report lists the caches that cannot be reclaimed. */
enum status summary_log_slabs(struct summary *s)
{
	const struct oom_report *r = summary_log_list(s);
	struct oom_slabs *all = dump_alloc(s->dump, sizeof(*all));

	/* A mail may have left out all but what is large. */
	if (!r || (!r->has_mem_info && r->kind != OOM_REPORT_OOM))
		return ST_OK;
	oom_slabs_read(&s->dump->log_file->log, r->first, all);
	leave_cache(s, all);
	s->has_caches = all->n != 0;
	for (unsigned int i = 0; i < all->n; i++)
		s->table.slabs +=
			pages_of_kib(s, (struct log_number){ true, all->slabs[i].total_kib }).n;
	for (unsigned int i = 0; i < all->n && i < CACHES; i++) {
		const struct log_number kib = { true, all->slabs[i].total_kib };
		const char *name = all->slabs[i].name;

		/* The report has one name for caches that are merged. */
		SUMMARY_ADD(s, .section = SECTION_CACHE, .name = name,
			    .pages = pages_of_kib(s, kib), .bytes = { kib.value << 10, true },
			    .remark = strncmp(name, "kmalloc-", strlen("kmalloc-"))
					      ? "or others merged with it"
					      : NULL);
	}
	return ST_OK;
}

/* Where a part of the report is damaged, others may be: of a whole one each figure is what the kernel said. */
static bool is_damaged(const struct summary *s, const struct oom_report *r)
{
	const struct mem_info *m = &r->mem;

	return r->is_unsure || s->tasks_missing || s->table.differs || m->differs ||
	       m->lacks_counter || m->lacks_node || m->cuts_node || m->lacks_zone ||
	       m->lacks_huge || m->is_joined || m->is_part;
}

/* An older report has figures of a cgroup, which are none of the end. */
static bool had_cgroup(const struct oom_report *r)
{
	return r->memory.usage_kib.known;
}

/* What this log has not, once. */
enum status summary_log_missing(struct summary *s)
{
	const struct oom_report *r = s->last_report;
	struct strbuf b = STRBUF_OF(128), alone = STRBUF_OF(128);

	strbuf_add(&b, "owners%s%s, files%s", s->has_sites ? "" : ", call sites",
		   s->has_caches ? ", caches that can be reclaimed" : ", slab caches",
		   s->has_cgroups						 ? ""
		   : ANY_OF(i, s->reports.n, had_cgroup(&s->reports.reports[i])) ? ", other cgroups"
										 : ", cgroups");
	summary_unknown(s, dump_text(s->dump, "%s", b.buf), NOT_IN_DUMP,
			"this log does not have them");
	if (r && r->has_mem_info && is_damaged(s, r))
		mem_info_alone(&r->mem, &alone);
	if (alone.len)
		summary_unknown(s, dump_text(s->dump, "whether %s lost a digit", alone.buf),
				NOT_IN_DUMP, "the report does not have each of them twice");
	return ST_OK;
}
