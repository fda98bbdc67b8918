// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most of what ran out, and who asked last: sentences beside the verdict. */
#include "holds_most.h"

static void one_leads(void)
{
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	process("b", 2, 290, NULL);
	CHECK_TEXT(told(SECTION_MOST), "a (1): 1.6M, 40.0% of RAM");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	process("b", 2, 300, NULL);
	CHECK(strstr(
		told(SECTION_MOST),
		"a (1): 1.6M, 40.0% of RAM; and b (2): 1.2M, 30.0% of RAM; neither is much larger"));
	/* What is in swap counts. */
	begin(VERDICT_RAN_OUT);
	process("a", 1, 100, NULL);
	process("b", 2, 120, NULL);
	sum.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 0, true };
	sum.first[SECTION_GROUP]->swapped = (struct maybe_u64){ 256, true };
	CHECK_TEXT(told(SECTION_MOST), "a (1): 400.0K, 10.0% of RAM, and 1.0M in swap");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 99, NULL);
	CHECK(strstr(told(SECTION_MOST),
		     "unknown: no owner that is known has a tenth of RAM; the largest is a (1)"));
	begin(VERDICT_UNKNOWN);
	process("a", 1, 400, NULL);
	CHECK_TEXT(told(SECTION_MOST), "");
}

/* Of rows of the same memory the one that says most, of what has an owner and what has none the larger. */
static void same_memory(void)
{
	static const struct {
		const char *way, *from;
	} ways[] = {
		{ "timer_bases -> kmalloc-8 -> struct engine (kmalloc-192) with work reap [drv] -> list of kmalloc-2k",
		  "struct engine (kmalloc-192) with work reap [drv]" },
		{ "napi_hash -> kmalloc-4k naming ops [drv] of device drv0 and its private struct a -> vmalloc",
		  "kmalloc-4k naming ops [drv] of device drv0" },
		{ "timer_bases -> list of kmalloc-2k naming done [drv]", "timer_bases" },
		{ "timer_bases -> kmalloc-2k naming done [drv]", "timer_bases" },
		{ "timer_bases -> kmalloc-2k naming done [drv2] -> kmalloc-64", "timer_bases" },
		{ "timer_bases -> list of kmalloc-2k naming done [drv] -> vmalloc",
		  "kmalloc-2k naming done [drv]" },
		{ "ring [drv] -> kmalloc-2k naming done [drv] -> vmalloc", "ring [drv]" },
	};
	char expected[256];

	begin(VERDICT_RAN_OUT);
	cache("kmalloc-4k", 450);
	root("init_ipc_ns", NULL, 445);
	list("sysv_msg", "last message sent by a[1]", 420, NULL);
	process("b", 2, 300, NULL);
	CHECK_TEXT(told(SECTION_MOST),
		   "System V message queues, last message sent by a[1]: 1.6M, 42.0% of RAM");
	begin(VERDICT_RAN_OUT);
	cache("kmalloc-2k", 400);
	root("ring [drv]", "drv", 390);
	CHECK_TEXT(
		told(SECTION_MOST),
		"module drv: 1.5M, 39.0% of RAM (by pointers from ring [drv], confidence of the owner 99.7%)");
	/* A list of vmlinux's leads to what the module has; unless these are all of it. */
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		begin(VERDICT_RAN_OUT);
		cache("kmalloc-2k", 400);
		root(ways[i].way, "drv", 390);
		snprintf(
			expected, sizeof(expected),
			"module drv: 1.5M, 39.0%% of RAM (by pointers from %s, confidence of the owner 99.7%%)",
			ways[i].from);
		CHECK_TEXT(told(SECTION_MOST), expected);
	}
	/* A part of a cache is not who has it. */
	begin(VERDICT_RAN_OUT);
	cache("kmalloc-2k", 400);
	root("ring [drv]", "drv", 300);
	CHECK(strstr(told(SECTION_MOST),
		     "slab cache kmalloc-2k: 1.6M, 40.0% of RAM (who has its objects is unknown; "
		     "module drv has 1.2M by pointers)"));
	begin(VERDICT_RAN_OUT);
	class("direct", 500);
	list("ftrace", "trace", 150, NULL);
	process("a", 1, 200, NULL);
	CHECK_TEXT(told(SECTION_MOST),
		   "direct pages of which nothing recorded who has them: 1.4M, 35.0% of RAM");
	begin(VERDICT_RAN_OUT);
	class("direct", 500);
	list("ftrace", "trace", 150, NULL);
	process("a", 1, 300, NULL);
	sum.counted_pages = 250;
	CHECK(strstr(told(SECTION_MOST), "a (1): 1.2M, 30.0% of RAM; and direct pages"));
}

