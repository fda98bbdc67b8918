// SPDX-License-Identifier: GPL-2.0-or-later
/* What MemAvailable is at least and at most, where a part of si_mem_available() (mm/show_mem.c) cannot be read. */
#include "zones/zones.h"

#include "zones/vmstat.h"

/* Pages that reclaim could free if it left none: page cache and reclaimable slab. */
static enum status read_freeable(struct dump *d, uint64_t *ret)
{
	static const char *const names[] = { "nr_active_file", "nr_inactive_file",
					     "nr_slab_reclaimable" };
	struct counters *c = dump_alloc(d, sizeof(*c));
	int64_t misc = 0, bytes = 0, pages, sum = 0;
	enum status st = counters_open(d, c), other;

	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(names); i++) {
		st = counter_read(c, names[i], &pages);
		sum += st == ST_OK ? pages : 0;
	}
	if (st != ST_OK)
		return st;
	/* What others than slab can give back; up to 4.19 it is counted in bytes. */
	other = counter_read(c, "nr_kernel_misc_reclaimable", &misc);
	if (other == ST_ABSENT)
		other = counter_read(c, "nr_indirectly_reclaimable_bytes", &bytes);
	if (other != ST_OK && other != ST_ABSENT)
		return other;
	*ret = (uint64_t)(sum + misc + bytes / dump_page_size(d));
	return ST_OK;
}

void mem_bounds_read(struct dump *d, uint64_t free, struct mem_bounds *ret)
{
	uint64_t at, reserve = 0, freeable = 0;
	bool has_reserve;

	has_reserve = dump_symbol(d, "totalreserve_pages", &at) == ST_OK &&
		      dump_u64(d, at, &reserve, "totalreserve_pages") == ST_OK &&
		      reserve <= MOST_COUNTED;
	ret->has_most = read_freeable(d, &freeable) == ST_OK;
	ret->least = has_reserve && free > reserve ? free - reserve : 0;
	ret->most = free + freeable;
	if (has_reserve)
		ret->most -= ret->most < reserve ? ret->most : reserve;
	d->error[0] = '\0';
}
