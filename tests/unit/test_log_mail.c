// SPDX-License-Identifier: GPL-2.0-or-later
/* What a mail, or a terminal that is too narrow, does to the lines of a report. */
#include <stdlib.h>

#include "log/slab_failure.h"
#include "log_text.h"
#include "test.h"

#define HEAD \
	"[    1.000001] a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL), nodemask=(null)\n"
#define COUNTERS                                                            \
	"[    1.000002] active_anon:100 inactive_anon:20 isolated_anon:0\n" \
	"[    1.000002]  active_file:8 inactive_file:4 isolated_file:0\n"   \
	"[    1.000002]  free:346 free_pcp:7 free_cma:0\n"
#define NODE(n, active)                                                            \
	"Node " n " active_anon:" active "kB inactive_anon:40kB active_file:16kB " \
	"inactive_file:8kB unevictable:0kB isolated(anon):0kB isolated(file):0kB " \
	"mapped:0kB shmem_thp: 0kB"
#define NODE_END " anon_thp: 0kB writeback_tmp:0kB kernel_stack:16kB all_unreclaimable? no\n"
#define ZONE(n) "[    1.000005] Node " n " DMA free:692kB min:4kB low:8kB high:12kB"
#define BLOCKS(n) "[    1.000006] Node " n " DMA: 173*4kB (U) = 692kB\n"

static const struct mem_info *mem_of(const char *text)
{
	CHECK(read_text(text) == ST_OK && reports.n == 1 && reports.reports[0].has_mem_info);
	return &reports.reports[0].mem;
}

/* "0kB" of a name with a blank behind it is whole where a mail broke the line behind it. */
static void broken_nodes(void)
{
	const struct mem_info *m = mem_of(
		HEAD COUNTERS
		"[    1.000003] " NODE("0", "200") "\n" NODE_END "[    1.000004] " NODE("1", "200")
			NODE_END ZONE("0") "\n" ZONE("1") "\n" BLOCKS("0") BLOCKS("1"));

	CHECK(m->nnodes == 2 && m->node_stacks_kib.value == 32 && mem_info_has_nodes(m));
}

/* What all nodes or zones have is unknown where the line of one was cut or is not there. */
static void lost_nodes(void)
{
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS
					 "[    1.000003] Node 0 active_anon:200kB inactive_ano0\n"
					 "[    1.000004] " NODE("1", "200")
						 NODE_END ZONE("1") "\n" BLOCKS("1"))));
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS "[    1.000004] " NODE("1", "200")
						 NODE_END ZONE("1") "\n" BLOCKS("1"))));
	/* Of one that has no pages in the lists. */
	CHECK(!mem_info_has_nodes(mem_of(HEAD COUNTERS "[    1.000003] " NODE(
		"0", "400") NODE_END ZONE("0") "\n" ZONE("1") "\n" BLOCKS("0") BLOCKS("1"))));
	CHECK(mem_of(HEAD COUNTERS ZONE("0") "\n" BLOCKS("0") BLOCKS("1"))->lacks_zone);
	CHECK(mem_of(HEAD COUNTERS ZONE("0") " activ0\n")->lacks_zone);
	CHECK(!mem_of(HEAD COUNTERS ZONE("0") "\n" BLOCKS("0"))->lacks_zone);
	/* What is reserved in the zone whose line was cut is none of the one before it. */
	CHECK(!mem_of(HEAD COUNTERS ZONE("0") "\n" ZONE(
			      "1") " activ0\n"
				   "[    1.000006] lowmem_reserve[]: 0 5 5\n")
		       ->zones[0]
		       .nreserve);
}

/* Up to 4.7 nodes have no line: zones have what is in it. */
static void old_zones(void)
{
	const struct mem_info *m = mem_of(HEAD COUNTERS ZONE(
		"0") " active_anon:4kB isolated(anon):0kB kernel_stack:16kB writeback_tmp:0kB "
		     "pages_scanned:125777 all_unreclaimable? yes\n");

	CHECK(m->nzones == 1 && !m->lacks_zone);
	CHECK(m->zones[0].kib[MEM_ZONE_kernel_stack].known &&
	      m->zones[0].kib[MEM_ZONE_kernel_stack].value == 16);
}

