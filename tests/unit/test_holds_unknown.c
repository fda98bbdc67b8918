// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most where names, cgroups or caches are not in the dump: nothing is told that they might deny. */
#include "holds_most.h"

/* It is not "without a name", and what has one says more of the same memory. */
static void without_names(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", NULL, 400, NULL);
	CHECK_TEXT(told(SECTION_MOST), "cgroup of unknown name: 1.6M, 40.0% of RAM");
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .pages = { 400, true });
	CHECK(strstr(told(SECTION_MOST), "file of unknown name: 1.6M, 40.0% of RAM"));
	begin(VERDICT_RAN_OUT);
	list("cgroup", NULL, 500, NULL);
	class("slab", 580);
	CHECK_TEXT(told(SECTION_MOST),
		   "kernel objects (slab): 2.3M, 58.0% of RAM (no owner of most of it is known)");
}

/* Slabs of any number of caches are not those of one. */
static void unknown_caches(void)
{
	begin(VERDICT_RAN_OUT);
	class("slab", 580);
	cache(NULL, 300);
	sum.last[SECTION_CACHE]->is_rest = true;
	cache("dentry", 100);
	CHECK_TEXT(told(SECTION_MOST),
		   "kernel objects (slab): 2.3M, 58.0% of RAM (no owner of most of it is known)");
}

/* What two names have may be the same where it is not known of what cgroup one is: they are not compared. */
static void unknown_cgroups(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/a.service", 300, NULL);
	process("a", 1, 290, NULL);
	CHECK_TEXT(told(SECTION_MOST), "cgroup /a.service: 1.2M, 30.0% of RAM; and a (1): 1.1M, "
				       "29.0% of RAM; a part may be the same memory");
	begin(VERDICT_RAN_OUT);
	list("cgroup", NULL, 300, NULL);
	process("a", 1, 290, "/b");
	CHECK(strstr(told(SECTION_MOST), "; a part may be the same memory"));
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/a.service", 300, NULL);
	process("b", 1, 290, "/b");
	CHECK(strstr(told(SECTION_MOST), "; neither is much larger"));
	/* And what one has in swap is, maybe, of the pages of zram. */
	begin(VERDICT_RAN_OUT);
	class("zsmalloc", 400);
	process("a", 1, 150, "/a");
	sum.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 280, true };
	CHECK(strstr(told(SECTION_MOST), "; a part may be the same memory"));
}

TESTS({ "without names", without_names }, { "slabs of unknown caches", unknown_caches },
      { "of unknown cgroups", unknown_cgroups })