/* Files that a process locked are its, whoever is charged for them. */
static void charges(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/guest", 450, NULL);
	list("held", "locker (5)", 400, "/guest");
	sum.last[SECTION_HOLDER]->memory = 1U << CLASS_FILE;
	process("b", 2, 290, "/b");
	CHECK_TEXT(told(SECTION_MOST), "locker (5): 1.6M, 40.0% of RAM (charged to cgroup /guest)");
	/* Many small ones of one cgroup. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/jobs", 600, NULL);
	process("a", 1, 100, "/jobs");
	process("b", 2, 90, "/jobs");
	CHECK(strstr(told(SECTION_MOST),
		     "cgroup /jobs: 2.3M, 60.0% of RAM (the largest a (1): 400.0K)"));
	/* What is too small to be told is in the figure of its row. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/jobs", 600, NULL);
	process("a", 1, 30, "/jobs");
	CHECK_TEXT(told(SECTION_MOST), "cgroup /jobs: 2.3M, 60.0% of RAM");
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/jobs", 600, NULL);
	process("a", 1, 200, "/jobs");
	CHECK_TEXT(told(SECTION_MOST), "cgroup /jobs: 1.6M, 40.0% of RAM (2.3M with what rows "
				       "of its own have)");
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	list("cgroup", "/shop", 200, NULL);
	list("tmpfs", "/srv", 110, "/shop");
	process("app", 7, 85, "/shop");
	process("big", 9, 700, "/other");
	CHECK_TEXT(
		told(SECTION_MOST),
		"tmpfs /srv: 440.0K, 55.0% of the limit; and app (7) of shop: 340.0K, 42.5% of the limit; neither is much larger");
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	sum.limit_kernel = (struct maybe_u64){ 150, true };
	process("app", 7, 40, "/shop");
	CHECK_TEXT(told(SECTION_MOST),
		   "kernel objects that are charged to it: 600.0K, 75.0% of the limit");
}

/* A list of users, a process that holds what a cgroup is charged for, one memory by two names. */
static void names(void)
{
	static const uint32_t starts[] = { 0, 22 };
	static const struct text_list flight = { "in flight to 5(work)", 1, 0, false, starts };

	begin(VERDICT_RAN_OUT);
	list("sockets", "in flight to 5(work)", 500, NULL);
	sum.last[SECTION_HOLDER]->used_by = &flight;
	CHECK_TEXT(told(SECTION_MOST),
		   "sockets passed to work (5) and not received: 2.0M, 50.0% of RAM");
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	sum.limit_kernel = (struct maybe_u64){ 190, true };
	sum.asker_cgroup = "/shop";
	sum.asker_held = (struct maybe_u64){ 180, true };
	CHECK_TEXT(told(SECTION_MOST),
		   "kernel objects that are charged to it: 760.0K, 95.0% of the limit "
		   "(app (7) holds 720.0K of kernel memory)");
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/ci", 670, NULL);
	list("tmpfs", "/srv", 660, NULL);
	CHECK_TEXT(
		told(SECTION_MOST),
		"cgroup /ci: 2.6M, 67.0% of RAM; mostly the same memory: tmpfs /srv: 2.6M, 66.0% of RAM");
	begin(VERDICT_RAN_OUT);
	list("zram", "zram0", 450, NULL);
	sum.last[SECTION_HOLDER]->comm = "a";
	sum.last[SECTION_HOLDER]->pid = (struct maybe_u64){ 1, true };
	process("a", 1, 10, NULL);
	sum.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 430, true };
	CHECK(strstr(told(SECTION_MOST),
		     "; mostly the same memory: a (1): 40.0K, 1.0% of RAM, and"));
	begin(VERDICT_RAN_OUT);
	list("zram", "zram0", 450, NULL);
	process("a", 1, 10, NULL);
	sum.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 430, true };
	CHECK(strstr(told(SECTION_MOST), "; a part may be the same memory"));
}

