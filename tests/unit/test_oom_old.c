// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports of kernels up to 3.9, and constraints that do not say whose memory ran out. Texts made for this, by hand. */
#include "oom_lines.h"
#include "test.h"

#define PARSE(all, lines) parse_lines(all, lines, sizeof(lines) / sizeof((lines)[0]), false)

/* Up to 3.7 dump_header() prints the block for a cgroup too: it is one report. */
static void block_of_a_cgroup(void)
{
	static const struct line lines[] = {
		{ 0, "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_adj=0, oom_score_adj=0" },
		{ 0, "a cpuset=/ mems_allowed=0" },
		{ 0, "Pid: 12, comm: a Not tainted 2.6.32-431.el6.x86_64 #1" },
		{ 0, "Task in /web killed as a result of limit of /web" },
		{ 0, "memory: usage 2048kB, limit 2048kB, failcnt 3" },
		{ 0, "Mem-Info:" },
		{ 0,
		  "active_anon:1 inactive_anon:2 isolated_anon:0\n free:65 slab_reclaimable:1 slab_unreclaimable:9" },
		{ 0, "Node 0 DMA free:260kB min:28kB low:32kB high:40kB present:10000kB" },
		{ 0, "2500 pages RAM" },
		{ 0,
		  "Memory cgroup out of memory: Kill process 12 (a) score 9 or sacrifice child" },
		{ 0,
		  "Killed process 12, UID 48, (a) total-vm:684444kB, anon-rss:1900kB, file-rss:4kB" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_MEMCG && room[0].has_mem_info);
	CHECK_TEXT(room[0].oom_memcg, "/web");
	CHECK(room[0].memory.limit_kib.value == 2048 && room[0].mem.pages[MEM_free].value == 65);
	CHECK(room[0].mem.nzones == 1 && room[0].mem.ram.value == 2500);
	CHECK(room[0].victim.anon_rss_kib.value == 1900 && room[0].outcome == OOM_KILLED);
	/* A kernel since 3.8 does not: the block is another report's. */
	const struct line newer[] = {
		{ 0, "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0" },
		lines[4],
		lines[6],
	};

	PARSE(&all, newer);
	CHECK(!room[0].has_mem_info);
}

/* 2.6.18 to 2.6.27: one counter of each list, and of slab. */
static void before_2_6_28(void)
{
	static const struct line lines[] = {
		{ 0, "b invoked oom-killer: gfp_mask=0x201d2, order=0, oomkilladj=0" },
		{ 0,
		  "Active:119 inactive:120 dirty:0 writeback:0 unstable:0 free:3412 slab:50 mapped-file:1 mapped-anon:240 pagetables:35" },
		{ 0, "Node 0 DMA free:10944kB min:40kB low:48kB high:60kB active:0kB inactive:0kB "
		     "present:10564kB pages_scanned:0 all_unreclaimable? yes" },
		{ 0, "Node 0 DMA32 free:2704kB min:4012kB low:5012kB high:6016kB active:476kB "
		     "inactive:480kB present:1018060kB pages_scanned:2000 all_unreclaimable? yes" },
		{ 0, "262128 pages of RAM" },
		{ 0, "Out of memory: Killed process 31, UID 48, (b)." },
		{ 0, "c invoked oom-killer: gfp_mask=0x1201d2, order=0, oomkilladj=0" },
		{ 0, "Active:120 inactive:10 dirty:0 writeback:0 unstable:0\n"
		     " free:11 slab:32 mapped:30 pagetables:20 bounce:0" },
		{ 0, "Killed process 32 (c)" },
		/* 2.6.28 to 2.6.31 */
		{ 0, "d invoked oom-killer: gfp_mask=0x201da, order=0, oom_adj=0" },
		{ 0, "Active_anon:29 active_file:28 inactive_anon:97\n"
		     " inactive_file:61 unevictable:11 dirty:0 writeback:0 unstable:0\n"
		     " free:33 slab:13776 mapped:58 pagetables:68 bounce:0" },
		{ 0, "Killed process 33 ((sd-pam)" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 3);
	for (size_t i = 0; i < 3; i++)
		CHECK(room[i].has_head && room[i].has_order && room[i].mem.pages[MEM_slab].known);
	CHECK_TEXT(room[0].comm, "b");
	CHECK(room[0].mem.pages[MEM_active].value == 119 &&
	      room[0].mem.pages[MEM_slab].value == 50);
	CHECK(room[0].mem.pages[MEM_inactive].value == 120 && room[0].mem.pages[MEM_free].known);
	/* Free pages and RAM in pages and in KiB tell the size of a page. */
	CHECK(mem_info_page_kib(&room[0].mem).value == 4);
	CHECK(room[0].victim.pid.value == 31 && room[0].victim.uid.value == 48);
	CHECK_TEXT(room[0].victim.comm, "b");
	CHECK(!mem_info_page_kib(&room[1].mem).known && room[1].mem.pages[MEM_free].value == 11);
	CHECK_TEXT(room[1].victim.comm, "c");
	CHECK(room[2].mem.pages[MEM_slab].value == 13776 &&
	      room[2].mem.pages[MEM_active_anon].known);
	/* A line that was cut may end within a name that has brackets. */
	CHECK(room[2].victim.pid.value == 33 && !room[2].victim.has_comm);
}

/* Up to 2.6.18 the first line has no name, and the victim's children are tried first. */
static void without_a_name(void)
{
	static const struct line lines[] = {
		{ 0, "oom-killer: gfp_mask=0x280d2, order=1" },
		{ 0, " [<c014c20e>] out_of_memory+0x14e/0x180" },
		{ 0, "Free pages:        4824kB (0kB HighMem)" },
		{ 0,
		  "Active:119 inactive:120 dirty:0 writeback:0 unstable:0 free:1206 slab:50 mapped:240 pagetables:35" },
		{ 0,
		  "Normal free:4824kB min:2804kB low:3504kB high:4204kB active:476kB inactive:480kB present:400000kB pages_scanned:0 all_unreclaimable? yes" },
		{ 0, "100000 pages of RAM" },
		{ 0, "Out of Memory: Kill process 31 (b) score 1243 and children." },
		{ 0, "Out of memory: Killed process 32 (c)." },
		/* A line that lost its beginning has more. */
		{ 0,
		  "oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0 and more words" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 1 && all.unread == 1 && room[0].has_head && !room[0].has_comm);
	CHECK(room[0].has_order && room[0].order == 1 && room[0].gfp_mask.value == 0x280d2);
	CHECK(room[0].mem.pages[MEM_free].value == 1206 && room[0].mem.ram.value == 100000);
	CHECK(room[0].outcome == OOM_KILLED && room[0].victim.pid.value == 32);
	CHECK_TEXT(room[0].victim.comm, "c");
}

/* A zone that is missing leaves the size of a page unknown: what is left may be of a smaller one. */
static void pages_of_some_zones(void)
{
	struct mem_info m = { .nzones = 1 };

	m.pages[MEM_free] = (struct log_number){ true, 1000 };
	m.ram = (struct log_number){ true, 100000 };
	m.zones[0].kib[MEM_ZONE_free] = (struct log_number){ true, 4000 };
	m.zones[0].kib[MEM_ZONE_present] = (struct log_number){ true, 1500000 };
	CHECK(!mem_info_page_kib(&m).known);
	m.zones[0].kib[MEM_ZONE_free].value = 64010;
	m.zones[0].kib[MEM_ZONE_present].value = 6400000;
	CHECK(mem_info_page_kib(&m).value == 64);
}

#define HEAD "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
#define LIMIT "memory: usage 1024kB, limit 1024kB, failcnt 9"
#define STATS "Memory cgroup stats for /box:"
#define LINE_OF(constraint, rest)                                  \
	"oom-kill:constraint=" constraint ",nodemask=(null)," rest \
	"task_memcg=/box,task=a,pid=5,uid=0"

/* That line tells the cgroup: 5.0 and 5.1 have no other constraint than CONSTRAINT_NONE in it, BPF has names of its own. */
static void constraints_of_a_cgroup(void)
{
	static const struct {
		const char *line, *constraint;
		enum oom_scope scope;
		bool is_derived;
	} cases[] = {
		{ LINE_OF("CONSTRAINT_NONE", "oom_memcg=/box,"), "CONSTRAINT_MEMCG",
		  OOM_SCOPE_MEMCG, true },
		{ LINE_OF("CONSTRAINT_BPF_PSI_MEM", "cpuset=/,mems_allowed=0,oom_memcg=/box,"),
		  "CONSTRAINT_BPF_PSI_MEM", OOM_SCOPE_MEMCG, false },
		{ LINE_OF("CONSTRAINT_MEMCG", "cpuset=/,mems_allowed=0,oom_memcg=/box,"),
		  "CONSTRAINT_MEMCG", OOM_SCOPE_MEMCG, false },
	};
	static const char all_nodes[] = LINE_OF("CONSTRAINT_NONE", "global_oom,");
	struct oom_reports all;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct line lines[] = {
			{ 0, HEAD },
			{ 0, LIMIT },
			{ 0, STATS },
			{ 0, cases[i].line },
			{ 0, "Memory cgroup out of memory: Killed process 5 (a) total-vm:8kB, "
			     "anon-rss:4kB, file-rss:0kB, shmem-rss:0kB" },
		};

		PARSE(&all, lines);
		CHECK(all.n == 1 && !all.has_mixed && room[0].scope == cases[i].scope);
		CHECK(room[0].constraint_derived == cases[i].is_derived);
		CHECK_TEXT(room[0].constraint, cases[i].constraint);
		CHECK_TEXT(room[0].oom_memcg, "/box");
		CHECK_TEXT(room[0].task_memcg, "/box");
	}
	const struct line global[] = { { 0, HEAD }, { 0, all_nodes } };

	PARSE(&all, global);
	CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_GLOBAL && !room[0].constraint_derived);
	CHECK_TEXT(room[0].constraint, "CONSTRAINT_NONE");
	CHECK_TEXT(room[0].task_memcg, "/box");
}

TESTS({ "a first line without a name", without_a_name },
      { "2.6.32: a report of a cgroup has a block of memory", block_of_a_cgroup },
      { "2.6.18 to 2.6.31: counters and victims", before_2_6_28 },
      { "the size of a page by zones", pages_of_some_zones },
      { "a constraint that does not name the cgroup", constraints_of_a_cgroup })
