// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a report that were cut, and those of vmalloc. */
#include <stdlib.h>

#include "oom_lines.h"
#include "test.h"

#define PARSE_N(all, lines, n) parse_lines(all, lines, n, true)
#define PARSE(all, lines) PARSE_N(all, lines, sizeof(lines) / sizeof((lines)[0]))

/* warn_alloc() of vmalloc(): which of its words have an order. */
static void vmalloc_failures(void)
{
	const struct line lines[] = {
		{ 1, "a: vmalloc error: size 8192, page order 0, failed to allocate pages, "
		     "mode:0xcc0(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0" },
		{ 1,
		  "active_anon:664 inactive_anon:7451 isolated_anon:0\n free:346 free_pcp:718 free_cma:0" },
		{ 2, "b: vmalloc error: size 8192, exceeds total pages, mode:0xcc0(GFP_KERNEL), "
		     "nodemask=(null),cpuset=/,mems_allowed=0" },
		{ 3, "c: vmalloc error: size 81" },
	};
	/* Of 5.13, and of kernels before it. */
	static const struct line older[] = {
		{ 1, "d: vmalloc size 8192 allocation failure: page order 3 allocation failed, "
		     "mode:0xcc0(GFP_KERNEL), nodemask=(null),cpuset=/,mems_allowed=0" },
		{ 2,
		  "e: vmalloc: allocation failure: 1073741824 bytes, "
		  "mode:0xcc2(GFP_KERNEL|__GFP_HIGHMEM), nodemask=(null),cpuset=/,mems_allowed=0" },
		{ 3, "f: vmalloc: allocation failure, allocated 12288 of 20480 bytes, "
		     "mode:0x14080c2(GFP_KERNEL|__GFP_HIGHMEM|__GFP_ZERO), nodemask=(null)" },
		{ 4, "g: vmalloc: allocation failure of another kind" },
		{ 5, "h: vmalloc: allocation failure, allocated 12288 of 204" },
	};
	struct oom_reports all;

	PARSE(&all, older);
	CHECK(all.n == 3 && room[0].has_order && room[0].order == 3);
	CHECK_TEXT(room[0].comm, "d");
	CHECK(room[1].kind == OOM_REPORT_ALLOCATION && !room[1].has_order);
	CHECK_TEXT(room[1].gfp, "GFP_KERNEL|__GFP_HIGHMEM");
	CHECK_TEXT(room[1].mems_allowed, "0");
	CHECK_TEXT(room[2].comm, "f");
	CHECK_TEXT(room[2].nodemask, "(null)");

	PARSE(&all, lines);
	CHECK(all.n == 2);
	CHECK(room[0].kind == OOM_REPORT_ALLOCATION && room[0].has_mem_info);
	CHECK(room[0].has_order && room[0].order == 0);
	CHECK_TEXT(room[0].comm, "a");
	CHECK_TEXT(room[0].gfp, "GFP_KERNEL");
	CHECK(room[1].kind == OOM_REPORT_ALLOCATION && !room[1].has_order);
	CHECK_TEXT(room[1].mems_allowed, "0");
	CHECK(!room[0].vmalloc_why && room[0].vmalloc_bytes.value == 8192);
	CHECK_TEXT(room[1].vmalloc_why, "that is more than all RAM");
}

/* A first line that has something of a tool before the name of the task: the name is unknown, and so is the report. */
static void prefixed_heads(void)
{
	static const char *const before[] = { "12:",	  "7\t",       "- ",	 "* ",
					      "kernel: ", "04:42:26 ", "[70:x]", "(1)[70:x]" };
	struct oom_reports all;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		char text[2][256];
		struct line lines[2] = { { 1, text[0] }, { 2, text[1] } };

		snprintf(
			text[0], sizeof(text[0]),
			"%sa invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
			before[i]);
		snprintf(text[1], sizeof(text[1]),
			 "%sa: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL)",
			 before[i]);
		PARSE(&all, lines);
		CHECK(all.n == 0 && all.unread == 2);
	}
}

