// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel log says of memory that ran out, in the texts of 4.19 to 7.3. */
#include "oom/mems_allowed.h"
#include "oom/oom_report.h"

#include <stdlib.h>

#include "oom_lines.h"
#include "test.h"

#define PARSE(all, lines) parse_lines(all, lines, sizeof(lines) / sizeof((lines)[0]), true)
#define PARSE_OLD(all, lines) parse_lines(all, lines, sizeof(lines) / sizeof((lines)[0]), false)

/* The counters of 6.12-oom. */
#define COUNTERS                                                   \
	"active_anon:664 inactive_anon:7451 isolated_anon:0\n"     \
	" active_file:0 inactive_file:1 isolated_file:0\n"         \
	" unevictable:0 dirty:0 writeback:0\n"                     \
	" slab_reclaimable:207 slab_unreclaimable:3713\n"          \
	" mapped:613 shmem:664 pagetables:178\n"                   \
	" sec_pagetables:0 bounce:0\n kernel_misc_reclaimable:0\n" \
	" free:346 free_pcp:718 free_cma:0"
#define HEAD                                                                                       \
	"hungry invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO)" \
	", order=0, oom_score_adj=0"
#define ZONE                                                                                \
	"DMA32 free:1384kB boost:0kB min:1964kB low:2452kB high:2940kB "                    \
	"reserved_highatomic:0KB active_anon:2584kB inactive_anon:29608kB active_file:0kB " \
	"inactive_file:4kB unevictable:0kB writepending:0kB present:261624kB "              \
	"managed:244012kB mlocked:0kB bounce:0kB free_pcp:2872kB local_pcp:2872kB free_cma:0kB"
#define BLOCKS                                                                             \
	"DMA32: 2*4kB (UM) 0*8kB 2*16kB (UM) 0*32kB 2*64kB (UM) 2*128kB (UM) 1*256kB (U) " \
	"1*512kB (M) 0*1024kB 0*2048kB 0*4096kB = 1192kB"
#define PANIC "Kernel panic - not syncing: Out of memory: system-wide panic_on_oom is enabled"
#define FIGURES                                                                                     \
	"total-vm:52268kB, anon-rss:22936kB, file-rss:0kB, shmem-rss:4kB, UID:1000 pgtables:136kB " \
	"oom_score_adj:0"

static uint64_t pages(const struct oom_report *r, enum mem_counter counter)
{
	return r->mem.pages[counter].known ? r->mem.pages[counter].value : UINT64_MAX;
}