/* What can be moved is no reason that a block is missing. */
static void blocks(void)
{
	begin(VERDICT_NO_BLOCK);
	process("a", 1, 500, NULL);
	list("held", "mux (5)", 300, NULL);
	CHECK_TEXT(told(SECTION_MOST), "mux (5): 1.2M that cannot be moved, 30.0% of RAM; such "
				       "pages keep the blocks that they are in from being free");
	/* A page in each block is little of RAM, and much of what cannot be moved. */
	for (int i = 0; i < 2; i++) {
		uint64_t classes[PAGE_CLASSES] = {
			[CLASS_DIRECT] = 80, [CLASS_SLAB] = i ? 220 : 30, [CLASS_ANON] = 500
		};

		begin(VERDICT_NO_BLOCK);
		sum.classes = classes;
		process("a", 1, 500, NULL);
		root("history [drv]", "drv", 70);
		CHECK_TEXT(
			told(SECTION_MOST),
			i ? "unknown: no owner that is known has much of what cannot be moved; "
			    "the largest is module drv: 280.0K that cannot be moved, 7.0% of RAM (by "
			    "pointers from history [drv], confidence of the owner 99.7%)"
			  : "module drv: 280.0K that cannot be moved, 7.0% of RAM (by pointers "
			    "from history [drv], confidence of the owner 99.7%); such pages "
			    "keep the blocks that they are in from being free");
	}
}

static void killed(void)
{
	begin(VERDICT_RAN_OUT);
	oom.outcome = OOM_KILLED;
	oom.victim = (struct oom_victim){
		.has_comm = true, .comm = "hog", .pid = { true, 70 }, .anon_rss_kib = { true, 2000 }
	};
	process("a", 1, 200, NULL);
	CHECK_TEXT(
		told(SECTION_MOST),
		"hog (70), which the OOM killer killed: 2.0M, 50.0% of RAM (when it was killed)");
	/* It is still there. */
	begin(VERDICT_RAN_OUT);
	oom.outcome = OOM_KILLED;
	oom.victim = (struct oom_victim){
		.has_comm = true, .comm = "a", .pid = { true, 1 }, .anon_rss_kib = { true, 2000 }
	};
	process("a", 1, 200, NULL);
	CHECK(strstr(told(SECTION_MOST), "a (1): 800.0K"));
}

