// SPDX-License-Identifier: GPL-2.0-or-later
/* One row for the removed cgroups of a path. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

static void one_row_for_all(void)
{
	STUB(stub);
	struct summary s = { .dump = &stub.dump };
	const struct maybe_u64 kernel = { 5, true };
	const struct statement *row;

	stub.dump.page_shift = 12;
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/a",
		    .pages = { 10, true });
	/* One that is there is no removed one. */
	CHECK(!summary_joins_removed(&s, "/a", 10, kernel));
	SUMMARY_ADD(&s, .section = SECTION_HOLDER, .by = "cgroup", .name = "/a", .is_removed = true,
		    .pages = { 10, true }, .kernel = kernel, .remark = "removed");
	row = s.last[SECTION_HOLDER];
	CHECK(!summary_joins_removed(&s, "/b", 10, kernel) &&
	      !summary_joins_removed(&s, NULL, 1, kernel));
	CHECK(row->pages.n == 10 && !row->count.known);
	CHECK(summary_joins_removed(&s, "/a", 20, kernel));
	CHECK(summary_joins_removed(&s, "/a", 30, (struct maybe_u64){ 0 }));
	CHECK(row->pages.n == 60 && row->bytes.n == 60 << 12 && row->count.n == 3 &&
	      !row->kernel.known);
	CHECK_TEXT(row->remark,
		   "3 cgroups of that path were removed, their counters still have that");
	CHECK(s.first[SECTION_HOLDER]->pages.n == 10);
}

TESTS({ "removed cgroups: one row for all of a path", one_row_for_all })
