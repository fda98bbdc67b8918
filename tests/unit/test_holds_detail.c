// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most of what ran out: what is told beside its size. */
#include "holds_most.h"

#include "memory/cgroups.h"
#include "memowner/claim_kinds.h"
#include "memowner/groups.h"

static void what_another_one_does_not_read(void)
{
	begin(VERDICT_RAN_OUT);
	process("redis", 139, 600, NULL);
	sum.last[SECTION_GROUP]->unread = "auditor (177) does not read what redis sends to it";
	CHECK_TEXT(
		told(SECTION_MOST),
		"redis (139): 2.3M, 60.0% of RAM (auditor (177) does not read what redis sends to it)");
	/* Its clients are more than that one. */
	sum.last[SECTION_GROUP]->clients = "its clients are auditor (177) and cartd (185)";
	CHECK(!strstr(told(SECTION_MOST), "its clients"));
	/* Of sockets. */
	begin(VERDICT_RAN_OUT);
	list("held", "watch (117)", 600, NULL);
	sum.last[SECTION_HOLDER]->brief = "sockets 2.3M";
	sum.last[SECTION_HOLDER]->wait = "watch (117) waits on a unix socket for polld (90)";
	CHECK_TEXT(told(SECTION_MOST),
		   "watch (117): 2.3M, 60.0% of RAM (sockets 2.3M; watch (117) waits on a unix "
		   "socket for polld (90))");
}

/* Its row and the line of the holder have one size: 23,104 pages and 960 bytes. */
static void one_size_of_what_pointers_lead_to(void)
{
	begin(VERDICT_RAN_OUT);
	sum.ram_pages = 61312;
	cache("kmalloc-4k", 24000);
	root("vnp_adapter [vnpool]", "vnpool", 23104);
	sum.last[SECTION_CANDIDATE]->bytes = (struct maybe_u64){ 94634944, true };
	CHECK(strstr(told(SECTION_MOST), "module vnpool: 90.3M, 37.7% of RAM (by pointers from "));
}

static void segments_that_no_process_has_attached(void)
{
	begin(VERDICT_RAN_OUT);
	list("sysv_shm", "6 segments of SysV shared memory that no process has attached", 400,
	     NULL);
	list("tmpfs", "[tmpfs, not mounted]", 200, NULL);
	CHECK_TEXT(
		told(SECTION_MOST),
		"6 segments of SysV shared memory that no process has attached: 1.6M, 40.0% of RAM");
}

/* What no process maps and a cgroup without one is charged for is one memory, and its row is told once as such. */
static void unmapped_of_a_cgroup(void)
{
	for (unsigned int processes = 0; processes < 2; processes++) {
		begin(VERDICT_RAN_OUT);
		sum.unmapped_anon = 400;
		list("cgroup", "/vision", 402, NULL);
		sum.last[SECTION_HOLDER]->processes = (struct maybe_u64){ processes, true };
		CHECK(!strstr(told(SECTION_MOST),
			      "mostly the same memory: anonymous pages that no") ==
		      (processes != 0));
	}
}

/* By the counters of the cgroup, which have what is mapped, nearly all of it is charged there: that is told with it. */
static void unmapped_that_is_charged(void)
{
	static uint64_t counts[CGROUP_STATS];
	static bool known[CGROUP_STATS];
	struct memcg_counts vision = { .path = "/vision", .counts = counts, .known = known };

	for (unsigned int anon = 0; anon <= 300; anon += 300) {
		begin(VERDICT_RAN_OUT);
		sum.unmapped_anon = 400;
		list("cgroup", "/vision", 402, NULL);
		sum.last[SECTION_HOLDER]->processes = (struct maybe_u64){ 2, true };
		vision.known[STAT_ANON] = vision.known[STAT_FILE] = vision.known[STAT_KERNEL] =
			true;
		vision.counts[STAT_ANON] = anon;
		sum.memcgs = &vision;
		told(SECTION_MOST);
		CHECK(!strstr(told(SECTION_MOST), "charged to /vision") == (anon != 0));
		CHECK(!strstr(told(SECTION_MOST), "cgroup /vision") == (anon == 0));
	}
	sum.memcgs = NULL;
}