/* Of many caches none says who has them: all of them together have most. */
static void kernel_objects(void)
{
	begin(VERDICT_RAN_OUT);
	class("slab", 466);
	cache("kmalloc-cg-4k", 71);
	process("kubelet", 104, 212, "/kubelet");
	list("cgroup", "/cni", 170, NULL);
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "kernel",
		    .name = "network namespaces", .brief = "417 network namespaces");
	CHECK_TEXT(
		told(SECTION_MOST),
		"kernel objects (slab): 1.8M, 46.6% of RAM (no owner of most of it is known; "
		"417 network namespaces have objects in many caches: candidate, low confidence)");
	begin(VERDICT_RAN_OUT);
	class("slab", 466);
	SUMMARY_ADD(&sum, .section = SECTION_CANDIDATE, .by = "kernel",
		    .name = "network namespaces", .brief = "417 network namespaces",
		    .kept_by = "files of 416 of them are open in cnid (108)");
	CHECK(strstr(told(SECTION_MOST),
		     "417 network namespaces have objects in many caches, files of 416 of them are "
		     "open in cnid (108): candidate, low confidence"));
	/* One cache, an owner of most of it, and a share that is not high say more, or nothing. */
	begin(VERDICT_RAN_OUT);
	class("slab", 466);
	cache("fib6", 300);
	CHECK(strstr(told(SECTION_MOST), "slab cache fib6: "));
	begin(VERDICT_RAN_OUT);
	class("slab", 466);
	list("sockets", "a (1)", 250, NULL);
	CHECK_TEXT(told(SECTION_MOST), "sockets of a (1): 1000.0K, 25.0% of RAM");
	begin(VERDICT_RAN_OUT);
	class("slab", 240);
	process("a", 1, 212, NULL);
	CHECK_TEXT(told(SECTION_MOST), "a (1): 848.0K, 21.2% of RAM");
}

/* What several of one cgroup have together is its, where none of them has most of that. */
static void families(void)
{
	begin(VERDICT_RAN_OUT);
	class("anon", 603);
	list("cgroup", "/indexd", 605, NULL);
	sum.last[SECTION_HOLDER]->brief = "6 processes";
	sum.last[SECTION_HOLDER]->remark = "6 processes, limit 4.0M";
	process("indexd-shard0", 169, 125, "/indexd");
	process("indexd-shard1", 170, 125, "/indexd");
	process("indexd-shard2", 171, 124, "/indexd");
	CHECK_TEXT(
		told(SECTION_MOST),
		"cgroup /indexd: 2.4M, 60.5% of RAM (6 processes; the largest indexd-shard0 (169): "
		"500.0K)");
	/* Beside it one that has nearly as much. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/indexd", 405, NULL);
	process("indexd-shard0", 169, 125, "/indexd");
	process("indexd-shard1", 170, 125, "/indexd");
	process("gateway", 164, 380, NULL);
	CHECK(strstr(
		told(SECTION_MOST),
		"cgroup /indexd: 1.6M, 40.5% of RAM (the largest indexd-shard0 (169): 500.0K); "
		"and gateway (164): 1.5M"));
	/* One of them has most. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/indexd", 405, NULL);
	process("indexd", 169, 300, "/indexd");
	process("indexd-shard1", 170, 100, "/indexd");
	CHECK_TEXT(told(SECTION_MOST), "indexd (169): 1.2M, 30.0% of RAM");
}

static void processes(const char *comm, uint64_t n, uint64_t pages, int most, uint64_t of_it)
{
	SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = comm, .cgroup = "/db",
		    .pages = { pages, true }, .processes = { n, true },
		    .most_pid = { (uint64_t)most, true }, .most_pages = of_it);
}

/* Which of several processes of one name; one that asked is not all of them. */
static void of_one_name(void)
{
	begin(VERDICT_RAN_OUT);
	processes("postgres", 13, 400, 442, 330);
	CHECK_TEXT(told(SECTION_MOST), "postgres (442) of db: 1.3M, 33.0% of RAM (of 1.6M of 13 "
				       "processes postgres)");
	begin(VERDICT_RAN_OUT);
	processes("postgres", 13, 400, 442, 319);
	sum.first[SECTION_GROUP]->forked = "1.2M are private";
	CHECK_TEXT(told(SECTION_MOST), "13 processes postgres of db: 1.6M, 40.0% of RAM (the "
				       "largest postgres (442): 1.2M; 1.2M are private)");
	for (int i = 0; i < 3; i++) {
		static const struct {
			uint64_t of_it;
			int most;
			const char *text;
		} cases[] = {
			{ 330, 442, "app (7) asked last; it has only 80.0K of anonymous memory" },
			{ 330, 7, "app (7) asked last; it is the holder" },
			{ 200, 442,
			  "app (7) asked last; it is one of these processes; it has 80.0K of anonymous memory" },
		};

		begin(VERDICT_RAN_OUT);
		processes("app", 13, 400, cases[i].most, cases[i].of_it);
		sum.asker_pages = (struct maybe_u64){ 20, true };
		sum.asker_tgid = 7;
		CHECK_TEXT(told(SECTION_TRIGGER), cases[i].text);
	}
	/* What is in swap is no share of RAM. */
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 250, true };
	sum.asker_swap = 100;
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last and has 600.0K of anonymous memory, 15.0% of RAM, and 400.0K in swap");
}