/* The report that a mail broke, each line behind what stands before it; digits in it count the lines. */
static void read_behind(const char *mark, const char *const *lines)
{
	char text[4096];
	size_t used = 0;

	for (unsigned int i = 0; lines[i]; i++) {
		const char *digits = strchr(mark, '7');
		size_t before = digits ? (size_t)(digits - mark) : strlen(mark);

		used += snprintf(text + used, sizeof(text) - used, "%.*s", (int)before, mark);
		if (digits)
			used += snprintf(text + used, sizeof(text) - used, "%2u%s", 8 + i,
					 digits + 1);
		used += snprintf(text + used, sizeof(text) - used, "%s\n", lines[i]);
	}
	if (read_text(text) != ST_OK)
		reports.n = 0;
}

static void check_behind(const char *mark, const char *const *lines)
{
	const struct oom_report *r;

	read_behind(mark, lines);
	r = reports.reports;
	CHECK(reports.n == 1);
	if (reports.n != 1 || strcmp(r->comm, "tmux: server") || !r->has_order)
		printf("# behind '%s'\n", mark);
	if (reports.n != 1)
		return;
	CHECK_TEXT(r->comm, "tmux: server");
	CHECK_TEXT(r->gfp, "GFP_KERNEL");
	CHECK(r->has_order && r->order == 1 && r->pid.known && r->pid.value == 41);
	CHECK(r->has_mem_info && r->mem.pages[MEM_free].known &&
	      r->mem.pages[MEM_free].value == 346);
}

/* What a mail, an editor or a tool puts before each line is none of its words, of broken lines too. */
static void marked_lines(void)
{
	static const char *const marks[] = {
		"",	  "| ",	  "# ",	    "    > ", "> | ",	    "\t",
		"-- ",	  "//\t", ">  ",    "  > > ", "web-1  | ",  "7: ",
		"  7 | ", "f:7:", "[a/b] ", "> 7: ",  "12:01:7 | ", "2026-11-23 04:42:7 | ",
		NULL
	};
	static const char *const stamped[] = {
		"[    1.000001] tmux: server invoked oom-killer:",
		"gfp_mask=0xcc0(GFP_KERNEL), order=1,",
		"oom_score_adj=0",
		"[    1.000001] CPU: 0 PID: 41 Comm: tmux: server Not tainted",
		"6.12.95 #1",
		"[    1.000002] active_anon:100 inactive_anon:20 isolated_anon:0",
		" active_file:8 inactive_file:4 isolated_file:0",
		" free:346 free_pcp:7 free_cma:0",
		NULL
	};
	static const char *const bare[] = {
		"tmux: server invoked oom-killer:",
		"gfp_mask=0xcc0(GFP_KERNEL), order=1,",
		"oom_score_adj=0",
		"CPU: 0 PID: 41 Comm: tmux: server Not tainted 6.12.95 #1",
		"active_anon:100 inactive_anon:20 isolated_anon:0",
		" active_file:8 inactive_file:4 isolated_file:0",
		" free:346 free_pcp:7 free_cma:0",
		NULL
	};

	for (size_t i = 0; marks[i]; i++) {
		check_behind(marks[i], stamped);
		/* Without a stamp nothing tells a word before a colon from a name. */
		if (!strstr(marks[i], ":7"))
			check_behind(marks[i], bare);
	}
}

/* Names of flags that another text stands in are none. */
static void mixed_flags(void)
{
	CHECK(read_text("[    1.000001] a: page allocation failure: order:1, "
			"mode:0xcc0(GFP_KERNE| L), nodemask=(null)\n") == ST_OK);
	CHECK(reports.n == 1 && !*reports.reports[0].gfp);
}

/* Without stamps a block behind a first line is not of the report whose rest was left out before it. */
static void left_out(void)
{
	static const char head[] = "a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL), "
				   "nodemask=(null)\n";
	static const char block[] = "active_anon:100 inactive_anon:20 isolated_anon:0\n"
				    " free:346 free_pcp:7 free_cma:0\n";
	char text[1024];

	snprintf(text, sizeof(text), "%s[...]\n%s%s", head, head, block);
	CHECK(read_text(text) == ST_OK && reports.n == 2);
	CHECK(!reports.reports[0].has_mem_info && reports.reports[1].has_mem_info);
	snprintf(text, sizeof(text), "%s[...]\n%s", head, block);
	CHECK(read_text(text) == ST_OK && reports.n == 1 && reports.reports[0].has_mem_info);
}