/* Who has lists of it is told in its place; what processes map is not theirs, and no class has it twice. */
static void pinned_by_lists(void)
{
	begin(VERDICT_RAN_OUT);
	sum.unmapped_anon = 400;
	class("anon", 780);
	process("shard-db", 5, 390, NULL);
	root("rnic_mrs [rnic]", "rnic", 390);
	sum.last[SECTION_CANDIDATE]->memory = CLAIM_PINNED;
	sum.last[SECTION_CANDIDATE]->pinned = 390;
	sum.last[SECTION_CANDIDATE]->remark =
		"5 lists of page pointers of rnic_mrs [rnic] name 390";
	CHECK_TEXT(told(SECTION_MOST),
		   "shard-db (5): 1.5M, 39.0% of RAM; and module rnic: 1.5M, 39.0% of RAM (5 lists "
		   "of page pointers of rnic_mrs [rnic] name 390; inferred, confidence 99.7%); "
		   "neither is much larger");
}

/* What frees it goes with the row of who has it, and with none that is told by its parts. */
static void release(void)
{
	begin(VERDICT_RAN_OUT);
	list("tmpfs", "/srv", 400, NULL);
	sum.last[SECTION_HOLDER]->release = "removing files of /srv";
	told(SECTION_MOST);
	CHECK(has_release);
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	sum.last[SECTION_GROUP]->hold = "oom_score_adj -950";
	CHECK_TEXT(told(SECTION_MOST), "a (1): 1.6M, 40.0% of RAM (oom_score_adj -950)");
	CHECK(!has_release);
	/* Of several the end of one frees a part alone. */
	begin(VERDICT_RAN_OUT);
	summary_name_several(
		&sum, summary_held_of(&sum, 1U << CLASS_PGTABLE, "mapper", 258, 400, NULL, NULL),
		93);
	CHECK_TEXT(sum.last[SECTION_HOLDER]->release, "the end of these processes");
}

/* Beside kernel objects of many caches: the innermost cgroup that is charged for most of what cgroups are. */
static void kernel_memory_of_a_cgroup(void)
{
	uint64_t counts[4][CGROUP_STATS] = { { [STAT_KERNEL] = 460 },
					     { [STAT_KERNEL] = 310 },
					     { [STAT_KERNEL] = 300 },
					     { [STAT_KERNEL] = 117 } };
	bool known[CGROUP_STATS] = { [STAT_KERNEL] = true }, unknown[CGROUP_STATS] = { 0 };
	struct memcg_counts all[4] = { { .path = "/" },
				       { .parent = &all[0], .path = "/system" },
				       { .parent = &all[1], .path = "/system/ci" },
				       { .parent = &all[2], .path = "/system/ci/one" } };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		all[i].counts = counts[i];
		all[i].known = known;
		all[i].next = i + 1 < ARRAY_SIZE(all) ? &all[i + 1] : NULL;
	}
	for (unsigned int is_known = 0; is_known < 2; is_known++) {
		begin(VERDICT_RAN_OUT);
		class("slab", 466);
		sum.memcgs = all;
		for (size_t i = 0; i < ARRAY_SIZE(all); i++)
			all[i].known = is_known ? known : unknown;
		CHECK(!strstr(told(SECTION_MOST),
			      "(no owner of most of it is known; cgroup "
			      "/system/ci is charged 1.2M of kernel memory)") == !is_known);
	}
	/* A part of it. */
	counts[1][STAT_KERNEL] = counts[2][STAT_KERNEL] = counts[3][STAT_KERNEL] = 100;
	begin(VERDICT_RAN_OUT);
	class("slab", 466);
	sum.memcgs = all;
	CHECK(!strstr(told(SECTION_MOST), "is charged"));
}