/* Buffers of io_uring are anonymous memory of nobody else. */
static void pinned(void)
{
	begin(VERDICT_RAN_OUT);
	class("anon", 613);
	list("held", "ingestd (121)", 376, NULL);
	sum.last[SECTION_HOLDER]->pinned = 375;
	process("catalog", 117, 219, "/catalog");
	CHECK_TEXT(told(SECTION_MOST), "ingestd (121): 1.5M, 37.6% of RAM");
	/* It maps them, too. */
	begin(VERDICT_RAN_OUT);
	list("held", "ingestd (121)", 376, NULL);
	sum.last[SECTION_HOLDER]->pinned = 375;
	sum.last[SECTION_HOLDER]->pid = (struct maybe_u64){ 121, true };
	process("ingestd", 121, 380, NULL);
	CHECK_TEXT(told(SECTION_MOST), "ingestd (121): 1.5M, 38.0% of RAM");
}

static void granted(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/db", 441, NULL);
	sum.last[SECTION_HOLDER]->granted = "memory.low of 1.8M, limit 2.0M";
	process("ledgerdb", 95, 440, "/db");
	process("feedsyncd", 104, 200, "/feed");
	CHECK_TEXT(told(SECTION_MOST), "ledgerdb (95) of db: 1.7M, 44.0% of RAM (its cgroup has "
				       "memory.low of 1.8M, limit 2.0M)");
	/* It has no more than it was granted: who has most beside it. */
	for (int i = 0; i < 2; i++) {
		const uint64_t pages = i ? 90 : 200;

		begin(VERDICT_RAN_OUT);
		list("cgroup", "/db", 441, NULL);
		sum.last[SECTION_HOLDER]->granted = "memory.low of 1.8M, limit 2.0M";
		sum.last[SECTION_HOLDER]->is_within_grant = true;
		process("ledgerdb", 95, 440, "/db");
		process("feedsyncd", 104, pages, "/feed");
		CHECK_TEXT(
			told(SECTION_MOST),
			pages == 200
				? "ledgerdb (95) of db: 1.7M, 44.0% of RAM (its cgroup stays within "
				  "memory.low of 1.8M, limit 2.0M); of what was not granted most is "
				  "in feedsyncd (104) of feed: 800.0K, 20.0% of RAM"
				: "ledgerdb (95) of db: 1.7M, 44.0% of RAM (its cgroup stays within "
				  "memory.low of 1.8M, limit 2.0M)");
	}
}

/* Why the page cache of a cgroup was not dropped. */
static void protected(void)
{
	begin(VERDICT_CGROUP);
	sum.limit_path = "/shop";
	sum.limit_pages = 200;
	list("cgroup", "/shop/db", 130, NULL);
	sum.last[SECTION_HOLDER]->protection =
		"memory.min of 560.0K protects all of it from reclaim";
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .name = "/db", .pages = { 120, true },
		    .charged = "/shop/db",
		    .used_by = &(struct text_list){
			    .text = "84(dbd)", .n = 1, .starts = (uint32_t[]){ 0, 9 } });
	CHECK_TEXT(told(SECTION_MOST), "file /db: 480.0K, 60.0% of the limit (used by dbd (84); "
				       "memory.min of 560.0K protects all of it from reclaim)");
}

