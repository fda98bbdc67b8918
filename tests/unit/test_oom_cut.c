// SPDX-License-Identifier: GPL-2.0-or-later
/* A log that begins within its first report, as one whose buffer was too small does. */
#include "oom/oom_report.h"
#include "oom/oom_tasks.h"
#include "oom/oom_trace.h"

#include <stdlib.h>

#include "oom_lines.h"
#include "test.h"

#define HEADER "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"
#define ROW "[    181]     0   181    13067     5734   139264        0             0 hungry"
#define PANIC "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled"
#define ZONE                                                                          \
	"Node 0 DMA32 free:1384kB boost:0kB min:1964kB low:2452kB high:2940kB "       \
	"active_anon:2584kB inactive_anon:29608kB present:261624kB managed:244012kB " \
	"mlocked:0kB bounce:0kB free_pcp:2872kB local_pcp:2872kB free_cma:0kB"
#define BLOCKS                                                                                \
	"Node 0 DMA32: 2*4kB (UM) 0*8kB 2*16kB (UM) 0*32kB 2*64kB (UM) 2*128kB (UM) 1*256kB " \
	"(U) 1*512kB (M) 0*1024kB 0*2048kB 0*4096kB = 1192kB"

static const char *const block[] = {
	" slab_reclaimable:207 slab_unreclaimable:3713\n mapped:613 shmem:664 pagetables:178\n"
	" free:346 free_pcp:718 free_cma:0",
	"Node 0 active_anon:2656kB inactive_anon:29804kB shmem:0kB all_unreclaimable? yes",
	ZONE,
	"lowmem_reserve[]: 0 0 0",
	BLOCKS,
	"665 total pagecache pages",
	"0 pages in swap cache",
	"Free swap  = 0kB",
	"Total swap = 49148kB",
	"65406 pages RAM",
	"0 pages HighMem/MovableOnly",
	"4403 pages reserved",
	HEADER,
	ROW,
	PANIC,
};

static void begin_at(struct oom_reports *all, size_t first)
{
	struct line lines[ARRAY_SIZE(block)];

	for (size_t i = first; i < ARRAY_SIZE(block); i++)
		lines[i] = (struct line){ 181, block[i] };
	parse_lines(all, lines + first, ARRAY_SIZE(block) - first, true);
	mem_info_compare(&room->mem);
	mem_info_fill(&room->mem);
}

/* Whatever line is the first one: it is one report, which has what is left of it, and no sum of less than all. */
static void each_line_of_the_block(void)
{
	const struct oom_report *r = room;
	struct oom_reports all;

	for (size_t i = 0; i + 1 < ARRAY_SIZE(block); i++) {
		begin_at(&all, i);
		CHECK(all.n == 1 && r->kind == OOM_REPORT_OOM && !r->has_head);
		CHECK(r->outcome == OOM_PANICKED);
		CHECK(r->is_cut == (i <= 11));
		CHECK(r->mem.nzones == (i <= 2));
		CHECK(r->mem.ram.known == (i <= 9));
		CHECK(r->mem.free_swap_kib.known == (i <= 7));
		/* Its own counter, else the only zone, where that is all RAM and its node is there. */
		CHECK(r->mem.pages[MEM_free].known == (i <= 1));
		CHECK(i > 1 || r->mem.pages[MEM_free].value == 346);
		CHECK(all.has_counters == !i);
	}
}

/* Of which kind it is no line tells. */
static void a_block_alone(void)
{
	static const struct line lines[] = { { 1, ZONE }, { 1, "lowmem_reserve[]: 0 0 0" } };
	struct oom_reports all;

	parse_lines(&all, lines, ARRAY_SIZE(lines), false);
	CHECK(all.n == 1 && room->kind == OOM_REPORT_MEM_INFO && room->is_cut);
	CHECK(!room->mem.pages[MEM_free].known);
}

/* Those of its trace and its table are of no other report. */
static void what_only_the_oom_killer_prints(void)
{
	static const char *const firsts[] = {
		" dump_header+0x45/0x1c0",
		"oom_kill_process.cold+0xa/0xab",
		" [<ffffffff811928c2>] oom_kill_process+0x202/0x3c0",
		"[<c00f87f8>] (oom_kill_process) from [<c00f90c8>] (dump_header.isra.14+0x2f4/0x354)",
		ROW,
		"[ 2737]     0  2737     2362     1506       8       0        0             0 dhcpd",
	};
	static const char *const others[] = {
		" ? oom_kill_process+0x202/0x3c0", " dump_headers+0x45/0x1c0",
		" out_of_memory+0x45/0x1c0",	   "[ 2737]     0  2738 2362 1506 8 0 0 dhcpd",
		"[ 2737]     0  2737 2362",	   "[ 2737] 0 2737 2362 1506 8 ",
		"[ 2737]: 0 2737 2362 1506 8 0 a", "",
	};
	struct oom_reports all;

	for (size_t i = 0; i < ARRAY_SIZE(firsts); i++) {
		const struct line lines[] = { { 1, firsts[i] }, { 1, "Mem-Info:" } };

		parse_lines(&all, lines, ARRAY_SIZE(lines), false);
		CHECK(all.n == 1 && room->kind == OOM_REPORT_OOM && !room->has_head);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		const struct line lines[] = { { 1, others[i] } };

		parse_lines(&all, lines, ARRAY_SIZE(lines), false);
		CHECK(!all.n);
	}
}