/* A boot that panicked of something else tells less than one before it that ran out of memory. */
static void other_panic(void)
{
	CHECK(read_text(HEAD
			"[    0.900000] Linux version 6.12.95\n"
			"[    1.000000] Kernel panic - not syncing: Fatal exception\n") == ST_OK);
	CHECK(reports.n == 1 && file.boots == 2 && file.later_boots == 1);
	CHECK(read_text(HEAD "[    0.900000] Linux version 6.12.95\n"
			     "[    1.000000] Kernel panic - not syncing: Out of memory: "
			     "system-wide panic_on_oom is enabled\n") == ST_OK);
	CHECK(file.boots == 2 && !file.later_boots);
}

#define BARE "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"

/* Of two excerpts of a mail one has no stamps: its report is left out, and that is told. */
static void bare_reports(void)
{
	mem_of(BARE "memory: usage 8kB, limit 8kB, failcnt 1\n\n" HEAD COUNTERS);
	CHECK(file.left_reports == 1);
	mem_of(HEAD COUNTERS "\nThe other one:\n\n" BARE);
	CHECK(file.left_reports == 1);
	mem_of(HEAD COUNTERS "\nThe other one:\n\n    " BARE "    " BARE);
	CHECK(file.left_reports == 2);
	mem_of(HEAD COUNTERS "\nThat a task invoked oom-killer is no report.\n");
	CHECK(file.left_reports == 0);
}

/* That a clock goes back does not tell of a boot: a mail may have what is older behind. */
static void excerpts(void)
{
	CHECK(read_text("[  100.000000] a\n[  101.000000] b\n" HEAD COUNTERS) == ST_OK);
	CHECK(file.boots == 2 && file.has_clock_boots);
	CHECK(read_text(HEAD COUNTERS "[    0.000000] Linux version 6.1.0 (a@b) #1\n" HEAD) ==
	      ST_OK);
	CHECK(file.boots == 2 && !file.has_clock_boots);
}

/* A third copy, which lacks the line with which the others begin, is none of the second. */
static void thrice(void)
{
	static const char one[] = HEAD COUNTERS "[    1.000500] eth0: link up\n";
	static char text[8 * sizeof(one)];
	size_t n;

	snprintf(text, sizeof(text), "%s%s%s", one, one, strchr(one, '\n') + 1);
	CHECK(read_text(one) == ST_OK);
	n = file.log.n;
	CHECK(read_text(text) == ST_OK && file.log.n == n && reports.n == 1);
	CHECK(reports.reports[0].has_head && file.boots == 1);
}

/* The output of dmesg and the file of syslog: one report, of the copy that has more. */
static void repeated(void)
{
	static const char *const lines[] = {
		"[  100.000000] a: page allocation failure: order:1, mode:0xcc0(GFP_KERNEL), nodemask=(null)\n",
		"[  100.000010] CPU: 1 PID: 70 Comm: a Not tainted 6.1.0 #1\n",
		"[  100.000020] Mem-Info:\n",
		"[  100.000030] free:346 free_pcp:7 free_cma:0\n",
		"[  100.000040] 1000 pages RAM\n",
		"[  100.000050] eth0: link up\n",
	};
	const size_t n = ARRAY_SIZE(lines);

	/* Of the first copy one line is lost, of the second one another; n: none. */
	for (size_t lost = 0; lost <= n; lost++) {
		for (size_t other = 0; other <= n; other++) {
			char text[4096] = "";
			size_t len = 0;

			for (size_t i = 0; i < n; i++)
				if (i != lost)
					len += (size_t)snprintf(text + len, sizeof(text) - len,
								"%s", lines[i]);
			for (size_t i = 0; i < n; i++)
				if (i != other)
					len += (size_t)snprintf(text + len, sizeof(text) - len,
								"Nov 30 10:00:00 web1 kernel: %s",
								lines[i]);
			CHECK(read_text(text) == ST_OK);
			CHECK(file.log.n == n || (lost < n && other < n && file.log.n == n - 1));
			CHECK(reports.n == 1 && !reports.has_mixed && file.boots == 1);
			for (size_t i = 1; i < file.log.n; i++)
				CHECK(file.log.records[i].ts_ns > file.log.records[i - 1].ts_ns);
			CHECK(lost == n || other < n || file.log.records[lost].date_s);
		}
	}
	/* What another CPU wrote late repeats nothing, nor do frames of one time behind such a line. */
	CHECK(read_text("[  100.000000] a\n[  100.000000] b\n[  100.000010] c\n[  100.000000] a\n"
			"[  100.000000] b\n[  100.000020] d\n") == ST_OK);
	CHECK(file.log.n == 6);
	CHECK(read_text("[  100.000000] a\n[  100.000010] b\n[  100.000000] c\n[  100.000010] b\n"
			"[  100.000020] d\n") == ST_OK);
	CHECK(file.log.n == 5);
}

