// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/zone_free.h"

#include "dump/structure.h"

#define MAX_ORDERS 16 /* of free blocks; MAX_PAGE_ORDER is 10, and 13 where pages have 64 KiB */
#define CPU_SLACK 128 /* pages that a CPU has not added yet: of a signed byte */
#define BLOCK_SLACK 2 /* blocks of the highest order that are being split or merged, or isolated */
#define PART 64	      /* of a zone that may be isolated: a part of its pages */

struct layout {
	struct field areas, nr_free;
};

static const struct layout_row rows[] = {
	FINDS(struct layout, areas, "struct zone", REQUIRED, "all", "free_area"),
	FINDS(struct layout, nr_free, "struct free_area", REQUIRED, "all", "nr_free"),
};

void zone_free_open(struct dump *d, unsigned int cpus, struct zone_free *ret)
{
	struct layout l;
	uint64_t bytes;

	*ret = (struct zone_free){ .dump = d };
	if (STRUCTS_OPEN(d, rows, &l) == ST_OK &&
	    dump_ask(d, type_size, "struct free_area", &bytes) == ST_OK && bytes &&
	    l.nr_free.size == 8 && l.nr_free.offset + 8 <= bytes &&
	    l.areas.size / bytes <= MAX_ORDERS) {
		ret->areas = l.areas.offset;
		ret->nr_free = l.nr_free.offset;
		ret->area_bytes = bytes;
		ret->orders = l.areas.size / bytes;
		ret->slack = (uint64_t)cpus * CPU_SLACK +
			     (ret->orders ? BLOCK_SLACK << (ret->orders - 1) : 0);
	}
	d->error[0] = '\0';
}

/* In its blocks; false: unknown. */
static bool count_blocks(const struct zone_free *f, uint64_t zone, uint64_t present, uint64_t *ret)
{
	struct dump *d = f->dump;
	uint64_t n, sum = 0;

	for (unsigned int order = 0; order < f->orders; order++) {
		if (dump_u64(d, zone + f->areas + order * f->area_bytes + f->nr_free, &n,
			     "struct free_area") != ST_OK) {
			d->error[0] = '\0';
			return false;
		}
		if (n > present >> order)
			return false;
		sum += n << order;
	}
	*ret = sum;
	return f->orders && sum <= present;
}

const char *zone_free_damage(const struct zone_free *f, uint64_t zone, uint64_t present,
			     int64_t free)
{
	uint64_t counted = free > 0 ? (uint64_t)free : 0, blocks;

	if (counted > present + f->slack)
		return dump_text(f->dump, "struct zone at %#lx counts %lu free pages, and has %lu",
				 zone, counted, present);
	if (!count_blocks(f, zone, present, &blocks) ||
	    (counted > blocks ? counted - blocks : blocks - counted) <= present / PART + f->slack)
		return NULL;
	return dump_text(f->dump,
			 "struct zone at %#lx counts %lu free pages, and %lu are in its blocks",
			 zone, counted, blocks);
}