/* The counters of a cgroup have its path, whatever is left of the line that names it at the end of the report. */
static void end_of_a_cgroup(void)
{
	static const char *const ends[] = {
		"oom-kill:constraint=CONSTRAINT_BPF_PSI,nodemask=(null),cp",
		"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,oom_me",
		"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/bo",
		("oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/box,"
		 "task_memcg=/box,ta"),
	};
	static const char *const others[] = { ",oom_memcg=/bax", ",oom_memcg=/box/a,task_memcg=/",
					      ",oom_memcg=/boxes,task" };
	struct oom_reports all;
	char text[256];

	for (size_t i = 0; i < ARRAY_SIZE(ends) + ARRAY_SIZE(others); i++) {
		const struct line lines[] = {
			{ 5,
			  "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
			{ 5, "memory: usage 4096kB, limit 4096kB, failcnt 5" },
			{ 5, "Memory cgroup stats for /box:" },
			{ 5, text },
			{ 5,
			  "Memory cgroup out of memory: Killed process 5 (a) total-vm:8kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB" },
		};
		const bool is_of_it = i < ARRAY_SIZE(ends);

		snprintf(text, sizeof(text), "%s%s",
			 is_of_it ? ends[i]
				  : "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)",
			 is_of_it ? "" : others[i - ARRAY_SIZE(ends)]);
		for (int with_callers = 0; with_callers < 2; with_callers++) {
			parse_lines(&all, lines, ARRAY_SIZE(lines), with_callers);
			CHECK(all.n == 1 && room->scope == OOM_SCOPE_MEMCG &&
			      room->outcome == OOM_KILLED && oom_report_is_of_cgroup(room));
			CHECK_TEXT(room->oom_memcg, is_of_it ? "/box" : "");
		}
	}
}

/* Nothing ends the path of the limit, which is that of the task or one above it. */
static void limit_that_is_cut(void)
{
	static const struct {
		const char *limit, *path;
	} of[] = { { "/web/a", "/web/a" }, { "/web/", "" }, { "/web", "/web" },
		   { "/we", "" },	   { "/", "" },	    { "", "" },
		   { "/web/ab", "" } };
	struct oom_reports all;
	char text[128];

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		const struct line lines[] = {
			{ 5, "a invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=0" },
			{ 5, text },
			{ 5, "memory: usage 4096kB, limit 4096kB, failcnt 5" },
		};

		snprintf(text, sizeof(text), "Task in /web/a killed as a result of limit of %s",
			 of[i].limit);
		parse_lines(&all, lines, ARRAY_SIZE(lines), true);
		CHECK(all.n == 1 && room->scope == OOM_SCOPE_MEMCG);
		CHECK_TEXT(room->oom_memcg, of[i].path);
	}
}

/* What oom_reaper left of a victim is told where it is more than half. */
static void hardly_freed(void)
{
	static const struct {
		unsigned long left, freed;
	} of[] = { { 4096, 0 }, { 2049, 2047 }, { 2048, UINT64_MAX }, { 4097, UINT64_MAX } };
	struct oom_reports all;
	char text[128];

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		const struct line lines[] = {
			{ 5,
			  "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
			{ 5,
			  "Out of memory: Killed process 5 (a) total-vm:8192kB, anon-rss:4096kB, file-rss:0kB, shmem-rss:0kB" },
			{ 6, text },
		};
		uint64_t kib = UINT64_MAX;

		snprintf(text, sizeof(text),
			 "oom_reaper: reaped process 5 (a), now anon-rss:%lukB, file-rss:0kB",
			 of[i].left);
		parse_lines(&all, lines, ARRAY_SIZE(lines), true);
		CHECK(all.n == 1 &&
		      oom_report_hardly_freed(room, &kib) == (of[i].freed != UINT64_MAX));
		CHECK(kib == of[i].freed);
	}
}

/* The last line of a panic is of the report that was open at the first one, whose words were damaged. */
static void end_of_a_panic(void)
{
	static const char *const firsts[] = {
		"Kernel panic - not syncing:  system-wide panic_on_oom is enabled",
		"Kernel panic - not syncing: Out of my: system-wide panic_on_oom is enabled",
	};
	struct line lines[] = {
		{ 5,
		  "bash invoked oom-killer: gfp_mask=0x40cc0(GFP_KERNEL|__GFP_COMP), order=3, oom_score_adj=0" },
		{ 5, ZONE },
		{ 5, NULL },
		{ 5, "CPU: 1 UID: 0 PID: 5 Comm: bash Tainted: G" },
		{ 5,
		  "---[ end Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled ]---" },
	};
	struct oom_reports all;

	for (size_t i = 0; i < ARRAY_SIZE(firsts); i++) {
		lines[2].text = firsts[i];
		parse_lines(&all, lines, ARRAY_SIZE(lines), false);
		CHECK(all.n == 1 && room->has_head && room->order == 3);
		CHECK(room->outcome == OOM_PANICKED && room->scope == OOM_SCOPE_GLOBAL);
		CHECK_TEXT(room->constraint, "CONSTRAINT_NONE");
	}
	lines[0].text = "bash: page allocation failure: order:3, mode:0x40cc0";
	parse_lines(&all, lines, ARRAY_SIZE(lines), false);
	CHECK(all.n == 2 && room->kind == OOM_REPORT_ALLOCATION);
}

TESTS({ "a log that begins with any line of the block", each_line_of_the_block },
      { "one without a line that tells its kind", a_block_alone },
      { "lines of the OOM killer alone", what_only_the_oom_killer_prints },
      { "the end of a report of a cgroup", end_of_a_cgroup },
      { "the path of a limit that is cut", limit_that_is_cut },
      { "a victim that was hardly freed", hardly_freed },
      { "the last line of a panic whose first is damaged", end_of_a_panic })