/* A victim in a trap, of a file that it alone uses. */
static void dying(void)
{
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = "renderd",
		    .pages = { 400, true }, .processes = { 1, true }, .pid = { 96, true },
		    .fate = "killed by the OOM killer, has not exited",
		    .fate_why = "renderd (96) waits for io");
	process("b", 2, 390, NULL);
	CHECK_TEXT(told(SECTION_MOST),
		   "renderd (96): 1.6M, 40.0% of RAM (killed by the OOM killer, has not exited: "
		   "renderd (96) waits for io); and b (2): 1.5M, 39.0% of RAM");
	/* Who asked last may be one of these, too. */
	begin(VERDICT_RAN_OUT);
	process("db", 5, 400, NULL);
	process("app", 7, 200, NULL);
	sum.last[SECTION_GROUP]->fate = "reads the core dump of db (5)";
	sum.asker_pages = (struct maybe_u64){ 200, true };
	sum.asker_tgid = 7;
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7), which reads the core dump of db (5), asked "
					  "last and has 800.0K of anonymous memory, 20.0% of RAM");
}

static void trigger(void)
{
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 20, true };
	CHECK_TEXT(told(SECTION_TRIGGER),
		   "app (7) asked last; it has only 80.0K of anonymous memory");
	/* Not all that it has is known, or it may be the reason for what the kernel has. */
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 20, true };
	sum.asker_held.known = false;
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; it has 80.0K of anonymous memory");
	begin(VERDICT_RAN_OUT);
	cache("fib6", 400);
	sum.asker_pages = (struct maybe_u64){ 20, true };
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; it has 80.0K of anonymous memory");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	list("cgroup", "/app", 300, NULL);
	sum.asker_pages = (struct maybe_u64){ 20, true };
	sum.asker_cgroup = "/app";
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last; it has 80.0K of anonymous memory; its cgroup /app has 1.2M");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 100, NULL);
	list("cgroup", "/app", 300, NULL);
	sum.asker_pages = (struct maybe_u64){ 20, true };
	sum.asker_cgroup = "/app";
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last; it has 80.0K of anonymous memory; its cgroup is the holder");
	begin(VERDICT_RAN_OUT);
	process("app", 7, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 400, true };
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; it is the holder");
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_FILE, .name = "/spool", .pages = { 400, true },
		    .used_by = &(struct text_list){ .text = "84(spoold), 7(app)",
						    .n = 2,
						    .starts = (uint32_t[]){ 0, 12, 20 } });
	sum.asker_pages = (struct maybe_u64){ 20, true };
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last; it has open, or maps, what is named; it has 80.0K of anonymous memory");
	begin(VERDICT_RAN_OUT);
	oom.order = 3;
	process("a", 1, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 250, true };
	sum.asker_shmem = 9;
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last (for order 3) and has 1000.0K of anonymous memory, 25.0% of RAM");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	sum.asker_pages = (struct maybe_u64){ 5, true };
	sum.asker_shmem = 100;
	sum.asker_held.n = 20;
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last and has 80.0K of kernel memory, "
					  "2.0% of RAM, beside 400.0K of shared memory");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	CHECK_TEXT(told(SECTION_TRIGGER), "app (7) asked last; what it holds is unknown");
}

/* What it holds is its process's, which has another pid and may have another name. */
static void thread_asked(void)
{
	const struct task memory = { .pid = 5,
				     .tgid = 5,
				     .comm = "logd",
				     .has_mm = true,
				     .has_memory = true,
				     .rss_anon = 400 };

	begin(VERDICT_RAN_OUT);
	process("logd", 5, 400, NULL);
	summary_take_asker(&sum, &memory, "/logs");
	CHECK_TEXT(told(SECTION_TRIGGER),
		   "app (7), a thread of logd (5), asked last; that process is the holder");
	begin(VERDICT_RAN_OUT);
	process("a", 1, 400, NULL);
	summary_take_asker(&sum, &(struct task){ .pid = 5, .tgid = 5, .comm = "logd" }, NULL);
	CHECK_TEXT(told(SECTION_TRIGGER),
		   "app (7), a thread of logd (5), asked last; what it holds is unknown");
}