/* Beyond memory.high it is a part of what there is. */
static void beyond_high(void)
{
	begin(VERDICT_HIGH);
	sum.limit_path = "/full";
	sum.limit_pages = 16;
	sum.limit_usage = (struct maybe_u64){ 1500, true };
	process("limited", 7, 10, "/full");
	list("tmpfs", "/srv", 1400, "/full");
	CHECK(strstr(told(SECTION_MOST), "tmpfs /srv: 5.5M, 93.3% of its 5.9M"));
}

/* What KSM merged is told once, and of no process. */
static void merged_pages(void)
{
	begin(VERDICT_RAN_OUT);
	list("ksm", "KSM pages, shared by 2 processes: qemu-a (5), qemu-b (6)", 400, NULL);
	process("qemu-a", 5, 350, NULL);
	sum.last[SECTION_GROUP]->merged = 400;
	sum.last[SECTION_GROUP]->counted = (struct maybe_u64){ 750, true };
	CHECK_TEXT(told(SECTION_MOST),
		   "KSM pages, shared by 2 processes: qemu-a (5), qemu-b (6): 1.6M, 40.0% of RAM; "
		   "and qemu-a (5): 1.4M, 35.0% of RAM (1.6M of the 2.9M that it counts is KSM "
		   "pages, which others share); neither is much larger");
}

/* What processes have more of does not hide it, nor does a cgroup. */
static void an_owner_behind_a_cgroup(void)
{
	struct strbuf b = STRBUF_OF(256);

	begin(VERDICT_NOT_SHORT);
	process("db", 5, 430, NULL);
	list("cgroup", "/system.slice", 440, NULL);
	root("ring [drv]", "drv", 230);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 920.0K, 23.0% of RAM, is kept by module drv");
	CHECK(!strncmp(told(SECTION_MOST), "module drv: 920.0K", 18));
}

/* Of many caches, or of pages of no list. */
static void a_class_without_an_owner(void)
{
	struct strbuf b = STRBUF_OF(256);

	begin(VERDICT_NOT_SHORT);
	class("slab", 260);
	cache("dentry", 70);
	cache("filp", 60);
	process("db", 5, 430, NULL);
	summary_add_hoarder(&sum, &b);
	CHECK_TEXT(b.buf, ", but 1.0M, 26.0% of RAM, is in kernel objects (slab), of no one owner "
			  "that is known");
	CHECK(!strncmp(told(SECTION_MOST), "kernel objects (slab): 1.0M, 26.0%", 30));
	begin(VERDICT_NOT_SHORT);
	class("slab", 240);
	CHECK_TEXT(told(SECTION_MOST), "");
	/* Who has a part of it comes first. */
	begin(VERDICT_NOT_SHORT);
	class("direct", 460);
	class("slab", 300);
	root("ring [drv]", "drv", 210);
	CHECK(!strncmp(told(SECTION_MOST), "module drv: 840.0K", 18));
}

/* Huge pages that lie free are no finding, and what is used of them may be on purpose. */
static void a_pool_that_is_used_up(void)
{
	for (unsigned int used_up = 0; used_up < 2; used_up++) {
		struct strbuf b = STRBUF_OF(256);

		begin(VERDICT_NOT_SHORT);
		list("hugetlb", "2.0M pages", 230, NULL);
		sum.last[SECTION_HOLDER]->is_used_up = used_up;
		summary_add_hoarder(&sum, &b);
		CHECK_TEXT(b.buf,
			   used_up ? ", but 920.0K, 23.0% of RAM, is kept by hugetlb pool of "
				     "2.0M pages, of which none is free"
				   : "");
	}
}

