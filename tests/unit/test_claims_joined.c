// SPDX-License-Identifier: GPL-2.0-or-later
/* What one process has in several kinds of memory is told in one figure. */
#include "holds_most.h"

static void held(int pid, uint64_t pages, const char *what, uint32_t memory)
{
	list("held", "gw", pages, NULL);
	sum.last[SECTION_HOLDER]->comm = "gw";
	sum.last[SECTION_HOLDER]->pid = (struct maybe_u64){ (uint64_t)pid, true };
	sum.last[SECTION_HOLDER]->remark = what;
	sum.last[SECTION_HOLDER]->memory = memory;
}

static void kept(const char *name, uint64_t pages, int pid)
{
	cache(name, pages);
	sum.last[SECTION_CACHE]->kept_by = "50 of 51 objects are of threads of gw (5)";
	sum.last[SECTION_CACHE]->keeper = "gw (5) of gate";
	sum.last[SECTION_CACHE]->brief = "50 of 51 objects of slab cache c are of threads";
	sum.last[SECTION_CACHE]->objects = "50 threads";
	sum.last[SECTION_CACHE]->comm = "gw";
	sum.last[SECTION_CACHE]->pid = (struct maybe_u64){ (uint64_t)pid, true };
}

static void of_one_process(void)
{
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/gate", 480, NULL);
	process("gw", 5, 159, "/gate");
	process("db", 9, 234, "/db");
	held(5, 207, "kernel stacks of 50 threads", 1U << CLASS_KSTACK);
	kept("task_struct", 105, 5);
	sum.asker_pages = (struct maybe_u64){ 159, true };
	CHECK_TEXT(told(SECTION_MOST),
		   "gw (5) of gate: 1.8M, 47.1% of RAM (kernel stacks of 50 "
		   "threads 828.0K, anon 636.0K, slab cache task_struct 420.0K)");
	/* Of another process, or the same memory by another name, it is no sum. */
	begin(VERDICT_RAN_OUT);
	process("gw", 5, 300, "/gate");
	held(6, 200, "kernel stacks of 50 threads", 1U << CLASS_KSTACK);
	CHECK_TEXT(told(SECTION_MOST), "gw (5) of gate: 1.2M, 30.0% of RAM");
	begin(VERDICT_RAN_OUT);
	held(5, 400, "50 timers", 0);
	kept("filp", 310, 5);
	CHECK(strstr(told(SECTION_MOST), "gw: 1.6M, 40.0% of RAM (50 timers)"));
	/* Little is beside it. */
	begin(VERDICT_RAN_OUT);
	process("gw", 5, 300, "/gate");
	held(5, 49, "kernel stacks of 50 threads", 1U << CLASS_KSTACK);
	CHECK_TEXT(told(SECTION_MOST), "gw (5) of gate: 1.2M, 30.0% of RAM");
}

/* The remark of a zram names who has most of it. */
static void of_swap(void)
{
	begin(VERDICT_RAN_OUT);
	process("gw", 5, 150, "/gate");
	sum.last[SECTION_GROUP]->swapped = (struct maybe_u64){ 380, true };
	list("zram", "zram0", 400, NULL);
	sum.last[SECTION_HOLDER]->comm = "gw";
	sum.last[SECTION_HOLDER]->pid = (struct maybe_u64){ 5, true };
	sum.last[SECTION_HOLDER]->remark = "stores 1.7M; gw (5): 1.6M of 1.7M in swap";
	CHECK_TEXT(told(SECTION_MOST),
		   "gw (5) of gate: 2.1M, 53.0% of RAM (its swap in zram0 1.5M, anon 600.0K)");
}

/*
 * Sockets of one process: the quota that its cgroup is charged with is no memory, objects that an interrupt allocated are
 * not charged to it, and packets are in other caches than sockets are.
 */
