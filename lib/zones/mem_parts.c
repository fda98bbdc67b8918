// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/mem_parts.h"

#include "zones/zones.h"

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

/* calculate_totalreserve_pages() (mm/page_alloc.c) of one zone, without what watermark_boost was then. */
static uint64_t reserve_of(const struct zone *zone, const struct zone_state *s)
{
	uint64_t most = 0;

	for (unsigned int i = zone->index; i < s->reserves; i++)
		if (s->reserve[i] > 0 && (uint64_t)s->reserve[i] > most)
			most = (uint64_t)s->reserve[i];
	return most + s->marks[MARK_HIGH];
}

#define CHANGED 16     /* a zone may have grown since: a part of the sum */
#define MOST_BOOSTED 2 /* of the high watermark; vm.watermark_boost_factor is 15000 of 10000 */

/* No zone gives more than it manages, which a balloon may have lowered, or raised, since then. */
enum status mem_part_zones(struct dump *d, struct zone_parts *ret)
{
	struct zone_parts sum = { 0 };
	struct zone_states states;
	struct zones zones;
	enum status st = zones_open(d, &zones) ?: zone_states_open(d, &states);

	for (size_t i = 0; st == ST_OK && i < zones.n; i++) {
		struct zone_state s = { 0 };
		uint64_t pages, boosted;

		st = zone_state_read(&states, &zones.zones[i], &s);
		if (st != ST_OK)
			break;
		pages = reserve_of(&zones.zones[i], &s);
		boosted = pages + s.marks[MARK_HIGH] * MOST_BOOSTED;
		sum.low += s.marks[MARK_LOW] + s.boost;
		sum.least_reserve += pages < s.managed ? pages : s.managed;
		sum.most_reserve += boosted < s.present ? boosted : s.present;
	}
	return RESULT(st, ret, sum);
}

enum status mem_part_reserve(struct dump *d, const struct zone_parts *zones, uint64_t *ret)
{
	enum status st = dump_symbol_u64(d, "totalreserve_pages", ret);

	if (st == ST_OK && *ret > MOST_COUNTED)
		return dump_corrupt(d, "totalreserve_pages is %lu", *ret);
	if (st == ST_OK && zones &&
	    (*ret < zones->least_reserve - zones->least_reserve / CHANGED ||
	     *ret > zones->most_reserve))
		return dump_corrupt(d, "totalreserve_pages is %lu, of the zones at least %lu", *ret,
				    zones->least_reserve);
	return st;
}