/* What no process counts is not said to be of processes. */
static void of_ended_processes(void)
{
	for (int i = 0; i < 3; i++) {
		begin(VERDICT_RAN_OUT);
		class("anon", 500);
		process("a", 1, 100, NULL);
		sum.has_tasks = true;
		sum.processes_anon = 100;
		sum.orphan_anon = i ? 390 : 0;
		sum.orphans_by = i == 2 ? "module gpu: what it keeps points to 60 of them" : NULL;
		sum.mms = 3;
		sum.mm_objects = 70;
		CHECK_TEXT(
			told(SECTION_MOST),
			i == 2 ? "anonymous memory that no process there is has: 1.6M, 40.0% of "
				 "RAM (all processes together count 400.0K; something holds the "
				 "address spaces of processes that have ended: up to 67 of 70 "
				 "mm_structs in use are of no process; module gpu: what it keeps "
				 "points to 60 of them)"
			: i ? "anonymous memory that no process there is has: 1.6M, 40.0% of RAM (all "
			      "processes together count 400.0K; something holds the address spaces of "
			      "processes that have ended: up to 67 of 70 mm_structs in use are of no "
			      "process)"
			    : "anonymous memory of several processes: 1.6M, 40.0% of RAM");
	}
}

/* Whose counters have it, less what its processes there have. */
static void cgroup_of_ended_processes(void)
{
	static struct process_groups groups;
	bool known[2][STAT_ANON + 1] = { 0 };
	uint64_t counts[2][STAT_ANON + 1] = { 0 };
	struct memcg_counts pool = { .path = "/a/pool", .known = known[0], .counts = counts[0] };
	struct memcg_counts above = {
		.next = &pool, .path = "/a", .known = known[1], .counts = counts[1]
	};

	begin(VERDICT_RAN_OUT);
	groups_open(&sum, &groups);
	sum.groups = &groups;
	groups_add(&groups,
		   &(struct task){ .pid = 1,
				   .tgid = 1,
				   .has_mm = true,
				   .has_memory = true,
				   .mm = 4096,
				   .rss_anon = 100,
				   .comm = "a" },
		   "/a/pool");
	sum.memcgs = &above;
	sum.orphan_anon = 390;
	above.known[STAT_ANON] = pool.known[STAT_ANON] = true;
	above.counts[STAT_ANON] = 500;
	pool.counts[STAT_ANON] = 490;
	CHECK_TEXT(claim_orphans_in(&sum), "/a/pool");
	pool.counts[STAT_ANON] = 390;
	CHECK_TEXT(claim_orphans_in(&sum), "/a");
	above.known[STAT_ANON] = false;
	CHECK(!claim_orphans_in(&sum));
	above.known[STAT_ANON] = true;
	above.path = "/";
	CHECK(!claim_orphans_in(&sum));
	sum.orphan_anon = 0;
	CHECK(!claim_orphans_in(&sum));
	sum.groups = NULL;
	sum.memcgs = NULL;
}

/* Who takes a core dump into memory grows with it; who dumps has what it ever had. */
static void core_dump(void)
{
	for (unsigned int little = 0; little < 2; little++) {
		begin(VERDICT_RAN_OUT);
		process("db", 5, 400, NULL);
		sum.last[SECTION_GROUP]->fate = "dumping core (SIGSEGV), piped to save (9)";
		process("save", 9, little ? 50 : 250, NULL);
		sum.last[SECTION_GROUP]->fate = "reads the core dump of db (5)";
		sum.last[SECTION_GROUP]->core_of = 5;
		sum.core_pattern = "|/bin/save %p";
		CHECK_TEXT(told(SECTION_MOST),
			   little ? "db (5): 1.6M, 40.0% of RAM (dumping core (SIGSEGV), piped to "
				    "save (9))"
				  : "save (9): 1000.0K, 25.0% of RAM (reads the core dump of db "
				    "(5)); and db (5): 1.6M, 40.0% of RAM (dumping core (SIGSEGV), "
				    "piped to save (9)); one cause: a core dump that is read, "
				    "kernel.core_pattern is |/bin/save %p");
		sum.core_pattern = NULL;
	}
}