static void of_sockets(void)
{
	for (uint64_t quota = 0; quota <= 400; quota += 400) {
		begin(VERDICT_RAN_OUT);
		list("cgroup", "/gate", 540, NULL);
		sum.last[SECTION_HOLDER]->sockets = quota;
		kept("TCP", 230, 5);
		sum.last[SECTION_CACHE]->cgroup = "/gate";
		held(5, 120, "sockets 480.0K, 1 key 320B", 0);
		sum.last[SECTION_HOLDER]->cgroup = "/gate";
		sum.last[SECTION_HOLDER]->sockets = 119;
		CHECK(summary_charges_caches(&sum, sum.first[SECTION_HOLDER]) == !quota);
		CHECK_TEXT(
			told(SECTION_MOST),
			"gw (5) of gate: 1.4M, 35.0% of RAM (slab cache TCP 920.0K, packets in queues of "
			"sockets 480.0K; 50 threads)");
	}
	/* They may be in a cache of packets. */
	begin(VERDICT_RAN_OUT);
	kept("kmalloc-1k", 230, 5);
	held(5, 120, "sockets 480.0K, 1 key 320B", 0);
	sum.last[SECTION_HOLDER]->sockets = 119;
	CHECK(strstr(told(SECTION_MOST), "gw (5) of gate: 920.0K, 23.0% of RAM"));
	/* Whole slabs are more than the objects that the kernel counts for the cgroup. */
	begin(VERDICT_RAN_OUT);
	list("cgroup", "/gate", 540, NULL);
	sum.last[SECTION_HOLDER]->kernel = (struct maybe_u64){ 200, true };
	kept("TCP", 230, 5);
	sum.last[SECTION_CACHE]->cgroup = "/gate";
	CHECK(!summary_charges_caches(&sum, sum.first[SECTION_HOLDER]));
	sum.first[SECTION_HOLDER]->kernel.n = 230;
	CHECK(summary_charges_caches(&sum, sum.first[SECTION_HOLDER]));
}

/* Processes of one name, and what they have beside: of as many, or it is of others. */
static void of_processes(void)
{
	for (uint64_t n = 60; n <= 61; n++) {
		begin(VERDICT_RAN_OUT);
		SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = "gw",
			    .cgroup = "/", .pages = { 300, true }, .processes = { 60, true },
			    .most_pid = { 5, true }, .most_pages = 6,
			    .children_of = "children of init (2)");
		held(0, 100, "page tables", 1U << CLASS_PGTABLE);
		sum.last[SECTION_HOLDER]->pid.known = false;
		sum.last[SECTION_HOLDER]->processes = (struct maybe_u64){ n, true };
		CHECK_TEXT(told(SECTION_MOST),
			   n == 60 ? "60 processes gw: 1.6M, 40.0% of RAM (anon 1.2M, page tables "
				     "400.0K; children of init (2); the largest gw (5): 24.0K)"
				   : "60 processes gw: 1.2M, 30.0% of RAM (children of init (2); "
				     "the largest gw (5): 24.0K)");
	}
}

/* What one of them waits for, in a line of its own words. */
static void of_waiting(void)
{
	begin(VERDICT_RAN_OUT);
	SUMMARY_ADD(&sum, .section = SECTION_GROUP, .by = "command", .comm = "gw", .cgroup = "/",
		    .pages = { 300, true }, .processes = { 60, true }, .most_pid = { 5, true },
		    .most_pages = 6, .wait = "gw (5) waits on a unix socket for db (2)");
	CHECK_TEXT(told(SECTION_MOST), "60 processes gw: 1.2M, 30.0% of RAM (the largest gw (5): "
				       "24.0K; gw (5) waits on a unix socket for db (2))");
}

/* The function that allocates maps says less than whose they are. */
static void of_maps(void)
{
	for (uint64_t pages = 400; pages <= 700; pages += 300) {
		begin(VERDICT_RAN_OUT);
		list("vmalloc", "htab_map_alloc", pages, NULL);
		list("bpf", "no process", 300, NULL);
		list("bpf", "agent (7)", 50, NULL);
		CHECK(!strncmp(told(SECTION_MOST),
			       pages == 400 ? "BPF maps of no process: 1.2M"
					    : "vmalloc areas of htab_map_alloc: 2.7M",
			       28));
	}
}

/* A few cgroups below one say more; of many it is the name. */
static void of_cgroups(void)
{
	static const char *const names[] = { "/s/a", "/s/b", "/s/c", "/s/d" };

	for (size_t n = 3; n <= ARRAY_SIZE(names); n++) {
		begin(VERDICT_RAN_OUT);
		list("cgroup", "/s", 700, NULL);
		for (size_t i = 0; i < n; i++)
			list("cgroup", names[i], 150, NULL);
		list("sockets", "gw (5)", 300, NULL);
		CHECK(!strncmp(told(SECTION_MOST), n == 3 ? "sockets" : "cgroup /s: 2.7M", 7));
	}
}