#define NODES "nodemask=(null),cpuset=/,mems_allowed=0\n"

/* First lines of failures of vmalloc, and frames, that a mail broke. */
static void broken_failures(void)
{
	CHECK(read_text("> [    1.000001] a: vmalloc: allocation failure: 8192 bytes,\n"
			"> mode:0xcc0(GFP_KERNEL),\n"
			"> " NODES "> [    1.000002] [c000000007eeb370] [c00000000079cce0]\n"
			"> vgx_ioctl+0xc4/0x114 [vgx]\n") == ST_OK);
	CHECK(reports.n == 1 && reports.reports[0].vmalloc_bytes.value == 8192);
	CHECK_TEXT(reports.reports[0].mems_allowed, "0");
	CHECK_TEXT(reports.reports[0].asked_in, "vgx_ioctl [vgx]");
	CHECK(read_text("[    1.000001] a: vmalloc error: size 8192, exceeds\n"
			"total pages, mode:0xcc0(GFP_KERNEL), " NODES
			"[    1.000002]  vgx_open [vgx] from\nvgx_ioctl+0x10/0x20 [vgx]\n") ==
	      ST_OK);
	CHECK(reports.n == 1);
	CHECK_TEXT(reports.reports[0].gfp, "GFP_KERNEL");
	CHECK_TEXT(reports.reports[0].asked_in, "vgx_ioctl [vgx]");
	CHECK(read_text("[    1.000001] a: vmalloc: allocation failure, allocated 4096 of 8192 "
			"bytes, mode:0xcc0(GFP_KERNEL), nodemask=(null)\n") == ST_OK);
	CHECK(reports.n == 1 && !reports.reports[0].vmalloc_bytes.known);
}

/* Lines of a slab cache that got no memory, indented in front of the report. */
static void broken_caches(void)
{
	struct slab_failures all;

	CHECK(read_text(" SLUB: Unable to allocate memory on node -1,\n"
			" gfp=0xa20(GFP_ATOMIC)\n"
			"   cache: my_cache, object size: 40, buffer size: 448, default order:\n"
			" 0, min order: 0\n"
			"   node 0: slabs: 182, objs: 1638, free: 0\n"
			" a: page allocation failure: order:0,\n"
			" mode:0xa20(GFP_ATOMIC), " NODES) == ST_OK);
	CHECK(reports.n == 1);
	slab_failures_read(&file.log, &all);
	CHECK(all.n == 1 && all.all[0].order.known && all.all[0].slabs.value == 182);
	CHECK_TEXT(all.all[0].cache, "my_cache");
	CHECK_TEXT(all.all[0].gfp, "GFP_ATOMIC");
}

#define OF(release, comm) " CPU: 1 PID: 8 Comm: " comm " Not tainted " release " #1\n"

/* Reports of two kernels are of two boots, though the clock goes on; a release that is damaged is none. */
static void other_kernels(void)
{
	const char *const lines = "[  100.000001] a: page allocation failure: order:1, "
				  "mode:0xcc0(GFP_KERNEL), nodemask=(null)\n"
				  "[  100.000002] a cpuset=/ mems_allowed=0\n"
				  "[  100.000003]" OF("6.1.95-a", "a");
	char text[1024];

	snprintf(text, sizeof(text), "%s%s%s", lines,
		 "[  200.000001] b: page allocation failure: order:2, mode:0xcc0(GFP_KERNEL), "
		 "nodemask=(null)\n[  200.000002]",
		 OF("6.6.2-b", "b"));
	CHECK(read_text(text) == ST_OK);
	CHECK(file.boots == 2 && !file.later_boots && reports.n == 1);
	CHECK(reports.reports[0].order == 2 && reports.reports[0].pid.value == 8);
	CHECK_TEXT(file.release, "6.6.2-b");
	snprintf(text, sizeof(text), "%s%s%s%s%s", lines, "[  200.000001]", OF("6.1.9-a", "a"),
		 "[  300.000001]", OF("6.1.95-a", "a"));
	CHECK(read_text(text) == ST_OK);
	CHECK(file.boots == 1 && reports.n == 1 && reports.reports[0].order == 1);
}

