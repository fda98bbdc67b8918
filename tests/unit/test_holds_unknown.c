// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most where names, cgroups or caches are not in the dump: nothing is told that they might deny. */
#include "holds_most.h"
#include "memowner/groups.h"

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

/* A cgroup that is full of files of which none is much. */
static void page_cache(void)
{
	begin(VERDICT_HIGH);
	process("minio", 213, 14, "/minio");
	sum.limit_path = "/minio";
	sum.limit_pages = 200;
	sum.throttled = (struct throttled){ .path = sum.limit_path,
					    .usage = 200,
					    .cache = 180,
					    .no_oom = true,
					    .files = "36 files in /srv, the largest 20.0K" };
	CHECK_TEXT(
		told(SECTION_MOST),
		"page cache of files that it read or wrote: 720.0K, 90.0% of memory.high (36 "
		"files in /srv, the largest 20.0K; the kernel gives it back when memory is asked "
		"for)");
	/* What a file of its own row has is of that. */
	sum.first[SECTION_MOST] = sum.last[SECTION_MOST] = NULL;
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .name = "/srv/a", .charged = "/minio",
		    .pages = { 170, true });
	CHECK(strstr(told(SECTION_MOST), "file /srv/a: 680.0K"));
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
	/* Its name is that of the first of those that are merged. */
	begin(VERDICT_RAN_OUT);
	cache("kmalloc-4k", 400);
	sum.last[SECTION_CACHE]->remark = "and 2 merged (bridge_fdb_cache, uid_cache); 3 objects";
	CHECK(strstr(told(SECTION_MOST),
		     "slab cache kmalloc-4k or one that is merged with it (bridge_fdb_cache, "
		     "uid_cache): 1.6M, 40.0% of RAM"));
}

/* None has a tenth: which is the largest is unknown where another may have more than it is known to. */
static void none_is_the_largest(void)
{
	static const struct {
		bool is_least, lacks_tasks;
		uint64_t missing;
		bool is_unknown;
	} rows[] = { { false, false, 0, false }, { true, false, 0, true },
		     { false, true, 0, true },	 { false, false, 20, false },
		     { false, false, 30, true }, { false, false, 600, true } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(VERDICT_RAN_OUT);
		process("nginx", 1, 60, NULL);
		process("postgres", 2, 40, NULL);
		sum.last[SECTION_GROUP]->is_least = rows[i].is_least;
		sum.tasks_missing = rows[i].lacks_tasks;
		sum.pages_missing = rows[i].missing;
		CHECK_TEXT(told(SECTION_MOST),
			   rows[i].is_unknown ? "unknown: no owner that is known has a tenth of "
						"RAM; how much some have is unknown"
					      : "unknown: no owner that is known has a tenth of "
						"RAM; the largest is nginx (1): 240.0K, 6.0% of "
						"RAM");
	}
	/* Of the others all is known: what it has at least is more. */
	begin(VERDICT_RAN_OUT);
	process("nginx", 1, 60, NULL);
	sum.last[SECTION_GROUP]->is_least = true;
	process("postgres", 2, 40, NULL);
	CHECK(strstr(told(SECTION_MOST), "; the largest is nginx (1): at least 240.0K, "));
}