/* How long it helped that somebody was killed. */
static void kills(void)
{
	struct oom_report all[2];

	begin(VERDICT_RAN_OUT);
	oom.outcome = OOM_KILLED;
	oom.victim = (struct oom_victim){
		.has_comm = true, .comm = "hog", .pid = { true, 70 }, .anon_rss_kib = { true, 2000 }
	};
	all[0] = all[1] = oom;
	all[0].ts_ns = 4000000000;
	all[0].kill_ns = 6000000000;
	all[0].victim.pid.value = 60;
	sum.ran_out = sum.last_report = &all[1];
	sum.reports = (struct oom_reports){ .reports = all, .n = 2 };
	CHECK_TEXT(
		told(SECTION_TRIGGER),
		"app (7) asked last; what it holds is unknown; the OOM killer killed hog (70) of 2.0M; "
		"before it, hog (60) of 2.0M was killed, 2.0s earlier");
	/* It is there again. */
	begin(VERDICT_RAN_OUT);
	all[0].victim.comm[0] = '\0';
	memcpy(all[0].victim.comm, "app", 4);
	sum.ran_out = sum.last_report = &all[1];
	sum.reports = (struct oom_reports){ .reports = all, .n = 2 };
	process("app", 7, 100, NULL);
	sum.last[SECTION_GROUP]->oldest = (struct maybe_u64){ 700000000, true };
	sum.asker_pages = (struct maybe_u64){ 100, true };
	sum.asker_tgid = 7;
	CHECK(strstr(told(SECTION_TRIGGER),
		     ", 2.0s earlier; this app started 700ms before the dump"));
	/* When it was killed is unknown: the report may have begun long before. */
	begin(VERDICT_RAN_OUT);
	all[0].kill_ns = 0;
	oom.outcome = OOM_KILLED;
	sum.ran_out = sum.last_report = &all[1];
	sum.reports = (struct oom_reports){ .reports = all, .n = 2 };
	CHECK(!strstr(told(SECTION_TRIGGER), "earlier"));
}

/* Older records of the log are gone. */
static void kills_that_may_be_more(void)
{
	struct oom_report all[3] = { 0 };

	for (unsigned int i = 0; i < 3; i++) {
		all[i] = (struct oom_report){ NAMED_HEAD, .ts_ns = (i + 1) * 1000000000ULL,
					      .kill_ns = (i + 1) * 1000000000ULL };
		all[i].outcome = i < 2 ? OOM_KILLED : OOM_PANICKED;
		strcpy(all[i].comm, "app");
	}
	for (unsigned int dropped = 0; dropped < 2; dropped++) {
		begin(VERDICT_RAN_OUT);
		sum.ran_out = sum.last_report = &all[2];
		sum.reports = (struct oom_reports){ .reports = all, .n = 3 };
		sum.log_dropped = dropped;
		CHECK(strstr(told(SECTION_TRIGGER), dropped ? "; at least 2 were killed before"
							    : "; 2 were killed before"));
	}
}

TESTS({ "one that leads, and one that comes near it", one_leads },
      { "rows of the same memory", same_memory }, { "what is charged to a cgroup", charges },
      { "names of one memory", names }, { "a block that is missing", blocks },
      { "a process that was killed", killed }, { "who asked last", trigger },
      { "a thread that asked last", thread_asked }, { "kills before", kills },
      { "kills that may be more", kills_that_may_be_more },
      { "kernel objects of many caches", kernel_objects }, { "processes of one cgroup", families },
      { "several processes of one name", of_one_name },
      { "anonymous memory that one holds", pinned },
      { "one that has what it was granted", granted }, { "one that is dying", dying },
      { "a cgroup that reclaim leaves alone", protected })
