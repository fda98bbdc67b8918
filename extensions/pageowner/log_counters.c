// SPDX-License-Identifier: GPL-2.0-or-later
#include "log_counters.h"

#define NONE MEM_NCOUNTERS

/* By class: counters that every kernel has, and one that some have; 0 of them: no such sum. */
static const struct {
	unsigned int required;
	enum mem_counter plus[2];
} sums[PAGE_CLASSES] = {
	[CLASS_SLAB] = { 2, { MEM_slab_reclaimable, MEM_slab_unreclaimable } },
	[CLASS_PGTABLE] = { 1, { MEM_pagetables, MEM_sec_pagetables } },
	[CLASS_SHMEM] = { 1, { MEM_shmem, NONE } },
	[CLASS_BUDDY] = { 1, { MEM_free, NONE } },
	[CLASS_PCP] = { 1, { MEM_free_pcp, NONE } },
};

enum status log_counters_read(struct dump *d, struct log_counters *ret)
{
	struct oom_reports *reports = dump_alloc(d, sizeof(*reports));
	struct kernel_log log = { 0 };
	enum status st = kernel_log_read(d, &log);

	ret->report = NULL;
	ret->page_shift = d->page_shift;
	/* A part of the log may have the report. */
	if (log.n && (st == ST_UNREADABLE || st == ST_CORRUPT))
		st = ST_OK;
	st = st ?: oom_reports_read(d, &log, reports);
	if (st == ST_OK)
		ret->report = oom_reports_last_mem_info(reports);
	return st;
}

/* Cached + Buffers - Shmem, as of /proc/meminfo. */
static bool find_file(const struct mem_info *m, int64_t *ret)
{
	const struct log_number *shmem = &m->pages[MEM_shmem];

	if (!m->pagecache.known || !m->swap_cache.known || !shmem->known)
		return false;
	*ret = (int64_t)(m->pagecache.value - m->swap_cache.value - shmem->value);
	return true;
}

/* Counters of zones in KiB; every zone must have it. */
static bool find_in_zones(const struct log_counters *l, enum mem_zone_counter counter, int64_t *ret)
{
	const struct mem_info *m = &l->report->mem;
	uint64_t kib = 0;

	for (unsigned int i = 0; i < m->nzones; i++) {
		if (!m->zones[i].kib[counter].known)
			return false;
		kib += m->zones[i].kib[counter].value;
	}
	*ret = (int64_t)(kib << 10 >> l->page_shift);
	return m->nzones;
}

bool log_counters_find(const struct log_counters *l, enum page_class class, int64_t *ret)
{
	const struct mem_info *m = l->report ? &l->report->mem : NULL;
	int64_t sum = 0;

	if (!m)
		return false;
	if (class == CLASS_FILE)
		return find_file(m, ret);
	if (class == CLASS_KSTACK)
		return find_in_zones(l, MEM_ZONE_kernel_stack, ret);
	if (class == CLASS_ZSMALLOC)
		return find_in_zones(l, MEM_ZONE_zspages, ret);
	for (unsigned int i = 0; i < 2; i++) {
		enum mem_counter counter = sums[class].plus[i];
		bool known = counter != NONE && m->pages[counter].known;

		if (!known && i < sums[class].required)
			return false;
		sum += known ? (int64_t)m->pages[counter].value : 0;
	}
	*ret = sum;
	return sums[class].required;
}

const char *log_counters_source(const struct log_counters *l)
{
	static const char *const sources[OOM_REPORT_KINDS] = {
		[OOM_REPORT_OOM] = "report of the OOM killer",
		[OOM_REPORT_ALLOCATION] = "report of a failed allocation",
		[OOM_REPORT_MEM_INFO] = "Mem-Info block",
	};

	return sources[l->report->kind];
}