/* Caches of one process; what their objects are is told once. */
static void of_caches(void)
{
	begin(VERDICT_RAN_OUT);
	kept("task_struct", 300, 5);
	CHECK_TEXT(told(SECTION_MOST), "gw (5) of gate: 1.2M, 30.0% of RAM (50 of 51 objects of "
				       "slab cache c are of threads)");
	begin(VERDICT_RAN_OUT);
	kept("task_struct", 300, 5);
	kept("sighand_cache", 60, 5);
	CHECK_TEXT(told(SECTION_MOST), "gw (5) of gate: 1.4M, 36.0% of RAM (slab cache task_struct "
				       "1.2M, slab cache sighand_cache 240.0K; 50 threads)");
}

/* Files of a file system in memory, and objects of its inodes. */
static void of_super(void)
{
	for (uint64_t super = 70; super <= 71; super++) {
		begin(VERDICT_RAN_OUT);
		list("tmpfs", "/run/sessions", 60, NULL);
		sum.last[SECTION_HOLDER]->inode = super;
		sum.last[SECTION_HOLDER]->brief = "900 files";
		kept("shmem_inode_cache", 300, 0);
		sum.last[SECTION_CACHE]->pid.known = false;
		sum.last[SECTION_CACHE]->comm = NULL;
		sum.last[SECTION_CACHE]->keeper = "tmpfs /run/sessions";
		sum.last[SECTION_CACHE]->objects = "900 inodes";
		sum.last[SECTION_CACHE]->inode = 70;
		CHECK_TEXT(told(SECTION_MOST),
			   super == 70 ? "tmpfs /run/sessions: 1.4M, 36.0% of RAM (slab cache "
					 "shmem_inode_cache 1.2M, 900 files 240.0K; 900 inodes)"
				       : "tmpfs /run/sessions: 1.2M, 30.0% of RAM (50 of 51 "
					 "objects of slab cache c are of threads)");
	}
}

/* What no line of a report has may be movable. */
static void rest_of_blocks(void)
{
	begin(VERDICT_NO_BLOCK);
	SUMMARY_ADD(&sum, .section = SECTION_CLASS, .name = "rest", .pages = { 600, true },
		    .bytes = { 600 << 12, true });
	CHECK(!strncmp(told(SECTION_MOST), "whether it can be moved is unknown: ", 36));
}

/* Memory that a parameter of boot sets aside is what others lack. */
static void set_aside(void)
{
	begin(VERDICT_RAN_OUT);
	process("a", 1, 150, NULL);
	list("boot", "log_buf_len=1M", 400, NULL);
	CHECK_TEXT(told(SECTION_MOST), "log_buf_len=1M: 1.6M, 40.0% of RAM");
}

/* What a UMEM of AF_XDP has, whose process unmapped it: no process, and what compaction leaves alone. */
static void unmapped(void)
{
	begin(VERDICT_NO_BLOCK);
	sum.unmapped_anon = 360;
	process("a", 1, 100, NULL);
	CHECK_TEXT(
		told(SECTION_MOST),
		"anonymous pages that no process maps and something else holds: 1.4M that "
		"cannot be moved, 36.0% of RAM; such pages keep the blocks that they are in from being free");
	/* Buffers of io_uring are known. */
	begin(VERDICT_RAN_OUT);
	sum.unmapped_anon = 360;
	list("held", "ringd (5)", 360, NULL);
	sum.last[SECTION_HOLDER]->pinned = 360;
	CHECK_TEXT(told(SECTION_MOST), "ringd (5): 1.4M, 36.0% of RAM");
	/* Of a cgroup at its limit it is not known whom they are charged to. */
	begin(VERDICT_CGROUP);
	sum.unmapped_anon = 360;
	CHECK(!strstr(told(SECTION_MOST), "no process maps"));
}