/* As arm has the sums up to 3.15. */
static void old_sums(void)
{
	const struct mem_info *m = mem_of(HEAD COUNTERS "[    1.000007] 76800 pages of RAM\n"
							"[    1.000007] 3100 reserved pages\n");

	CHECK(m->ram.value == 76800 && m->reserved.value == 3100);
}

/* Free pages that no line of all zones has. */
static void free_of_zones(void)
{
	const struct mem_info *m = mem_of(
		HEAD
		"[    1.000002] active_anon:100 inactive_anon:20 isolated_anon:0\n"
		"[    1.000003] " NODE("0", "400")
			NODE_END ZONE("0") " present:4000kB managed:4000kB free_pcp:8kB\n" BLOCKS(
				"0") "[    1.000007] 1000 pages RAM\n");

	CHECK(m->pages[MEM_free].known && m->pages[MEM_free].value == 173);
	CHECK(m->pages[MEM_free_pcp].known && m->pages[MEM_free_pcp].value == 2);
	CHECK(!m->pages[MEM_bounce].known && !m->pages[MEM_pagetables].known);
}

/* A time of day before each stamp; a year where a host would be. */
static void times_and_years(void)
{
	CHECK(read_text("04:42:26 [    1.000000] a: page allocation failure: order:1, "
			"mode:0xcc0(GFP_KERNEL), nodemask=(null)\n"
			"04:42:27 [    1.000001] active_anon:100 inactive_anon:20 isolated_anon:0\n"
			"04:42:27 [    1.000001]  active_file:8 inactive_file:4 isolated_file:0\n"
			"04:42:27 [    1.000001]  free:346 free_pcp:7 free_cma:0\n") == ST_OK);
	CHECK(reports.n == 1 && reports.reports[0].mem.pages[MEM_free].value == 346);
	CHECK(read_text("Nov 23 04:42:26 2026 kernel: : [    1.000000] a: page allocation failure: "
			"order:1, mode:0xcc0(GFP_KERNEL), nodemask=(null)\n") == ST_OK);
	CHECK(reports.n == 1 && !file.host && !file.log.is_cut);
	CHECK_TEXT(reports.reports[0].comm, "a");
	/* The day before the month, as French has it. */
	CHECK(read_text("[dim. 19 avril 18:03:30 2026] Out of memory: Killed process 5 (a)\n"
			"[dim. 19 avril 18:03:32 2026] b\n") == ST_OK);
	CHECK(file.log.n == 2 && file.has_years && file.log.records[1].date_s == 1776621812);
}

#define STAMP "Nov 30 10:00:00 web1 kernel: "
#define TWICE(line) STAMP line "\n" STAMP line "\n"
#define HEAD_OF_A                                                                        \
	STAMP "a invoked oom-killer: gfp_mask=0xcc0, order=0, oom_score_adj=0\n" STAMP   \
	      "CPU: 0 PID: 5 Comm: a Not tainted 6.1.0 #1\n" STAMP "Call Trace:\n" STAMP \
	      " dump_stack+0x1/0x2\n" STAMP "Mem-Info:\n"
#define REST_OF_A                                                                                    \
	STAMP " free:346 free_pcp:7 free_cma:0\n" STAMP "0 pages in swap cache\n" STAMP              \
	      "Out of memory: Killed process 5 (a) total-vm:8192kB, anon-rss:4096kB, file-rss:0kB, " \
	      "shmem-rss:0kB\n"
#define ACTIVE(n) STAMP "active_anon:" n " inactive_anon:2 isolated_anon:0\n"

