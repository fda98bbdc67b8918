// SPDX-License-Identifier: GPL-2.0-or-later
/* Two reports without callers whose lines stand in one another. */
#include "test.h"
#include "oom_lines.h"

#define HEAD(name) name " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
#define CPU_OF(pid, name) "CPU: 1 PID: " pid " Comm: " name " Not tainted 6.12.10 #1"
#define FAILURE(name) \
	name ": page allocation failure: order:4, mode:0xcc0(GFP_KERNEL), nodemask=(null)"
#define COUNTERS_OF(free) \
	"active_anon:1 inactive_anon:2 isolated_anon:0\n free:" free " free_pcp:0 free_cma:0"
#define KILL(name, pid)                                                                \
	"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0," \
	"global_oom,task_memcg=/" name ",task=" name ",pid=" pid ",uid=0"
#define KILL_OF(cgroup, name, pid)                                                      \
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=1," \
	"oom_memcg=/" cgroup ",task_memcg=/" cgroup ",task=" name ",pid=" pid ",uid=0"

#define LINES(all, ...)                                                              \
	do {                                                                         \
		const struct line lines_[] = { __VA_ARGS__ };                        \
		parse_lines(all, lines_, sizeof(lines_) / sizeof(lines_[0]), false); \
	} while (0)

/* A record of several lines, with those of another joined to it. */
static void joined_counters(void)
{
	struct oom_reports all;

	LINES(&all, { 0, FAILURE("b") }, { 0, HEAD("a") },
	      { 0, COUNTERS_OF("7\nactive_anon:5 inactive_anon:6 isolated_anon:0\n free:3") },
	      { 0, KILL("v", "6") });
	CHECK(all.n == 2 && all.has_mixed);
	CHECK(!room[1].has_mem_info && room[1].victim.pid.value == 6);
	/* A console that prints a line again. */
	LINES(&all, { 0, HEAD("a") },
	      { 0, COUNTERS_OF("7 free_pcp:0 free_cma:0\nactive_anon:1 inactive_anon:2\n free:7") },
	      { 0, KILL("v", "6") });
	CHECK(!all.has_mixed && room[0].mem.pages[MEM_free].value == 7);
	/* The first line of the other is lost. */
	LINES(&all, { 0, HEAD("a") }, { 0, COUNTERS_OF("7 free_pcp:0 free_cma:0\n free:3") },
	      { 0, KILL("v", "6") });
	CHECK(all.has_mixed && !room[0].has_mem_info && !room[0].victim.pid.known);
}

/* Lines of its task tell whose they are, in any order. */
static void lines_of_tasks(void)
{
	struct oom_reports all;

	LINES(&all, { 0, FAILURE("b") }, { 0, HEAD("a") }, { 0, CPU_OF("8", "b") },
	      { 0, CPU_OF("9", "a") }, { 0, COUNTERS_OF("7") });
	CHECK(all.has_mixed && !room[1].has_mem_info);
	CHECK(room[1].pid.value == 9 && !room[0].pid.known);
	/* Two of one name. */
	LINES(&all, { 0, FAILURE("a") }, { 0, HEAD("a") }, { 0, CPU_OF("8", "a") },
	      { 0, COUNTERS_OF("7") }, { 0, COUNTERS_OF("3") });
	CHECK(all.has_mixed && !room[1].has_mem_info && !room[1].pid.known);
	LINES(&all, { 0, FAILURE("a") }, { 0, HEAD("a") }, { 0, "Mem-Info:" }, { 0, "Mem-Info:" },
	      { 0, CPU_OF("8", "a") });
	CHECK(all.has_mixed && !room[1].pid.known);
	LINES(&all, { 0, FAILURE("a") }, { 0, HEAD("a") }, { 0, CPU_OF("8", "a") },
	      { 0, CPU_OF("9", "a") }, { 0, KILL("v", "6") });
	CHECK(!room[1].pid.known && room[1].victim.pid.value == 6);
	/* The rest of the first one is lost, or was never printed. */
	LINES(&all, { 0, FAILURE("b") }, { 0, HEAD("a") }, { 0, CPU_OF("9", "a") },
	      { 0, "Mem-Info:" }, { 0, COUNTERS_OF("7") }, { 0, KILL("v", "6") });
	CHECK(!all.has_mixed && room[1].mem.pages[MEM_free].value == 7);
	CHECK(room[1].pid.value == 9 && room[1].victim.pid.value == 6);
}