/* Names of tasks that have brackets, and a line more of a kernel of others. */
static void odd_heads(void)
{
	const struct line lines[] = {
		{ 1,
		  "runc:[2:INIT] invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 2,
		  "(sd-pam) invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0\noom_policy=default" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 2);
	CHECK_TEXT(room[0].comm, "runc:[2:INIT]");
	CHECK_TEXT(room[1].comm, "(sd-pam)");
}

/* What 2.6.32 and its kin print, those of Red Hat among them. */
static void before_3_0(void)
{
	const struct line lines[] = {
		{ 12, "a invoked oom-killer: gfp_mask=0x201da, order=0, oom_adj=0" },
		{ 12, "a cpuset=/ mems_allowed=0" },
		{ 12, "Pid: 12, comm: a Not tainted 2.6.32-5-amd64 #1" },
		{ 12, "Out of memory: Kill process 12 (a) score 77 or sacrifice child" },
		{ 12,
		  "Killed process 13, UID 48, (b) total-vm:684444kB, anon-rss:80440kB, file-rss:4kB" },
		{ 14, "c: page allocation failure. order:1, mode:0x20" },
		{ 14, "Pid: 14, comm: c Not tainted 2.6.32-5-amd64 #1" },
		{ 15, "Killed process 15, UID 4" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 2);
	CHECK_TEXT(room[0].comm, "a");
	CHECK_TEXT(room[0].mems_allowed, "0");
	CHECK(room[0].has_order && room[0].order == 0 && room[0].pid.value == 12);
	CHECK(room[0].victim.pid.value == 13 && room[0].victim.uid.value == 48);
	CHECK_TEXT(room[0].victim.comm, "b");
	CHECK(room[0].victim.anon_rss_kib.value == 80440);
	CHECK(room[1].kind == OOM_REPORT_ALLOCATION && room[1].order == 1 && room[1].has_order);
	CHECK(room[1].pid.value == 14);
}

/* The path ends the line of the limit, which may have been cut; the counters of the cgroup have it with an end. */
static void cut_limits(void)
{
	static const struct {
		const char *limit, *stats, *path;
	} cases[] = {
		{ "/b", "/b: cache:0KB rss:1KB", "/b" },
		{ "/b", "/b/c/d: cache:0KB rss:1KB", "" },
		{ "/b", "/bc/d: cache:0KB rss:1KB", "/bc/d" },
		{ "/b", "/b/c/d:", "/b/c/d" },
		{ "/b", "/b/c/", "" },
		{ "/b", NULL, "/b" },
	};
	struct oom_reports all;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[2][256];
		struct line lines[] = {
			{ 1,
			  "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
			{ 1, text[0] },
			{ 1, "memory: usage 1kB, limit 1kB, failcnt 1" },
			{ 1, cases[i].stats ? text[1] : "kmem: usage 1kB, limit 1kB, failcnt 1" },
			/* Of one below it. */
			{ 1, "Memory cgroup stats for /b/c/d/e: cache:0KB rss:1KB" },
		};

		snprintf(text[0], sizeof(text[0]), "Task in %s/e killed as a result of limit of %s",
			 *cases[i].path ? cases[i].path : "/b/c/d", cases[i].limit);
		snprintf(text[1], sizeof(text[1]), "Memory cgroup stats for %s",
			 cases[i].stats ?: "");
		PARSE_N(&all, lines, cases[i].stats ? 5 : 4);
		CHECK(all.n == 1);
		CHECK_TEXT(room[0].oom_memcg, cases[i].path);
	}
}

/* Of a report that is lost the panic still tells. */
static void panics_alone(void)
{
	const struct line lines[] = {
		{ 1, "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled" },
	}, others[] = {
		{ 1, "Killed process 15 (a) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
		{ 1, "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled" },
		{ 2, "Kernel panic - not syncing: Fatal exception" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 1 && room[0].kind == OOM_REPORT_OOM && room[0].outcome == OOM_PANICKED);
	CHECK(room[0].scope == OOM_SCOPE_GLOBAL && !room[0].has_head && room[0].constraint_derived);
	CHECK_TEXT(room[0].constraint, "CONSTRAINT_NONE");
	PARSE(&all, others);
	CHECK(all.n == 2 && room[1].outcome == OOM_PANICKED && room[0].outcome == OOM_KILLED);
	CHECK(room[1].scope == OOM_SCOPE_UNKNOWN && !*room[1].constraint);
}

/* Where the end of a line was lost, the next one is behind the path of a cgroup. */
static void joined_limits(void)
{
	static const char *const behind[] = { "memory: usage 1kB, limit 1kB, failcnt 1",
					      " memory: usage 1kB, limit 1kB, failcnt 1",
					      " memory+swap: usage 1kB, limit 1kB, failcnt 1",
					      " Memory cgroup stats for /b: cache:0KB" };
	struct oom_reports all;

	for (size_t i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
		char text[256];
		struct line lines[] = {
			{ 1,
			  "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
			{ 1, text },
		};

		snprintf(text, sizeof(text), "Task in /b/c killed as a result of limit of /b%s",
			 behind[i]);
		PARSE(&all, lines);
		CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_MEMCG);
		CHECK_TEXT(room[0].oom_memcg, "");
	}
}

/* What ends a line that was cut may be a part of a number. */
static void cut_lines(void)
{
	const struct line counters[] = {
		{ 1,
		  "active_anon:1 inactive_anon:2\n slab_unreclaimable:5\n mapped:1 shmem:2 pagetables:7\n"
		  " sec_pagetables:0\n free:3 free_cma:0" },
		{ 2,
		  "active_anon:1 inactive_anon:2 isolated_anon:0\n mapped:1 shmem:2 pagetables:7\n"
		  " free:34 free_cma:0" },
		{ 3, "active_anon:1 inactive_anon:2 isolated_anon:0\n free:200" },
	};
	const struct line kills[] = {
		{ 1, "oom-kill:constraint=CONSTRAINT_NONE,nodemask=0" },
		{ 2,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=0,2-3,cpuset=/,mems_allowed=0-" },
		{ 3, "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null)" },
		{ 4, "a: page allocation failure: order:0, mode:0xcc0(GFP_KERNEL), nodemask=0" },
		{ 5, "a: page allocation failure: order:0, mode:0xcc0(GFP_KERNEL), nodemask=0-1" },
		{ 5, "a cpuset=/ mems_allowed=0-1" },
		{ 6, "a: page allocation failure: order:0, mode:0xcc0(GFP_KERNEL), nodemask=1" },
		{ 6, "a cpuset=/ mems_allowed=0-" },
	};
	struct oom_reports all;

	PARSE(&all, counters);
	CHECK(all.n == 3 && !room[2].mem.pages[MEM_free].known);
	CHECK(!room[0].mem.pages[MEM_inactive_anon].known);
	CHECK(room[0].mem.pages[MEM_slab_unreclaimable].known);
	CHECK(room[0].mem.pages[MEM_pagetables].known);
	CHECK(room[0].mem.pages[MEM_free].value == 3);
	CHECK(room[1].mem.pages[MEM_inactive_anon].known);
	CHECK(!room[1].mem.pages[MEM_pagetables].known);
	PARSE(&all, kills);
	CHECK(all.n == 6);
	CHECK_TEXT(room[0].nodemask, "");
	CHECK_TEXT(room[1].nodemask, "0,2-3");
	CHECK_TEXT(room[1].mems_allowed, "");
	CHECK_TEXT(room[2].nodemask, "(null)");
	CHECK_TEXT(room[3].nodemask, "");
	CHECK_TEXT(room[4].nodemask, "0-1");
	CHECK_TEXT(room[5].mems_allowed, "");
}

/* Without callers nothing tells whose figures they are. */
static void mixed_lines(void)
{
	const char *const lines[] = {
		"a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
		"b: page allocation failure: order:5, mode:0xcc0(GFP_KERNEL), nodemask=(null)",
		"active_anon:1 inactive_anon:2 isolated_anon:0\n free:3 free_pcp:0 free_cma:0",
		"active_anon:5 inactive_anon:6 isolated_anon:0\n free:7 free_pcp:0 free_cma:0",
		"Free swap  = 8kB",
		("oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"
		 "task_memcg=/,task=v,pid=6,uid=3"),
	};
	struct oom_reports all = { .reports = room };

	memset(room, 0xa5, sizeof(room));
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct kernel_record rec = { .ts_ns = i + 1, .text = lines[i] };

		oom_reports_record(&all, &rec);
	}
	CHECK(all.n == 2 && all.has_mixed);
	CHECK(!room[0].has_mem_info && !room[1].has_mem_info);
	CHECK(room[0].victim.pid.value == 6);
	CHECK_TEXT(room[0].comm, "a");
	CHECK(!room[1].victim.pid.known);
}

/* Up to 4.18 no line "oom-kill:" joins them. */
static void lost_head(void)
{
	const struct line lines[] = {
		{ 1,
		  "active_anon:1 inactive_anon:2 isolated_anon:0\n free:3 free_pcp:0 free_cma:0" },
		{ 1, "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name" },
		{ 1, "Out of memory: Kill process 12 (a) score 800 or sacrifice child" },
		{ 1, "Killed process 12 (a) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
		{ 2,
		  "active_anon:1 inactive_anon:2 isolated_anon:0\n free:3 free_pcp:0 free_cma:0" },
		{ 2, "Killed process 13 (b) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
		{ 3, "Out of memory: Kill process 14 (c) score 31 or sacrifice child" },
	};
	struct oom_reports all;

	PARSE(&all, lines);
	CHECK(all.n == 4);
	CHECK(room[3].kind == OOM_REPORT_OOM && room[3].scope == OOM_SCOPE_GLOBAL);
	CHECK(room[0].kind == OOM_REPORT_OOM && room[0].has_mem_info);
	CHECK(room[0].victim.pid.value == 12);
	CHECK(room[1].kind == OOM_REPORT_MEM_INFO && !room[1].victim.pid.known);
}

/* The lines of the cgroup tell what ran out, though what is before them is lost. */
static void cgroup_without_a_head(void)
{
	const struct line of_3_10[] = {
		{ 1, " [<ffffffffa2b8a778>] page_fault+0x28/0x30" },
		{ 1, "Task in /13/a killed as a result of limit of /13" },
		{ 1, "memory: usage 4kB, limit 4kB, failcnt 8" },
		{ 1, "memory+swap: usage 4kB, limit 9007199254740988kB, failcnt 0" },
		{ 1, "Memory cgroup stats for /13: cache:4KB rss:0KB rss_huge:0KB" },
		{ 1, "[ pid ]   uid  tgid total_vm      rss nr_ptes swapents oom_score_adj name" },
		{ 1,
		  "Memory cgroup out of memory: Kill process 26130 (a) score 0 or sacrifice child" },
		{ 1, "Killed process 26130 (a) total-vm:6532kB, anon-rss:68kB, file-rss:0kB" },
	}, of_6_1[] = {
		{ 1, "memory: usage 1048576kB, limit 1048576kB, failcnt 141" },
		{ 1, "Memory cgroup stats for /box:" },
		{ 1,
		  "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"
		  "oom_memcg=/box,task_memcg=/box/in,task=a,pid=5,uid=0" },
	}, second_of_many[] = {
		{ 1, "Memory cgroup stats for /pod/a: cache:0KB rss:0KB" },
		{ 1, "Memory cgroup stats for /pod/b: cache:0KB rss:0KB" },
	}, within_another[] = {
		{ 1, "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 1,
		  "active_anon:664 inactive_anon:7451 isolated_anon:0\n free:346 free_pcp:718 free_cma:0" },
		{ 1, "memory: usage 4kB, limit 4kB, failcnt 8" },
	};
	struct oom_reports all;

	PARSE(&all, of_3_10);
	CHECK(all.n == 1 && !room[0].has_head && room[0].scope == OOM_SCOPE_MEMCG);
	CHECK_TEXT(room[0].oom_memcg, "/13");
	CHECK_TEXT(room[0].task_memcg, "/13/a");
	CHECK(room[0].memory.limit_kib.value == 4 && room[0].victim.pid.value == 26130);
	CHECK(room[0].kills == 1 && room[0].outcome == OOM_KILLED);
	PARSE(&all, of_6_1);
	CHECK(all.n == 1 && room[0].memory.limit_kib.value == 1048576);
	CHECK(room[0].victim.pid.value == 5);
	CHECK_TEXT(room[0].oom_memcg, "/box");
	PARSE(&all, second_of_many);
	CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_MEMCG && !*room[0].oom_memcg);
	PARSE(&all, within_another);
	CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_UNKNOWN && !room[0].memory.limit_kib.known);
}

/* pr_cont() began a record of its own; without callers lines of others stand between. */
static void paths_in_pieces(void)
{
	static const struct line stats[] = {
		{ 1, "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 1, "memory: usage 4kB, limit 4kB, failcnt 8" },
		{ 1, "Memory cgroup stats for" },
		{ 2, "eth0: link is up" },
		{ 1, "/box/in" },
		{ 2, "eth0: link is down" },
		{ 1, ":" },
	}, limit[] = {
		{ 1, "Task in " },
		{ 2, "eth0: link is up" },
		{ 1, "/13/a" },
		{ 1, " killed as a result of limit of " },
		{ 1, "/13" },
		{ 1, "Memory cgroup stats for /13: cache:4KB rss:0KB rss_huge:0KB" },
	}, victim[] = {
		{ 1, "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)" },
		{ 2, "eth0: link is up" },
		{ 1, ",cpuset=/,mems_allowed=0,oom_memcg=" },
		{ 1, "/box" },
		{ 1, ",task_memcg=/box/in,task=a,pid=5,uid=0" },
	}, far[] = {
		{ 1, "memory: usage 4kB, limit 4kB, failcnt 8" },
		{ 1, "Memory cgroup stats for" },
		{ 2, "1" }, { 2, "2" }, { 2, "3" }, { 2, "4" }, { 2, "5" },
		{ 1, "/box/in" },
		{ 1, ":" },
	}, cut[] = {
		{ 1, "memory: usage 4kB, limit 4kB, failcnt 8" },
		{ 1, "Memory cgroup stats for /box" },
		{ 1, "/box/in" },
	};
	struct oom_reports all;

	for (unsigned int callers = 0; callers < 2; callers++) {
		parse_lines(&all, stats, ARRAY_SIZE(stats), callers);
		CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_MEMCG);
		CHECK_TEXT(room[0].oom_memcg, "/box/in");
		parse_lines(&all, limit, ARRAY_SIZE(limit), callers);
		CHECK(all.n == 1 && room[0].scope == OOM_SCOPE_MEMCG);
		CHECK_TEXT(room[0].oom_memcg, "/13");
		CHECK_TEXT(room[0].task_memcg, "/13/a");
		parse_lines(&all, victim, ARRAY_SIZE(victim), callers);
		CHECK(all.n == 1 && room[0].victim.pid.value == 5);
		CHECK_TEXT(room[0].oom_memcg, "/box");
		CHECK_TEXT(room[0].task_memcg, "/box/in");
	}
	parse_lines(&all, far, ARRAY_SIZE(far), false);
	CHECK_TEXT(room[0].oom_memcg, "");
	/* Whether the path had an end is unknown. */
	parse_lines(&all, cut, ARRAY_SIZE(cut), false);
	CHECK_TEXT(room[0].oom_memcg, "");
}

/* The victim where its line is cut in front of its number, or lost: then by whose memory was freed. */
static void lost_victims(void)
{
#define OOM_HEAD "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
#define FREED "oom_reaper: reaped process 12 (b), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"
#define CHOSEN                                                                                    \
	"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom," \
	"task_memcg=/b,task=b,pid=12,uid=0"
	static const struct line
		cut[] = { { 1, OOM_HEAD }, { 1, "Out of memory: Killed" } },
		in_number[] = { { 1, OOM_HEAD },
				{ 1, "Memory cgroup out of memory: Killed process 1" } },
		with_line[] = { { 1, OOM_HEAD },
				{ 1, CHOSEN },
				{ 1, "Out of memory: Killed process " } },
		freed[] = { { 1, OOM_HEAD }, { 2, FREED } },
		chosen_and_freed[] = { { 1, OOM_HEAD }, { 1, CHOSEN }, { 2, FREED } },
		another[] = { { 1, OOM_HEAD },
			      { 1,
				"Killed process 12 (b) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
			      { 1, OOM_HEAD },
			      { 2, FREED } },
		either[] = { { 1, OOM_HEAD }, { 3, OOM_HEAD }, { 2, FREED } },
		none[] = { { 1, OOM_HEAD }, { 1, "Out of memory: Kill" } };
	struct oom_reports all;

	PARSE(&all, cut);
	CHECK(room[0].outcome == OOM_KILLED && !room[0].victim.pid.known &&
	      room[0].scope == OOM_SCOPE_GLOBAL);
	PARSE(&all, in_number);
	CHECK(room[0].outcome == OOM_KILLED && !room[0].victim.pid.known &&
	      room[0].scope == OOM_SCOPE_MEMCG);
	PARSE(&all, with_line);
	CHECK(room[0].outcome == OOM_KILLED && room[0].victim.pid.value == 12);
	PARSE(&all, freed);
	CHECK(all.n == 1 && room[0].outcome == OOM_KILLED && room[0].victim.pid.value == 12 &&
	      room[0].by_reaper);
	CHECK_TEXT(room[0].victim.comm, "b");
	PARSE(&all, chosen_and_freed);
	CHECK(room[0].outcome == OOM_KILLED && !room[0].by_reaper);
	PARSE(&all, another);
	CHECK(all.n == 2 && room[1].outcome == OOM_OUTCOME_UNKNOWN);
	PARSE(&all, either);
	CHECK(all.n == 2 && room[0].outcome == OOM_OUTCOME_UNKNOWN &&
	      room[1].outcome == OOM_OUTCOME_UNKNOWN);
	PARSE(&all, none);
	CHECK(room[0].outcome == OOM_OUTCOME_UNKNOWN);
}

/* Two reports of the OOM killer without callers: what the second would print later is of the first. */
static void two_of_the_oom_killer(void)
{
#define HEAD_OF(COMM) \
	COMM " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
#define CPU_OF(COMM, PID) "CPU: 0 UID: 0 PID: " PID " Comm: " COMM " Not tainted 6.12.107 #1"
	const struct line of_a_cgroup[] = {
		{ 0, HEAD_OF("first") },
		{ 0, CPU_OF("first", "296") },
		{ 0, HEAD_OF("second") },
		{ 0, "memory: usage 180040kB, limit 180224kB, failcnt 46655" },
		{ 0, "Memory cgroup stats for /db:" },
		{ 0, CPU_OF("second", "340") },
		{ 0, "memory: usage 102400kB, limit 102400kB, failcnt 61" },
		{ 0, "Memory cgroup stats for /second:" },
	}, of_the_system[] = {
		{ 0, HEAD_OF("first") },
		{ 0, CPU_OF("first", "112") },
		{ 0, "Mem-Info:" },
		{ 0, HEAD_OF("second") },
		{ 0, CPU_OF("second", "296") },
		{ 0, "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled" },
	}, alone[] = {
		{ 0, HEAD_OF("first") },
		{ 0, HEAD_OF("second") },
		{ 0, CPU_OF("second", "296") },
		{ 0, "memory: usage 180040kB, limit 180224kB, failcnt 46655" },
		{ 0, "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled" },
	};
	struct oom_reports all;

	parse_lines(&all, of_a_cgroup, ARRAY_SIZE(of_a_cgroup), false);
	CHECK(all.n == 2 && room[1].is_mixed && !room[1].memory.limit_kib.known &&
	      !*room[1].oom_memcg);
	parse_lines(&all, of_the_system, ARRAY_SIZE(of_the_system), false);
	CHECK(all.n == 3 && room[1].is_mixed && !*room[1].constraint &&
	      room[1].outcome == OOM_OUTCOME_UNKNOWN && room[2].outcome == OOM_PANICKED);
	/* Of the first no line is left. */
	parse_lines(&all, alone, ARRAY_SIZE(alone), false);
	CHECK(all.n == 2 && !room[1].is_mixed && room[1].outcome == OOM_PANICKED &&
	      room[1].memory.limit_kib.value == 180224);
}

/* First lines that a terminal cut, some with the last character of the line in its last column. */
static void cut_heads(void)
{
	static const struct {
		const char *text, *gfp, *nodemask;
		bool has_order;
	} cases[] = {
#define FAILED "a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL|__GFP_COMP)"
#define ASKED "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL|__GFP_COMP)"
#define BOTH "GFP_KERNEL|__GFP_COMP"
		{ FAILED ", nodemask=(null),cpuset=/,mems0", BOTH, "(null)", true },
		{ FAILED ", nodemask=(null),cpuset=/,mems_all", BOTH, "(null)", true },
		{ FAILED ", nodemask=0-1,cpuset=/box/in0", BOTH, "0-1", true },
		{ FAILED ", nodemask=0-1,c0", BOTH, "0-1", true },
		{ FAILED ", nodemask=0-10", BOTH, "", true },
		{ FAILED ", nodemask=(nul0", BOTH, "", true },
		{ FAILED ", nodemas0", BOTH, "", true },
		{ FAILED ",", BOTH, "", true },
		{ "a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL|__GFP_0", "", "",
		  true },
		{ ASKED ", order=1, oom_score0", BOTH, "", true },
		{ ASKED ", order=1,", BOTH, "", true },
		{ ASKED ", nodemask=(null), order=1, oo", BOTH, "(null)", true },
		{ ASKED ", nodemask=0-1, or0", BOTH, "0-1", false },
		{ ASKED ", nodemask=0-1", BOTH, "", false },
		{ ASKED ", order=1", BOTH, "", false },
		{ ASKED ", orde0", BOTH, "", false },
		{ "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL|__G", "", "", false },
	};
	static const char *const others[] = {
		FAILED ", nodemask=(null),cpuset=/ and more",
		FAILED ", nodemask=(null),cpu of it",
		FAILED " in a path",
		"a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL and more",
		ASKED " in a path",
		ASKED ", order=1 in a path",
		ASKED ", order=1, oom_kill",
	};
	struct oom_reports all;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct line lines[] = {
			{ 0, cases[i].text },
			{ 0, "CPU: 1 UID: 0 PID: 635 Comm: a Not tainted 6.12.107 #6" },
		};

		parse_lines(&all, lines, ARRAY_SIZE(lines), false);
		CHECK(all.n == 1 && !all.unread && room[0].has_head);
		CHECK_TEXT(room[0].comm, "a");
		CHECK_TEXT(room[0].gfp, cases[i].gfp);
		CHECK_TEXT(room[0].nodemask, cases[i].nodemask);
		CHECK(!*room[0].cpuset && !*room[0].mems_allowed);
		CHECK(room[0].has_order == cases[i].has_order);
		CHECK(!room[0].has_order || room[0].order == 1);
		CHECK(room[0].gfp_mask.value == 0xcc0 && room[0].pid.value == 635);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct line line = { 0, others[i] };

		parse_lines(&all, &line, 1, false);
		CHECK(all.n == 0 && all.unread == 1);
	}
}

/* Of two reports of one name without times the second has the pid, where the first had its own before. */
static void two_of_a_name(void)
{
	const struct line lines[] = {
		{ 0,
		  "a: page allocation failure: order:0, mode:0x820(GFP_ATOMIC), nodemask=(null)" },
		{ 0, "CPU: 1 PID: 40 Comm: a Not tainted 6.8.9 #1" },
		{ 0,
		  "a: page allocation failure: order:0, mode:0xcc0(GFP_KERNEL), nodemask=(null)" },
		{ 0, "CPU: 0 PID: 41 Comm: a Not tainted 6.9.0 #1" },
		{ 0, "Mem-Info:" },
		{ 0,
		  "active_anon:1 inactive_anon:2 isolated_anon:0\n free:3 free_pcp:0 free_cma:0" },
	};
	struct oom_reports all;

	parse_lines(&all, lines, ARRAY_SIZE(lines), false);
	CHECK(all.n == 2 && room[0].pid.value == 40);
	/* The block may be of either. */
	CHECK(room[1].pid.known && room[1].pid.value == 41 && !room[1].has_mem_info);
	/* The first has no such line: it may be its own. */
	parse_lines(&all, (const struct line[]){ lines[0], lines[2], lines[3], lines[4], lines[5] },
		    5, false);
	CHECK(all.n == 2 && !room[0].pid.known && !room[1].pid.known);
}

TESTS({ "a cgroup whose first lines are lost", cgroup_without_a_head },
      { "two reports of the OOM killer", two_of_the_oom_killer },
      { "lines that were cut", cut_lines }, { "first lines that were cut", cut_heads },
      { "two of one name", two_of_a_name }, { "failures of vmalloc", vmalloc_failures },
      { "a name behind something else", prefixed_heads }, { "odd first lines", odd_heads },
      { "a panic without its report", panics_alone }, { "a path that was cut", cut_limits },
      { "kernels before 3.0", before_3_0 },
      { "a path with the next line behind it", joined_limits },
      { "lines of two reports", mixed_lines }, { "a report whose first line is lost", lost_head },
      { "paths in pieces", paths_in_pieces }, { "victims whose line is cut or lost", lost_victims })
