// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of what allocation sites are charged for: a slab that cannot be told is not told with all of its pages. */
#include "allocprof/audit_totals.h"
#include "test.h"

#define PAGE 4096

static void all_pages_of_a_lost_slab(void)
{
	struct tag_totals s = { .lost_slab = UINT64_MAX };

	tag_totals_add_slab(&s, 8, PAGE);
	tag_totals_add_slab(&s, 8, PAGE);
	CHECK(s.slab.n == 2 && !s.slabs_unknown.n);
	/* Its first page is counted as such. */
	tag_totals_add_slab(&s, 16, PAGE);
	tag_totals_lose_slab(&s, 16, PAGE);
	for (unsigned int i = 1; i < 4; i++)
		tag_totals_add_slab(&s, 16, PAGE);
	CHECK(s.slab.n == 6 && s.slabs_unknown.n == 4 && s.slabs_unknown.bytes == 4 * PAGE);
	tag_totals_add_slab(&s, 24, PAGE);
	CHECK(s.slab.n == 7 && s.slabs_unknown.n == 4);
}

TESTS({ "all pages of a slab that cannot be told", all_pages_of_a_lost_slab })