static void a_panic_on_oom(void)
{
	static const struct line lines[] = {
		{ 181, HEAD },
		{ 181, "CPU: 1 UID: 0 PID: 181 Comm: hungry Tainted: G  O  6.12.95 #1 " },
		{ 181, "Call Trace:" },
		{ 181, " dump_header+0x45/0x1c0" },
		{ 181, " ? lying_there+0x5/0x10 [other]" },
		{ 9, " of_another_task+0x5/0x10 [other]" },
		{ 181, " vgx_ioctl+0x154/0xd80 [vgx 0123456789abcdef]" },
		{ 181, " vgx_open+0x20/0x90 [vgx]" },
		{ 181, "Mem-Info:" },
		{ 181, COUNTERS },
		{ 181, "Node 0 active_anon:2656kB inactive_anon:29804kB all_unreclaimable? yes" },
		{ 181, ZONE },
		{ 181, "lowmem_reserve[]: 0 0 0" },
		{ 181, BLOCKS },
		{ 181, "665 total pagecache pages" },
		{ 181, "0 pages in swap cache" },
		{ 181, "Free swap  = 0kB" },
		{ 181, "Total swap = 49148kB" },
		{ 181, "65406 pages RAM" },
		{ 181, "4403 pages reserved" },
		{ 181, "Tasks state (memory values in pages):" },
		{ 181, PANIC },
	};
	struct oom_reports all;
	const struct oom_report *r = room;
	const struct mem_zone *z = room->mem.zones;

	PARSE(&all, lines);
	CHECK(all.n == 1 && !all.dropped && r->kind == OOM_REPORT_OOM && r->has_head);
	CHECK_TEXT(r->comm, "hungry");
	CHECK_TEXT(r->gfp, "GFP_HIGHUSER_MOVABLE|__GFP_COMP|__GFP_ZERO");
	CHECK(r->ts_ns == 1 && r->pid.value == 181 && r->gfp_mask.value == 0x140dca);
	CHECK(r->cpu.known && r->cpu.value == 1);
	CHECK(r->has_order && !r->order && r->outcome == OOM_PANICKED);
	CHECK_TEXT(r->asked_in, "vgx_ioctl [vgx]");
	CHECK_TEXT(r->function, "vgx_ioctl");
	CHECK_TEXT(r->system_call, "");
	/* panic_on_oom=1 */
	CHECK_TEXT(r->constraint, "CONSTRAINT_NONE");
	CHECK(r->constraint_derived);
	CHECK(r->scope == OOM_SCOPE_GLOBAL && !r->victim.pid.known);
	CHECK(r->has_mem_info && pages(r, MEM_free) == 346 && pages(r, MEM_shmem) == 664);
	CHECK(pages(r, MEM_slab_reclaimable) == 207 && pages(r, MEM_slab_unreclaimable) == 3713);
	CHECK(pages(r, MEM_pagetables) == 178 && pages(r, MEM_unstable) == UINT64_MAX);
	CHECK(r->mem.nzones == 1 && !z->node.known && z->kib[MEM_ZONE_min].value == 1964);
	CHECK_TEXT(z->name, "DMA32");
	CHECK(z->kib[MEM_ZONE_reserved_highatomic].known && z->kib[MEM_ZONE_free_cma].known);
	CHECK(z->nreserve == 3 && z->orders == 11 && z->free_blocks[5] == 2);
	CHECK_TEXT(z->types[0], "UM");
	CHECK_TEXT(z->types[1], "");
	CHECK(r->mem.ram.value == 65406 && r->mem.reserved.value == 4403);
	CHECK(r->mem.pagecache.value == 665 && r->mem.free_swap_kib.known);
	CHECK(r->mem.total_swap_kib.value == 49148 && r->mem.swap_cache.known);
	CHECK(oom_reports_last(&all, OOM_REPORT_OOM) == r && oom_reports_last_mem_info(&all) == r);
	CHECK(!oom_reports_last(&all, OOM_REPORT_ALLOCATION));
	CHECK_TEXT(oom_outcome_name(r->outcome), "panicked");
	CHECK(!oom_outcome_name(OOM_OUTCOME_UNKNOWN));
}

#define OF_ALL                                                                               \
	"oom-kill:constraint=CONSTRAINT_CPUSET,nodemask=0-1,3,cpuset=small,mems_allowed=0,2" \
	",global_oom,task_memcg=/user.slice,task=a, (b),pid=77,uid=1000"

