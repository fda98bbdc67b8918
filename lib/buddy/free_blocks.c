// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/free_blocks.h"

#include "dump/layout.h"

static const struct layout_row area_row = { "struct zone", { "free_area" }, REQUIRED, "all" };

enum status free_blocks_open(struct dump *d, const struct page_types *states,
			     struct free_blocks *ret)
{
	struct field areas;
	uint64_t area;
	enum status st = layout_resolve(d, &area_row, 1, &areas);

	memset(ret, 0, sizeof(*ret));
	ret->states = *states;
	ret->start = UINT64_MAX;
	if (st == ST_OK && (dump_ask(d, type_size, "struct free_area", &area) != ST_OK || !area ||
			    areas.size / area < 1 || areas.size / area > FREE_MAX_ORDER))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: zone.free_area");
	if (st == ST_OK)
		read_window_init(&ret->states.window, d);
	if (st != ST_OK)
		return st;
	/* The table that the copy remembers is the other's. */
	ret->states.start = ret->states.end = 0;
	ret->orders = areas.size / area;
	return ST_OK;
}

static void read_block(struct free_blocks *f, uint64_t start)
{
	uint64_t n = 1ULL << (f->orders - 1);

	memset(f->bits, 0, sizeof(f->bits));
	f->is_cut = false;
	f->start = start;
	for (uint64_t i = 0; i < n;) {
		struct page_info info;
		uint64_t free = 0;
		enum status st = page_type_at(&f->states, start + i, &info);

		f->is_cut |= st != ST_OK && st != ST_ABSENT;
		if (st == ST_OK && info.state == PAGE_TYPE_BUDDY && info.private < f->orders)
			free = 1ULL << info.private;
		for (uint64_t k = i; k < i + free && k < n; k++)
			f->bits[k / 64] |= 1ULL << (k & 63);
		i += free ? free : 1;
	}
}

bool free_blocks_has(struct free_blocks *f, uint64_t pfn)
{
	uint64_t at;

	if (!f->orders)
		return false;
	at = pfn & ((1ULL << (f->orders - 1)) - 1);
	if (f->start != pfn - at)
		read_block(f, pfn - at);
	return f->bits[at / 64] >> (at & 63) & 1;
}