/* Each victim is of the line that has it, and of no task. */
static void two_kills(void)
{
	struct oom_reports all;

	LINES(&all, { 0, HEAD("a") }, { 0, HEAD("b") }, { 0, CPU_OF("9", "b") },
	      { 0, COUNTERS_OF("7") }, { 0, "memory: usage 8kB, limit 8kB, failcnt 1" },
	      { 0, KILL_OF("box", "v", "6") }, { 0, KILL("w", "5") },
	      { 0, "Out of memory: Killed process 5 (w) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
	      { 0, "Memory cgroup out of memory: Killed process 6 (v) total-vm:8kB, "
		   "anon-rss:4kB, file-rss:0kB" });
	CHECK(all.n == 4 && all.has_mixed);
	CHECK(!room[1].has_mem_info && !room[1].victim.pid.known);
	CHECK_TEXT(room[1].constraint, "");
	CHECK_TEXT(room[1].oom_memcg, "");
	CHECK(!room[2].has_head && room[2].victim.pid.value == 6 && room[2].kills == 1);
	CHECK_TEXT(room[2].oom_memcg, "/box");
	CHECK(room[3].victim.pid.value == 5 && room[3].kills == 1);
	CHECK(room[3].scope == OOM_SCOPE_GLOBAL);
	/* The other way round, and what contradicts comes with the victim alone. */
	LINES(&all, { 0, HEAD("a") }, { 0, HEAD("b") },
	      { 0, "memory: usage 8kB, limit 8kB, failcnt 1" }, { 0, "Mem-Info:" },
	      { 0, KILL("w", "5") });
	CHECK(all.has_mixed && !room[1].memory.usage_kib.known && !room[1].victim.pid.known);
	CHECK(room[1].scope == OOM_SCOPE_UNKNOWN && room[2].victim.pid.value == 5);
	LINES(&all, { 0, HEAD("a") }, { 0, HEAD("b") },
	      { 0, "memory: usage 8kB, limit 8kB, failcnt 1" }, { 0, KILL("w", "5") });
	CHECK(all.has_mixed && !room[1].victim.pid.known);
	/* The rest of the first one comes behind the end of the second. */
	LINES(&all, { 0, HEAD("a") }, { 0, HEAD("b") }, { 0, COUNTERS_OF("7") },
	      { 0, KILL("w", "5") },
	      { 0, "Out of memory: Killed process 5 (w) total-vm:8kB, anon-rss:4kB, file-rss:0kB" },
	      { 0, COUNTERS_OF("3") }, { 0, KILL("x", "4") });
	CHECK(all.has_mixed && !room[1].has_mem_info && !room[1].victim.pid.known);
	/* Up to 3.7 a report of a cgroup has the block too. */
	LINES(&all, { 0, HEAD("a") }, { 0, "Pid: 9, comm: a Not tainted 2.6.32 #1" },
	      { 0, "Task in /box killed as a result of limit of /box" },
	      { 0, "memory: usage 8kB, limit 8kB, failcnt 1" }, { 0, "Mem-Info:" },
	      { 0, COUNTERS_OF("7") });
	CHECK(!all.has_mixed && room[0].memory.usage_kib.value == 8);
}

/* The block of a report of the OOM killer, whose figures are those of its machine, whole. */
#define BLOCK(free)                                                             \
	{ 0, "Mem-Info:" }, { 0, COUNTERS_OF(free) }, { 0, "65406 pages RAM" }, \
	{                                                                       \
		0, "9 pages reserved"                                           \
	}
#define TABLE                                              \
	{                                                  \
		0, "Tasks state (memory values in pages):" \
	}
#define KILL_LINE                 \
	{                         \
		0, KILL("v", "6") \
	}
#define OOM_PANIC                                                                                   \
	{                                                                                           \
		0, "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled" \
	}

/* The OOM killer's block comes before its table and its victim: one that begins behind these is of the other. */
static void order_of_parts(void)
{
	struct oom_reports all;

	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, BLOCK("7"), TABLE, OOM_PANIC,
	      BLOCK("3"));
	CHECK(all.n == 2 && all.has_mixed && room[0].outcome == OOM_PANICKED);
	CHECK(room[0].mem.pages[MEM_free].value == 7 && room[1].mem.pages[MEM_free].value == 3);
	LINES(&all, { 0, FAILURE("b") }, { 0, HEAD("a") }, BLOCK("7"), TABLE, KILL_LINE,
	      BLOCK("3"));
	CHECK(all.n == 2 && all.has_mixed && room[1].victim.pid.value == 6);
	CHECK(room[1].mem.pages[MEM_free].value == 7 && room[0].mem.pages[MEM_free].value == 3);
	/* The failure has none, as the kernel limits the rate of these. */
	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, BLOCK("7"), TABLE, KILL_LINE);
	CHECK(all.n == 2 && room[0].mem.pages[MEM_free].value == 7 && !room[1].has_mem_info);
	LINES(&all, { 0, FAILURE("b") }, { 0, HEAD("a") }, BLOCK("7"), TABLE, KILL_LINE);
	CHECK(!all.has_mixed && room[1].mem.pages[MEM_free].value == 7 && !room[0].has_mem_info);
	/* A cgroup's report has none. */
	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, BLOCK("7"),
	      { 0, "memory: usage 8kB, limit 8kB, failcnt 1" }, KILL_LINE);
	CHECK(room[1].mem.pages[MEM_free].value == 7 && !room[0].has_mem_info);
	/* Lines of both before the end of one. */
	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, { 0, "Mem-Info:" }, { 0, "Mem-Info:" },
	      { 0, COUNTERS_OF("7") }, TABLE, OOM_PANIC, { 0, COUNTERS_OF("3") });
	CHECK(all.has_mixed && !room[0].has_mem_info && !room[1].has_mem_info);
	LINES(&all, { 0, HEAD("a") }, { 0, "Mem-Info:" }, { 0, COUNTERS_OF("7") },
	      { 0, FAILURE("b") }, { 0, "Mem-Info:" }, { 0, COUNTERS_OF("3") },
	      { 0, "9 pages reserved" }, TABLE, OOM_PANIC, { 0, "8 pages reserved" });
	CHECK(room[0].mem.pages[MEM_free].value == 7 && !room[1].has_mem_info);
	/* The log ends before it tells. */
	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, BLOCK("7"));
	CHECK(all.has_mixed && !room[0].has_mem_info && !room[1].has_mem_info);
	LINES(&all, { 0, HEAD("a") }, BLOCK("7"), { 0, FAILURE("b") }, BLOCK("3"), TABLE,
	      KILL_LINE);
	CHECK(room[0].mem.pages[MEM_free].value == 7 && room[1].mem.pages[MEM_free].value == 3);
	/* The rest of one that has its block twice. */
	LINES(&all, { 0, HEAD("a") }, { 0, FAILURE("b") }, BLOCK("7"), TABLE, OOM_PANIC,
	      { 0, "Mem-Info:" }, { 0, COUNTERS_OF("3") }, { 0, COUNTERS_OF("4") });
	CHECK(room[0].mem.pages[MEM_free].value == 7 && !room[1].has_mem_info);
}

TESTS({ "the order of parts", order_of_parts }, { "records that were joined", joined_counters },
      { "lines of tasks", lines_of_tasks }, { "two kills", two_kills })