/* Of a file that others are charged for, too, what the cgroup is. */
static void charged_in_part(void)
{
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .name = "/srv/ring", .charged = "/shop",
		    .is_mixed = true, .charged_pages = 150, .pages = { 160, true });
	CHECK_TEXT(told(SECTION_MOST),
		   "file /srv/ring: 600.0K of its 640.0K, 75.0% of the limit (users unknown)");
	/* Of all of RAM it is all of them. */
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .name = "/srv/ring", .charged = "/shop",
		    .is_mixed = true, .charged_pages = 390, .pages = { 400, true });
	CHECK(strstr(told(SECTION_MOST), "file /srv/ring: 1.6M, 40.0% of RAM"));
}

/* Of several processes one has nearly all, a part of it from fork: its own is what it grew by. */
static void what_fork_shares(void)
{
	struct statement *g;

	begin(VERDICT_RAN_OUT);
	process("renderd", 247, 620, NULL);
	g = sum.last[SECTION_GROUP];
	g->processes.n = 7;
	g->pid.known = false;
	g->most_pid = (struct maybe_u64){ 247, true };
	g->most_pages = 600;
	SUMMARY_ADD(&sum, .section = SECTION_PROCESS, .pid = { 247, true }, .comm = "renderd",
		    .has_mm = true, .has_parts = true, .rss_anon = 600, .rss = 600, .shared = 140);
	CHECK_TEXT(told(SECTION_MOST),
		   "renderd (247): 2.3M, 60.0% of RAM (560.0K of it shared by fork, its own 1.8M; "
		   "of 2.4M of 7 processes renderd)");
}

/* Kernel memory of a cgroup at its limit: a cache that may be half of it, and how a task leads to that. */
static void what_fills_a_limit(void)
{
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	sum.limit_kernel = (struct maybe_u64){ 150, true };
	process("app", 7, 40, "/shop");
	SUMMARY_ADD(&sum, .section = SECTION_CACHE, .name = "kmalloc-cg-4k",
		    .pages = { 100, true });
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "root", .pages = { 120, true },
		    .remark = "task 7(app) reached from init_stack -> files_cache -> kmalloc-cg-4k",
		    .confidence = { 1000, true });
	CHECK_TEXT(told(SECTION_MOST),
		   "kernel objects that are charged to it: 600.0K, 75.0% of the limit (slab cache "
		   "kmalloc-cg-4k has 400.0K; by pointers 480.0K of it from task 7(app) -> "
		   "files_cache -> kmalloc-cg-4k, confidence of the owner 100.0%)");
}

TESTS({ "kernel memory that fills a limit", what_fills_a_limit },
      { "the cgroup of processes that have ended", cgroup_of_ended_processes },
      { "what fork shares", what_fork_shares },
      { "a file that several are charged for", charged_in_part },
      { "kernel memory of a cgroup beside slab", kernel_memory_of_a_cgroup },
      { "memory of processes that lists name", pinned_by_lists },
      { "anonymous memory of processes that have ended", of_ended_processes },
      { "a class without an owner", a_class_without_an_owner },
      { "an owner in the kernel behind a cgroup", an_owner_behind_a_cgroup },
      { "a pool of huge pages that is used up", a_pool_that_is_used_up },
      { "pages that KSM merged", merged_pages },
      { "memory of a cgroup that no process maps", unmapped_of_a_cgroup },
      { "what no process maps, charged to a cgroup with processes", unmapped_that_is_charged },
      { "what frees it", release }, { "beyond memory.high", beyond_high },
      { "what another one does not read", what_another_one_does_not_read },
      { "one size of what pointers lead to", one_size_of_what_pointers_lead_to },
      { "segments that no process has attached", segments_that_no_process_has_attached },
      { "a core dump that is read", core_dump })