static void a_victim(void)
{
	static const struct line lines[] = {
		{ 5,
		  "kworker/0:1 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=3, oom_score_adj=-17" },
		/* Lines of other callers in between. */
		{ 0x80000001, "x: page allocation failure: order:2, mode:0x920(GFP_ATOMIC), "
			      "nodemask=(null),cpuset=/,mems_allowed=0" },
		{ 0x80000001, "active_anon:1 free:2 free_cma:0" },
		{ 6, "active_anon:3 free:4 free_cma:0" },
		{ 5, COUNTERS },
		{ 5, "Node 1 Normal free:4kB min:1kB low:2kB high:3kB" },
		{ 5, "Node 0 Normal free:5kB min:2kB low:2kB high:3kB" },
		{ 5, "Node 1 Normal: 1*4kB (M) = 4kB" },
		/* A digit of it is lost. */
		{ 5, "Node 0 Normal: 1*4kB (M) 0*8kB 1*16kB (M) = 200kB" },
		{ 5, OF_ALL },
		{ 5, "Out of memory: Killed process 77 (a, (b)) " FIGURES },
		{ 5, "oom_reaper: reaped process 77 (a, (b)), now anon-rss:0kB" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	CHECK(r->kill_ns > r->ts_ns);
	CHECK(all.n == 3 && r->order == 3 && r->pid.value == 5);
	CHECK_TEXT(r->constraint, "CONSTRAINT_CPUSET");
	CHECK(!r->constraint_derived);
	CHECK_TEXT(r->nodemask, "0-1,3");
	CHECK_TEXT(r->cpuset, "small");
	CHECK_TEXT(r->mems_allowed, "0,2");
	CHECK_TEXT(r->task_memcg, "/user.slice");
	CHECK_TEXT(r->oom_memcg, "");
	CHECK_TEXT(r->victim.comm, "a, (b)");
	CHECK(r->scope == OOM_SCOPE_GLOBAL && r->victim.pid.value == 77 && r->kills == 1);
	CHECK(r->victim.uid.value == 1000 && r->victim.total_vm_kib.value == 52268);
	CHECK(r->victim.anon_rss_kib.value == 22936 && r->victim.pgtables_kib.value == 136);
	CHECK(r->victim.shmem_rss_kib.value == 4 && r->victim.file_rss_kib.known);
	CHECK(r->outcome == OOM_KILLED && pages(r, MEM_free) == 346);
	CHECK(r->mem.nzones == 2 && r->mem.zones[0].node.value == 1 && r->mem.zones[0].orders == 1);
	CHECK(!r->mem.zones[1].orders);
	CHECK(r[1].kind == OOM_REPORT_ALLOCATION && r[1].order == 2 && !r[1].pid.known);
	CHECK_TEXT(r[1].nodemask, "(null)");
	CHECK_TEXT(r[1].cpuset, "/");
	CHECK_TEXT(r[1].comm, "x");
	CHECK(pages(&r[1], MEM_free) == 2);
	CHECK(r[2].kind == OOM_REPORT_MEM_INFO && !r[2].has_head && pages(&r[2], MEM_free) == 4);
	CHECK(oom_reports_last_mem_info(&all) == &r[2]);
	CHECK(oom_reports_last(&all, OOM_REPORT_OOM) == r);
}

#define OF_MEMCG                                                                        \
	"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0," \
	"oom_memcg=/box,task_memcg=/box/inner,task=eater,pid=90,uid=0"

static void a_cgroup(void)
{
	static const struct line lines[] = {
		{ 90,
		  "eater invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 90, "memory: usage 102400kB, limit 102400kB, failcnt 58" },
		{ 90, "swap: usage 0kB, limit 9007199254740988kB, failcnt 0" },
		{ 90, "Memory cgroup stats for /box:" },
		{ 90, "anon 104144896" },
		{ 90, "Tasks state (memory values in pages):" },
		{ 90, OF_MEMCG },
		{ 90, "Memory cgroup out of memory: Killed process 90 (eater) " FIGURES },
		{ 90, "Tasks in /box are going to be killed due to memory.oom.group set" },
		{ 90, "Memory cgroup out of memory: Killed process 90 (eater) " FIGURES },
		{ 90, "Memory cgroup out of memory: Killed process 91 (other) " FIGURES },
		/* Another report, by sysrq-m. */
		{ 90, "Mem-Info:" },
		{ 90, COUNTERS },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	CHECK(all.n == 2 && r->scope == OOM_SCOPE_MEMCG && r->kills == 3);
	CHECK(r->memory.usage_kib.value == 102400 && r->memory.limit_kib.value == 102400);
	CHECK(r->memory.failcnt.value == 58 && r->swap.limit_kib.value == 9007199254740988);
	CHECK(!r->kmem.usage_kib.known && !r->has_mem_info && r->victim.pid.value == 90);
	/* The victim has a line of its own once more. */
	CHECK_TEXT(r->others, "other (91)");
	CHECK(!r->more_victims);
	CHECK_TEXT(r->oom_memcg, "/box");
	CHECK_TEXT(r->task_memcg, "/box/inner");
	/* The counters came before the line that has it. */
	CHECK_TEXT(r->constraint, "CONSTRAINT_MEMCG");
	CHECK(!r->constraint_derived);
	CHECK(!r[1].has_head && r[1].kind == OOM_REPORT_MEM_INFO && r[1].has_mem_info);
}

/* With panic_on_oom=2 the panic comes before the line "oom-kill:". */
static void a_cgroup_panics(void)
{
	static const struct line lines[] = {
		{ 90,
		  "eater invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 90, "memory: usage 102400kB, limit 102400kB, failcnt 58" },
		{ 90, "Memory cgroup stats for /box/a: b:" },
		{ 90,
		  "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled" },
	};
	/* Another CPU wrote behind the name; of the second report the usage is lost. */
	static const struct line pieces[] = {
		{ 90,
		  "eater invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 90, "memory: usage 102400kB, limit 102400kB, failcnt 58" },
		{ 90, "Memory cgroup stats for /box" },
		{ 91,
		  "other invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 91, "Memory cgroup stats for /none:" },
		{ 91,
		  "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	CHECK(all.n == 1 && r->outcome == OOM_PANICKED);
	CHECK_TEXT(r->oom_memcg, "/box/a: b");
	CHECK_TEXT(r->constraint, "CONSTRAINT_MEMCG");
	CHECK(r->constraint_derived);
	PARSE(&all, pieces);
	CHECK(all.n == 2 && r->scope == OOM_SCOPE_MEMCG && r[1].outcome == OOM_PANICKED);
	CHECK_TEXT(r->oom_memcg, "");
	CHECK_TEXT(r[1].oom_memcg, "/none");
	CHECK(r[1].constraint_derived);
}

/* The block has node 1 alone of two: a memory policy. With both of them it may be a cpuset, or none. */
static void a_policy_panics(void)
{
	struct oom_report r = { .has_head = true,
				.mem = { .nzones = 1, .zones = { { .node = { true, 1 } } } } };

	oom_report_take_nodes(&r, "0-1");
	CHECK(r.constraint_derived);
	CHECK_TEXT(r.constraint, "CONSTRAINT_MEMORY_POLICY");
	CHECK_TEXT(r.nodemask, "1");
	r = (struct oom_report){ .has_head = true,
				 .mem = { .nzones = 2,
					  .zones = { { .node = { true, 0 } },
						     { .node = { true, 1 } } } } };
	oom_report_take_nodes(&r, "0-1");
	CHECK(!*r.constraint);
	/* Not what the task may use. */
	oom_report_take_nodes(&r, "1-2");
	CHECK(!*r.constraint);
	r.mem = (struct mem_info){ .nzones = 1 };
	oom_report_take_nodes(&r, "0-1");
	CHECK(!*r.constraint);
}

static void older_texts(void)
{
	/* 4.19: the nodes in the first line, the victim in two lines. */
	static const struct line lines[] = {
		{ 0, "x: page allocation failure: order:0, mode:0x1(A), nodemask=0-1" },
		{ 0, "x cpuset=/ mems_allowed=0-1" },
		{ 0,
		  "sh invoked oom-killer: gfp_mask=0x6200ca(GFP_HIGHUSER_MOVABLE), nodemask=(null), order=0, oom_score_adj=0" },
		{ 0, "sh cpuset=/ mems_allowed=0" },
		{ 0, "CPU: 0 PID: 9 Comm: shell Not tainted 4.19.0 #1" },
		{ 0, COUNTERS " unstable:7" },
		{ 0, "Out of memory: Kill process 12 (a) score 800 or sacrifice child" },
		{ 0,
		  "Killed process 13 (b) total-vm:8kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB" },
		{ 0, "sh invoked oom-killer: gfp_mask=0x0(), order=-1, oom_score_adj=0" },
		{ 0, "CPU: 0 PID: 9 Comm: sh Not tainted 4.19.0 #1" },
		{ 0,
		  "Out of memory (oom_kill_allocating_task): OOM victim 9 (sh) is already exiting. Skip killing the task" },
		{ 0, "sh invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 0, "Out of memory and no killable processes..." },
		{ 0, "Kernel panic - not syncing: System is deadlocked on memory" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE_OLD(&all, lines);
	CHECK(all.n == 4);
	CHECK_TEXT(r->nodemask, "0-1");
	r++;
	CHECK_TEXT(r->nodemask, "(null)");
	CHECK(r->has_order && !r->order && !r->pid.known && pages(r, MEM_unstable) == 7);
	CHECK(!r->cpu.known && r[1].cpu.known && !r[1].cpu.value);
	CHECK(r->outcome == OOM_KILLED && r->victim.pid.value == 13 && !r->victim.uid.known);
	CHECK_TEXT(r->victim.comm, "b");
	CHECK(!r->victim.pgtables_kib.known && r->victim.anon_rss_kib.value == 4);
	CHECK(r[1].order == -1 && r[1].pid.value == 9 && r[1].outcome == OOM_EXITING);
	CHECK(r[1].victim.pid.value == 9 && !r[1].victim.total_vm_kib.known);
	CHECK(r[2].outcome == OOM_PANICKED && !r[2].victim.pid.known);
}

/* 4.19 has no line "oom-kill:", and names both cgroups in one that 5.0 left out. */
static void a_cgroup_of_4_19(void)
{
	static const struct line lines[] = {
		{ 0,
		  "eater invoked oom-killer: gfp_mask=0x6000c0(GFP_KERNEL), nodemask=(null), order=0, "
		  "oom_score_adj=0" },
		{ 0, "Task in /box/in killed as a result of limit of /box" },
		{ 0, "memory: usage 102400kB, limit 102400kB, failcnt 58" },
		{ 0, "Memory cgroup stats for /box: cache:0KB rss:22936KB" },
		{ 0,
		  "Memory cgroup out of memory: Kill process 90 (eater) score 912 or sacrifice child" },
		{ 0, "Killed process 90 (eater) total-vm:52268kB, anon-rss:22936kB, file-rss:0kB, "
		     "shmem-rss:4kB" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE_OLD(&all, lines);
	CHECK(all.n == 1 && r->scope == OOM_SCOPE_MEMCG && r->outcome == OOM_KILLED);
	CHECK(r->victim.pid.value == 90 && r->memory.limit_kib.value == 102400);
	CHECK_TEXT(r->oom_memcg, "/box");
	CHECK_TEXT(r->task_memcg, "/box/in");
	/* No line has it: memory of a cgroup runs out with this one only. */
	CHECK_TEXT(r->constraint, "CONSTRAINT_MEMCG");
	CHECK(r->constraint_derived);
}

/* Consoles of guests of 4.19.222: a victim that sysrq-f asked for; a cgroup whose OOM panics. */
static void consoles_of_4_19(void)
{
	static const struct line lines[] = {
		{ 11828502, "kworker/0:1 invoked oom-killer: gfp_mask=0x6000c0(GFP_KERNEL), "
			    "nodemask=(null), order=-1, oom_score_adj=0" },
		{ 11837380, "Mem-Info:" },
		{ 11837820, "active_anon:13000 inactive_anon:1503 isolated_anon:0\n"
			    " active_file:0 inactive_file:0 isolated_file:0\n"
			    " unevictable:0 dirty:0 writeback:0 unstable:0\n"
			    " slab_reclaimable:690 slab_unreclaimable:1432\n"
			    " mapped:573 shmem:2153 pagetables:43 bounce:0\n"
			    " free:40629 free_pcp:75 free_cma:0" },
		{ 11851243, "Tasks state (memory values in pages):" },
		{ 11853705,
		  "Out of memory: Kill process 56 (victim) score 213 or sacrifice child" },
		{ 11858450, "Killed process 56 (victim) total-vm:58408kB, anon-rss:49044kB, "
			    "file-rss:4kB, shmem-rss:692kB" },
		{ 12413137, "cartd invoked oom-killer: gfp_mask=0x6000c0(GFP_KERNEL), "
			    "nodemask=(null), order=0, oom_score_adj=0" },
		{ 12413137, "cartd cpuset=/ mems_allowed=0" },
		{ 12416546, "CPU: 0 PID: 91 Comm: cartd Tainted: G           O      4.19.222 #1" },
		{ 12421770, "Memory limit reached of cgroup /shop/checkout" },
		{ 12422008, "memory: usage 65416kB, limit 65536kB, failcnt 11" },
		{ 12422302, "kmem: usage 0kB, limit 9007199254740988kB, failcnt 0" },
		{ 12422445,
		  "Memory cgroup stats for /shop/checkout: cache:0KB rss:65208KB rss_huge:0KB" },
		{ 12423254, "Tasks state (memory values in pages):" },
		{ 12424461,
		  "Kernel panic - not syncing: Out of memory: compulsory panic_on_oom is enabled" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE_OLD(&all, lines);
	CHECK(all.n == 2 && r->order == -1 && r->outcome == OOM_KILLED);
	CHECK(r->victim.pid.value == 56 && r->victim.anon_rss_kib.value == 49044);
	CHECK(pages(r, MEM_unstable) == 0 && pages(r, MEM_free) == 40629);
	CHECK_TEXT(r->victim.comm, "victim");
	r++;
	CHECK(r->pid.value == 91 && r->scope == OOM_SCOPE_MEMCG && r->outcome == OOM_PANICKED);
	CHECK(r->memory.limit_kib.value == 65536 && !r->victim.pid.known);
	CHECK_TEXT(r->oom_memcg, "/shop/checkout");
	CHECK_TEXT(r->constraint, "CONSTRAINT_MEMCG");
}

/* Members that the name of a task or of a cgroup, which is what a user likes, could pretend to be. */
static void hostile_names(void)
{
	static const struct line lines[] = {
		{ 1,
		  "oom-kill:constra invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 1,
		  "active_anon:1\n invoked oom-killer: gfp_mask=0x0(), order=2, oom_score_adj=0" },
		{ 1,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"
		  "task_memcg=/,task=a,task=b,pid=5,uid=0" },
		{ 2, "x invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 2,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=n,mems_allowed=9,global_oom,"
		  "task_memcg=/,task=bash,pid=1,uid=0,mems_allowed=0,global_oom,task_memcg=/x,task=y,pid=6,uid=3" },
		{ 2,
		  "Out of memory: Killed process 7 (a) total-vm:9kB) total-vm:10kB, anon-rss:1kB, file-rss:2kB, shmem-rss:3kB" },
		{ 3, "y invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 3,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,"
		  "task_memcg=/,task=\npid=1\x1b,pid=8,uid=-1" },
		{ 4, "an invoked oom-kill" },
		{ 4,
		  "process '/x invoked oom-killer: gfp_mask=0x0(), order=1, oom_score_adj=0' started" },
		{ 4, "Node 0 DMA32 free:1kB min:4kB" },
		{ 4, "lowmem_reserve[]: 1 2" },
		{ 4, "memory: usage 1kB, limit 1kB, failcnt 1" },
		{ 4, "active_anon:5 free:x" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	/* The first is longer than the name of a task may be. */
	CHECK(all.n == 4 && r->order == 2 && !r->has_mem_info);
	CHECK_TEXT(r->comm, "active_anon:1?");
	CHECK(r->victim.pid.value == 5 && !r->victim.has_comm && !r->task_memcg[0]);
	CHECK(r->scope == OOM_SCOPE_GLOBAL);
	r++;
	CHECK(r->victim.pid.value == 7 && r->victim.has_comm && !r->cpuset[0]);
	CHECK_TEXT(r->victim.comm, "a) total-vm:9kB");
	CHECK(r->victim.total_vm_kib.value == 10 && r->victim.shmem_rss_kib.value == 3);
	r++;
	CHECK_TEXT(r->victim.comm, "?pid=1?");
	CHECK(r->victim.pid.value == 8 && r->victim.uid.value == UINT32_MAX);
	CHECK_TEXT(r->task_memcg, "/");
	/* Of a first line that is none the limit is told by its own. */
	r++;
	CHECK(!r->has_head && r->scope == OOM_SCOPE_MEMCG && r->memory.limit_kib.value == 1);
}

/* The "oom-kill:" line in pieces: its end counts, and where the end is not there, nothing does. */
static void pieces(void)
{
	static const struct line lines[] = {
		{ 1, "a invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 1,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=n,mems_allowed=9,global_oom,"
		  "task_memcg=/,task=bash,pid=1,uid=0" },
		{ 2, "another CPU" },
		{ 1, ",mems_allowed=0,global_oom,task_memcg=/,task=y,pid=6,uid=3" },
		{ 3, "b invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 3, "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/" },
		{ 2, NULL },
		{ 3, ",mems_allowed=1,global_oom" },
		{ 3, ",task_memcg=/t,task=z,pid=9,uid=4" },
		{ 4, "c invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0" },
		{ 4,
		  "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=n,mems_allowed=9,global_oom,"
		  "task_memcg=/,task=bash,pid=1,uid=0" },
		{ 4, NULL },
		{ 4, "Out of memory: Killed process 8 (late) " FIGURES },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	CHECK(all.n == 4 && r->victim.pid.value == 6 && !r->victim.has_comm && !r->cpuset[0]);
	CHECK(r[1].victim.pid.value == 9 && r[1].victim.uid.value == 4);
	CHECK_TEXT(r[1].victim.comm, "z");
	CHECK_TEXT(r[1].cpuset, "/");
	CHECK_TEXT(r[1].mems_allowed, "1");
	CHECK_TEXT(r[1].task_memcg, "/t");
	CHECK(!r[2].victim.pid.known && !r[2].cpuset[0] && r[2].outcome == OOM_OUTCOME_UNKNOWN);
	CHECK_TEXT(r[2].constraint, "CONSTRAINT_NONE");
	CHECK(!r[3].has_head && r[3].victim.pid.value == 8 && r[3].outcome == OOM_KILLED);
}

/* What follows a record that is missing may be of another report. */
static void missing_records(void)
{
	static const struct line lines[] = {
		{ 1, HEAD },
		{ 2, NULL },
		{ 1, COUNTERS },
		{ 1, NULL },
		{ 1, OF_ALL },
		{ 1, PANIC },
		{ 3, HEAD },
		{ 3, NULL },
		{ 3, COUNTERS },
		{ 3, PANIC },
		/* The second block of one caller is of another report. */
		{ 4, HEAD },
		{ 4, COUNTERS },
		{ 4, COUNTERS },
		/* The first line is limited to some in a time, that of the victim is not. */
		{ 5, HEAD },
		{ 5, COUNTERS },
		{ 5, OF_ALL },
		{ 5, "Out of memory: Killed process 77 (a) " FIGURES },
		{ 5, "Out of memory: Killed process 78 (b) " FIGURES },
		{ 6, "Killed process 79" },
	};
	struct oom_reports all;
	const struct oom_report *r = room;

	PARSE(&all, lines);
	CHECK(all.n == 8);
	CHECK(r->has_mem_info && !r->constraint[0] && r->outcome == OOM_OUTCOME_UNKNOWN);
	CHECK(!r[1].has_head && r[1].constraint[0] && r[1].outcome == OOM_PANICKED);
	CHECK(r[2].has_head && !r[2].has_mem_info && r[2].outcome == OOM_OUTCOME_UNKNOWN);
	CHECK(!r[3].has_head && r[3].kind == OOM_REPORT_OOM && r[3].outcome == OOM_PANICKED);
	CHECK(r[3].has_mem_info && !r[3].has_order);
	CHECK(r[4].has_mem_info && r[5].has_mem_info && r[5].kind == OOM_REPORT_MEM_INFO);
	CHECK(r[6].victim.pid.value == 77 && r[6].kills == 1);
	CHECK(!r[7].has_head && r[7].victim.pid.value == 78 && !r[7].has_mem_info);
}

/* A line of each that begins a report of its own task: "t5" is at 5 ns. */
static void begin_reports(struct oom_reports *all, unsigned int from, unsigned int to)
{
	char text[80];

	for (unsigned int i = from; i < to; i++) {
		struct kernel_record rec = {
			.ts_ns = i, .text = text, .has_caller = true, .caller = i
		};

		snprintf(text, sizeof(text),
			 "t%u invoked oom-killer: gfp_mask=0x0(), order=0, oom_score_adj=0", i);
		oom_reports_record(all, &rec);
	}
}

static void end_line(struct oom_reports *all, uint64_t ts_ns, uint32_t caller)
{
	const struct kernel_record rec = { .ts_ns = ts_ns,
					   .text = "oom-kill:constraint=CONSTRAINT_NONE",
					   .has_caller = true,
					   .caller = caller };

	oom_reports_record(all, &rec);
}

/* More than a storm has are left out some at a time, behind the first. */
static void more_than_are_kept(void)
{
	const unsigned int more = OOM_REPORTS + 5, next = OOM_REPORTS + OOM_REPORTS_LEFT;
	struct oom_reports all = { .reports = room };

	begin_reports(&all, 0, more);
	CHECK(all.n == more - OOM_REPORTS_LEFT && all.dropped == OOM_REPORTS_LEFT);
	CHECK(all.dropped_ns == 1);
	CHECK_TEXT(room[0].comm, "t0");
	CHECK(room[1].ts_ns == 1 + OOM_REPORTS_LEFT);
	CHECK(room[all.n - 1].ts_ns == more - 1);
	/* No line has an index, whatever the number of reports that were dropped. */
	CHECK(!all.has_line && all.line_report == 0);
	begin_reports(&all, more, next);
	CHECK(all.n == OOM_REPORTS && all.dropped == OOM_REPORTS_LEFT);
	/* A line whose report is dropped is nobody's. */
	end_line(&all, next, 1 + OOM_REPORTS_LEFT);
	CHECK(all.has_line && all.line_report == 1);
	begin_reports(&all, next, next + 1);
	CHECK(!all.has_line && all.dropped == 2 * OOM_REPORTS_LEFT && all.dropped_ns == 1);
	CHECK_TEXT(room[0].comm, "t0");
	CHECK(room[1].ts_ns == 1 + 2 * OOM_REPORTS_LEFT);
	/* That of one that is kept goes with it. */
	end_line(&all, next + 1, next);
	CHECK(all.has_line && all.line_report == all.n - 1);
	begin_reports(&all, next + 2, next + 2 + OOM_REPORTS_LEFT);
	CHECK(all.has_line && room[all.line_report].ts_ns == next);
}

TESTS({ "a panic on OOM: every member", a_panic_on_oom },
      { "a victim; lines of other callers in between", a_victim },
      { "a cgroup that ran out", a_cgroup }, { "the panic of a cgroup", a_cgroup_panics },
      { "a memory policy, and a panic", a_policy_panics }, { "texts of 4.19", older_texts },
      { "a cgroup of 4.19", a_cgroup_of_4_19 }, { "consoles of 4.19", consoles_of_4_19 },
      { "names that look like members", hostile_names }, { "a line in pieces", pieces },
      { "records that are missing", missing_records },
      { "no more than are kept", more_than_are_kept })
