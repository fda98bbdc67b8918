// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/free_witness.h"

#include "dump/structure.h"

#define MAX_ORDERS 16 /* of free blocks; MAX_PAGE_ORDER is 10, and 13 where pages have 64 KiB */
#define CPU_SLACK 128 /* pages that a CPU has not added yet: of a signed byte */
#define BLOCK_SLACK 2 /* blocks of the highest order that are being split or merged */
#define PART 64	      /* of a zone: CPUs free and take while the machine dies */

struct layout {
	struct field areas, nr_free, isolated;
};

static const struct layout_row rows[] = {
	FINDS(struct layout, areas, "struct zone", REQUIRED, "all", "free_area"),
	FINDS(struct layout, nr_free, "struct free_area", REQUIRED, "all", "nr_free"),
	FINDS(struct layout, isolated, "struct zone", OPTIONAL, "CONFIG_MEMORY_ISOLATION",
	      "nr_isolate_pageblock"),
};

void free_witness_open(struct dump *d, unsigned int cpus, struct free_witness *ret)
{
	struct layout l;
	uint64_t bytes;

	*ret = (struct free_witness){ .dump = d };
	if (STRUCTS_OPEN(d, rows, &l) == ST_OK &&
	    dump_ask(d, type_size, "struct free_area", &bytes) == ST_OK && bytes &&
	    l.nr_free.size == 8 && l.nr_free.offset + 8 <= bytes &&
	    l.areas.size / bytes <= MAX_ORDERS) {
		ret->areas = l.areas.offset;
		ret->nr_free = l.nr_free.offset;
		ret->area_bytes = bytes;
		ret->isolated = l.isolated.present && l.isolated.size == 8 ? l.isolated.offset : 0;
		ret->orders = l.areas.size / bytes;
		ret->slack = (uint64_t)cpus * CPU_SLACK +
			     (ret->orders ? BLOCK_SLACK << (ret->orders - 1) : 0);
	}
	d->error[0] = '\0';
}

/* In its blocks; false: unknown. */
static bool count_blocks(const struct free_witness *f, uint64_t zone, uint64_t present,
			 uint64_t *ret)
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

/* Isolated blocks are in the lists, and not counted (set_migratetype_isolate()): then these are no witness. */
static bool has_isolated(const struct free_witness *f, uint64_t zone)
{
	uint64_t n = 0;

	if (f->isolated && dump_u64(f->dump, zone + f->isolated, &n, "struct zone") != ST_OK)
		f->dump->error[0] = '\0';
	return n != 0;
}

const char *free_witness_damage(const struct free_witness *f, uint64_t zone, uint64_t present,
				int64_t free, uint64_t unaccepted)
{
	uint64_t counted = free > 0 ? (uint64_t)free : 0, blocks;

	if (counted > present + f->slack)
		return dump_text(f->dump, "struct zone at %#lx counts %lu free pages, and has %lu",
				 zone, counted, present);
	counted -= unaccepted < counted ? unaccepted : counted;
	if (has_isolated(f, zone) || !count_blocks(f, zone, present, &blocks) ||
	    (counted > blocks ? counted - blocks : blocks - counted) <= present / PART + f->slack)
		return NULL;
	return dump_text(f->dump,
			 "struct zone at %#lx counts %lu free pages, and %lu are in its blocks",
			 zone, counted, blocks);
}