/* One cause: areas are lost, and the allocator keeps as much of the chunks that they fill. */
static void per_cpu(void)
{
	begin(VERDICT_RAN_OUT);
	class("percpu", 250);
	class("vmalloc", 270);
	list("vmalloc", "pcpu_create_chunk", 260, NULL);
	root("the lists of per-CPU chunks -> list of kmalloc-192 -> vmalloc", NULL, 260);
	root("none: no root that is known leads to 2,044 objects of per-CPU memory", NULL, 249);
	CHECK_TEXT(
		told(SECTION_MOST),
		"per-CPU memory: 2.0M, 51.0% of RAM (1000.0K of chunks, and 1.0M that their "
		"allocator keeps of them; no root that is known leads to 2,044 objects of per-CPU "
		"memory, low confidence)");
	/* Another caller is another owner. */
	begin(VERDICT_RAN_OUT);
	class("percpu", 250);
	list("vmalloc", "bpf_map_area_alloc", 260, NULL);
	CHECK_TEXT(told(SECTION_MOST),
		   "vmalloc areas of bpf_map_area_alloc: 1.0M, 26.0% of RAM; and per-CPU memory: "
		   "1000.0K, 25.0% of RAM; neither is much larger");
	/* Cgroups without a task have per-CPU memory, which is not all charged to the one above. */
	begin(VERDICT_RAN_OUT);
	class("percpu", 250);
	list("cgroup", "/pods", 220, NULL);
	sum.last[SECTION_HOLDER]->empty = "7,668 cgroups below it";
	sum.empty_cgroups = 7668;
	CHECK(strstr(told(SECTION_MOST),
		     "; one cause, inferred: the structures of 7,668 cgroups without a task"));
	begin(VERDICT_RAN_OUT);
	class("percpu", 250);
	list("cgroup", "/pods", 220, NULL);
	CHECK(strstr(told(SECTION_MOST), "; neither is much larger"));
	/* What the one above is charged for is the same memory. */
	begin(VERDICT_RAN_OUT);
	class("percpu", 220);
	list("cgroup", "/batch", 250, NULL);
	sum.last[SECTION_HOLDER]->percpu = (struct maybe_u64){ 200, true };
	CHECK_TEXT(told(SECTION_MOST), "cgroup /batch: 1000.0K, 25.0% of RAM; mostly the same "
				       "memory: per-CPU memory: 880.0K, 22.0% of RAM");
	begin(VERDICT_RAN_OUT);
	class("percpu", 220);
	list("cgroup", "/batch", 250, NULL);
	sum.last[SECTION_HOLDER]->percpu = (struct maybe_u64){ 90, true };
	CHECK(strstr(told(SECTION_MOST), "; neither is much larger"));
}

/* Buffers of perf are of the process that has them open, where one has. */
static void perf_buffers(void)
{
	begin(VERDICT_RAN_OUT);
	list("perf", "buffers of perf", 400, NULL);
	CHECK_TEXT(told(SECTION_MOST), "buffers of perf: 1.6M, 40.0% of RAM");
	begin(VERDICT_RAN_OUT);
	list("perf", "buffers of perf", 400, NULL);
	list("held", "profd (7)", 390, NULL);
	CHECK_TEXT(told(SECTION_MOST), "profd (7): 1.5M, 39.0% of RAM");
}

/* How many a list has, where its cache says that. */
static void objects_of_a_list(void)
{
	static const struct slab_cache cache = { .kind = "xfrm_state" },
				       heads = { .kind = "skbuff_head_cache" };
	static const struct slab_use packets = { .cache = &heads,
						 .taken = 100,
						 .is_idle_known = true };
	static const struct slab_use use = {
		.cache = &cache, .taken = 74980, .idle = 9, .is_idle_known = true
	};

	begin(VERDICT_RAN_OUT);
	sum.caches[0].use = &use;
	CHECK_TEXT(claim_objects_text(&sum, "init_net -> list of xfrm_state -> a"),
		   ", of which there are 74,971");
	CHECK_TEXT(claim_objects_text(&sum, "init_net -> list of xfrm_state_walk -> a"), "");
	CHECK_TEXT(claim_objects_text(&sum, "init_net -> list of xfrm_state -> list of a -> b"),
		   "");
	CHECK_TEXT(claim_objects_text(&sum, "a of device b -> list of xfrm_state -> c"), "");
	sum.caches[0].use = &packets;
	CHECK_TEXT(claim_objects_text(&sum, "queue -> list of skbuff_head_cache -> a"), "");
	sum.caches[0].use = NULL;
	CHECK_TEXT(claim_objects_text(&sum, "init_net -> list of xfrm_state -> a"), "");
}

TESTS({ "objects of a list", objects_of_a_list }, { "buffers of perf", perf_buffers },
      { "per-CPU memory and what is kept of it", per_cpu },
      { "memory that no process maps", unmapped }, { "of one process", of_one_process },
      { "swap on zram", of_swap }, { "of processes of one name", of_processes },
      { "of processes that wait", of_waiting }, { "of maps", of_maps },
      { "of cgroups below one", of_cgroups }, { "of caches", of_caches },
      { "of sockets", of_sockets }, { "of a file system", of_super },
      { "of no line of a report", rest_of_blocks }, { "set aside at boot", set_aside })
