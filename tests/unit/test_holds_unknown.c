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

/* Rows that may be of more: which is the largest of them is unknown, and none is compared with another's rest. */
static void lower_bounds(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/cron", 500, NULL);
	process("bkpack", 1, 30, "/cron");
	sum.last[SECTION_GROUP]->is_least = true;
	process("dbstream", 2, 90, "/cron");
	CHECK_TEXT(told(SECTION_MOST), "cgroup /cron: 2.0M, 50.0% of RAM");
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/cron", 500, NULL);
	class("anon", 480);
	CHECK(strstr(told(SECTION_MOST), "; a part may be the same memory"));
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = "gw", .cgroup = "/",
		    .pages = { 300, true }, .processes = { 60, true });
	sum.tasks_missing = true;
	CHECK(strstr(told(SECTION_MOST), "60 processes gw: at least 1.2M, 30.0% of RAM"));
	begin(VERDICT_RAN_OUT);
	list("ftrace", "ring buffers of 19 instances: a, b and 17 more", 300, NULL);
	sum.last[SECTION_HOLDER]->is_least = true;
	CHECK_TEXT(told(SECTION_MOST), "ftrace ring buffers of 19 instances: a, b and 17 more: at "
				       "least 1.2M, 30.0% of RAM");
}

/* Who has direct pages is told by lists, some of which are missing; ways to an object by roots that are. */
static void lists_and_roots(void)
{
	begin(VERDICT_RAN_OUT);
	class("direct", 500);
	sum.lacks_lists = true;
	CHECK_TEXT(told(SECTION_MOST), "direct pages, of which it is unknown who has them: 2.0M, "
				       "50.0% of RAM");
	begin(VERDICT_RAN_OUT);
	cache("kmalloc-4k", 400);
	root("maple_node reached from kmalloc-512 -> list of kmalloc-4k", NULL, 398);
	sum.last[SECTION_CANDIDATE]->confidence.known = false;
	CHECK(strstr(told(SECTION_MOST), "slab cache kmalloc-4k: 1.6M, 40.0% of RAM"));
}

TESTS({ "without names", without_names }, { "slabs of unknown caches", unknown_caches },
      { "of unknown cgroups", unknown_cgroups }, { "lower bounds", lower_bounds },
      { "lists and roots", lists_and_roots })