/* Who has most of what is known is not who has most, where more is unknown than that has. */
static void most_of_what_is_known(void)
{
	for (int part = 0; part < 2; part++) {
		begin(VERDICT_RAN_OUT);
		process("app", 7, 200, NULL);
		sum.pages_missing = part ? 600 : 0;
		sum.asker_pages = (struct maybe_u64){ 200, true };
		CHECK_TEXT(told(SECTION_TRIGGER),
			   part ? "app (7) asked last; it has most of what is known"
				: "app (7) asked last; it is the holder");
		begin(VERDICT_RAN_OUT);
		process("app", 7, 200, NULL);
		process("b", 8, 190, NULL);
		sum.pages_missing = part ? 600 : 0;
		sum.asker_pages = (struct maybe_u64){ 200, true };
		CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; it is one of the holders");
		begin(VERDICT_RAN_OUT);
		list("cgroup", "/app", 300, NULL);
		sum.pages_missing = part ? 600 : 0;
		sum.asker_pages = (struct maybe_u64){ 20, true };
		sum.asker_cgroup = "/app";
		CHECK(strstr(told(SECTION_TRIGGER), part ? "; its cgroup has most of what is known"
							 : "; its cgroup is the holder"));
		CHECK((strncmp(sum.first[SECTION_MOST]->remark, "of what is known: ", 18) == 0) ==
		      (part == 1));
	}
	/* All services are below that one. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/system.slice", 300, NULL);
	sum.pages_missing = 600;
	CHECK_TEXT(told(SECTION_MOST),
		   "unknown; all below it together: cgroup /system.slice: 1.2M, "
		   "30.0% of RAM");
}

/*
 * Of a limit what the largest that is known leaves unexplained may be of one that is not: of a process whose cgroup is
 * unknown, or of files whose pages are. No more than is missing, where that is pages alone.
 */
static void most_of_what_is_known_of_a_limit(void)
{
	static struct process_groups groups = { .lacks_cgroups = true };
	static const struct {
		uint64_t most, missing;
		bool lacks_tasks, lacks_cgroups, is_part;
	} rows[] = { { 200, 0, false, false, false }, { 200, 600, false, false, true },
		     { 200, 0, true, false, true },   { 200, 0, false, true, true },
		     { 300, 600, true, true, false }, { 200, 150, false, false, false } };

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(VERDICT_CGROUP);
		sum.limit_path = "/app";
		sum.limit_pages = 500;
		process("app", 7, rows[i].most, "/app");
		sum.pages_missing = rows[i].missing;
		sum.tasks_missing = rows[i].lacks_tasks;
		sum.groups = rows[i].lacks_cgroups ? &groups : NULL;
		sum.asker_pages = (struct maybe_u64){ rows[i].most, true };
		CHECK_TEXT(told(SECTION_TRIGGER),
			   rows[i].is_part ? "app (7) asked last; it has most of what is known"
					   : "app (7) asked last; it is the holder");
		CHECK(!strncmp(sum.first[SECTION_MOST]->remark,
			       "of what is known: app (7): ", 27) == rows[i].is_part);
	}
}

/* Of a limit of all processes, who uses it: of a part of them the largest need not have most. */
static void a_limit_whose_users_are_known_in_part(void)
{
	for (int part = 0; part < 3; part++) {
		struct summary_case c = { .used.n = 1 };
		struct strbuf b = STRBUF_OF(512);

		begin(VERDICT_NOT_SHORT);
		c.used.all[0] = (struct used_limit){ .setting = "fs.file-max",
						     .noun = "open files",
						     .used = 24006,
						     .limit = 24000,
						     .counts = LIMIT_COUNTS_FILES };
		c.limit_users[0].n = 1;
		c.limit_users[0].all[0] = (struct limit_user){
			.comm = "init", .tgid = 1, .processes = 1, .n = part == 2 ? 20000 : 33
		};
		c.limit_users[0].problem = part ? "a page is not in this dump" : NULL;
		sum.of_case = &c;
		summary_limits(&sum);
		CHECK(sum.first[SECTION_LIMIT]);
		summary_limit(sum.first[SECTION_LIMIT], &b);
		CHECK_TEXT(b.buf,
			   part == 1   ? "fs.file-max: who uses it is unknown; of those that are "
					 "known init (1) has most: at least 33 open files; in all "
					 "24,006 of a limit of 24,000 are used"
			   : part == 2 ? "fs.file-max is used by init (1): at least 20,000 open "
					 "files; in all 24,006 of a limit of 24,000 are used"
				       : "fs.file-max is used by init (1): 33 open files; in all "
					 "24,006 of a limit of 24,000 are used");
		CHECK(sum.first[SECTION_LIMIT]->pid.known == (part != 1));
	}
}

TESTS({ "page cache of a cgroup", page_cache }, { "most of what is known", most_of_what_is_known },
      { "most of what is known of a limit", most_of_what_is_known_of_a_limit },
      { "a limit whose users are known in part", a_limit_whose_users_are_known_in_part },
      { "none is the largest", none_is_the_largest }, { "without names", without_names },
      { "slabs of unknown caches", unknown_caches }, { "of unknown cgroups", unknown_cgroups },
      { "lower bounds", lower_bounds }, { "lists and roots", lists_and_roots })
