// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/mem_parts.h"

static uint64_t without_kept(uint64_t pages, uint64_t low)
{
	return pages - (pages / 2 < low ? pages / 2 : low);
}

/* Up to 4.19 what others than slab can give back is counted in bytes, and none of it kept. */
enum status mem_part_reclaimable(const struct counters *c, uint64_t low, uint64_t *ret)
{
	int64_t slab, misc = 0, bytes = 0;
	enum status st = counter_read(c, "nr_slab_reclaimable", &slab)
				 ?: counter_read(c, "nr_kernel_misc_reclaimable", &misc);

	if (st == ST_ABSENT)
		st = counter_read(c, "nr_indirectly_reclaimable_bytes", &bytes);
	if (st != ST_OK && st != ST_ABSENT)
		return st;
	*ret = without_kept(slab + misc, low) + bytes / dump_page_size(c->dump);
	return ST_OK;
}

enum status mem_part_file(const struct counters *c, uint64_t low, uint64_t *ret)
{
	int64_t active, inactive;
	enum status st = counter_read(c, "nr_active_file", &active)
				 ?: counter_read(c, "nr_inactive_file", &inactive);

	if (st == ST_OK)
		*ret = without_kept(active + inactive, low);
	return st;
}

enum status mem_part_reserve(struct dump *d, uint64_t *ret)
{
	enum status st = dump_symbol_u64(d, "totalreserve_pages", ret);

	if (st == ST_OK && *ret > MOST_COUNTED)
		return dump_corrupt(d, "totalreserve_pages is %lu", *ret);
	return st;
}