/* Without stamps: each line twice as of two programs, a whole report as of two files. */
static void without_stamps(void)
{
	CHECK(read_text(TWICE("a invoked oom-killer: gfp_mask=0xcc0, order=0, oom_score_adj=0")
				TWICE("CPU: 0 PID: 5 Comm: a Not tainted 6.1.0 #1")
					TWICE("Mem-Info:") TWICE("active_anon:1 inactive_anon:2")
						TWICE(" free:346 free_pcp:7 free_cma:0")
							TWICE("Out of memory: Killed process 5 "
							      "(a) total-vm:8kB")) == ST_OK);
	CHECK(file.log.n == 5 && reports.n == 1 && reports.reports[0].kills == 1);
	CHECK(reports.reports[0].mem.pages[MEM_free].value == 346 && !reports.has_mixed);
	/* Frames of a trace may stand there twice. */
	CHECK(read_text(STAMP "Kernel panic - not syncing: a\n" TWICE(" f+0x1/0x2")
				TWICE(" g+0x1/0x2") STAMP "b\n") == ST_OK);
	CHECK(file.log.n == 6);
	CHECK(read_text(HEAD_OF_A ACTIVE("1") REST_OF_A STAMP "b\n" HEAD_OF_A ACTIVE("1")
				REST_OF_A) == ST_OK);
	CHECK(reports.n == 1 && reports.reports[0].kills == 1);
	CHECK_TEXT(file.log.records[file.log.n - 1].text, "b");
	/* The figures of the second one are others. */
	CHECK(read_text(HEAD_OF_A ACTIVE("1") REST_OF_A HEAD_OF_A ACTIVE("3") REST_OF_A) == ST_OK);
	CHECK(reports.n == 2);
}

#define TASK "[    1.000002] CPU: 1 PID: 5 Comm: a "

static const char *release_of(const char *lines)
{
	CHECK(read_text(lines) == ST_OK);
	return file.release;
}

/* The rest of a release is none, and half of a mask neither. */
static void broken_words(void)
{
	CHECK_TEXT(release_of(HEAD TASK "Not tainted 6.1\n6.0-00015-gf09eb #102 PREEMPT\n"),
		   "6.16.0-00015-gf09eb");
	CHECK_TEXT(release_of(HEAD TASK "Tainted: G        W         5.\n10.0-rc1+ #3\n"),
		   "5.10.0-rc1+");
	CHECK_TEXT(release_of(HEAD TASK "Tainted: G W  6.12.95\n#3\n"), "6.12.95");
	CHECK_TEXT(release_of(HEAD TASK "Not tainted\n6.12.95 #3\n"), "6.12.95");
	/* Put together by something else. */
	CHECK(!release_of(HEAD TASK "Not tainted 6.1 6.0-00015-gf09eb #102\n"));
	CHECK(!release_of(HEAD "[    1.000002] Pid: 5, comm: a Not tainted 2. 6.32 #1\n"));
	CHECK(read_text("[    1.000001] a: page allocation failure: order:4, mode:0\n"
			"x40c00(GFP_NOIO|__GFP_COMP), " NODES) == ST_OK);
	CHECK(reports.n == 1);
	CHECK_TEXT(reports.reports[0].gfp, "GFP_NOIO|__GFP_COMP");
	CHECK(read_text("[    1.000001] a: page allocation failure: order:4, mode:0x40c\n"
			"00(GFP_NOIO|__GFP_COMP), " NODES) == ST_OK);
	CHECK_TEXT(reports.reports[0].gfp, "GFP_NOIO|__GFP_COMP");
	CHECK(read_text("[    1.000001] a invoked oom-killer: gfp_mask=0xd0, order=0, oom_adj=0\n"
			"[    1.000002] active_anon:100 inactive_anon:20 isolated_anon:0\n"
			" free:346 slab:26\n00 mapped:4 pagetables:7\n") == ST_OK);
	CHECK_TEXT(record(1), "active_anon:100 inactive_anon:20 isolated_anon:0\n"
			      "free:346 slab:2600 mapped:4 pagetables:7");
}

TESTS({ "words that a terminal broke", broken_words },
      { "what stands before each line", marked_lines },
      { "flags that are mixed with other text", mixed_flags },
      { "the rest of a report that was left out", left_out },
      { "a later boot that panicked of something else", other_panic },
      { "lines of nodes that a mail broke", broken_nodes },
      { "lines of nodes and zones that are lost", lost_nodes }, { "zones up to 4.7", old_zones },
      { "a report without stamps where others have them", bare_reports },
      { "parts in another order", excerpts }, { "one log twice", repeated },
      { "one log thrice", thrice }, { "without stamps, once more", without_stamps },
      { "failures of vmalloc that a mail broke", broken_failures },
      { "slab caches that got no memory", broken_caches },
      { "reports of two kernels", other_kernels }, { "free pages by the zones", free_of_zones },
      { "times of day, years", times_and_years }, { "sums of old kernels of arm", old_sums })
