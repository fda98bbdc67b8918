// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/swap_cache.h"

#include "dump/layout.h"

/* An address space of swap has SWAP_ADDRESS_SPACE_PAGES (mm/swap.h; 5.10: linux/swap.h). */
#define SPACE_PAGES (1U << 14)
#define MAX_AREAS 64	      /* MAX_SWAPFILES is at most 32 */
#define MAX_SPACES (1U << 18) /* of one swap area: of 64 MiB each, 16 TiB */

static const struct layout_row rows[] = {
	{ "struct address_space", { "nrpages" }, REQUIRED, "all" },
};

struct swap_spaces {
	struct dump *dump;
	struct field nrpages;
	uint64_t bytes; /* of a struct address_space */
};

/* The address spaces of one swap area, an array. */
static enum status add_area(const struct swap_spaces *s, uint64_t spaces, uint32_t n, uint64_t *sum)
{
	struct dump *d = s->dump;

	if (n > MAX_SPACES)
		return dump_corrupt(d, "nr_swapper_spaces: %u", n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t pages;
		enum status st = dump_u64(d, spaces + i * s->bytes + s->nrpages.offset, &pages,
					  "swapper_spaces");

		if (st != ST_OK)
			return st;
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (pages > SPACE_PAGES)
			return dump_corrupt(d, "nrpages of swapper_spaces: %lu", pages);
		*sum += pages;
	}
	return ST_OK;
}

static enum status add_areas(const struct swap_spaces *s, uint64_t spaces, uint64_t counts,
			     uint64_t areas, uint64_t *sum)
{
	enum status st = ST_OK;

	for (uint64_t i = 0; st == ST_OK && i < areas; i++) {
		uint64_t at;
		uint32_t n;

		st = dump_u64(s->dump, spaces + i * 8, &at, "swapper_spaces")
			     ?: dump_u32(s->dump, counts + i * 4, &n, "nr_swapper_spaces");
		if (st == ST_OK && at)
			st = add_area(s, at, n, sum);
	}
	return st;
}

enum status swap_cache_pages(struct dump *d, uint64_t *ret)
{
	struct swap_spaces s = { .dump = d };
	uint64_t spaces, counts, sum = 0;
	struct field array; /* swapper_spaces is declared without a size */
	enum status st;

	if (!dump_has_symbol(d, "swapper_spaces"))
		return dump_absent(d, "this kernel has no swapper_spaces");
	st = layout_resolve(d, rows, 1, &s.nrpages) ?: dump_symbol(d, "swapper_spaces", &spaces);
	if (st == ST_OK &&
	    (!dump_has_symbol(d, "nr_swapper_spaces") ||
	     dump_ask(d, variable, "nr_swapper_spaces", &array) != ST_OK || !array.size ||
	     array.size % 4 || array.size / 4 > MAX_AREAS || s.nrpages.size != 8 ||
	     dump_ask(d, type_size, "struct address_space", &s.bytes) != ST_OK ||
	     s.nrpages.offset + 8ULL > s.bytes))
		return dump_unknown(d, "swapper_spaces");
	return RESULT(st ?: dump_symbol(d, "nr_swapper_spaces", &counts) ?:
			add_areas(&s, spaces, counts, array.size / 4, &sum), ret, sum);
}
