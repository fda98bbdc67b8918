// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a log: prefixes of tools, lines that are cut or interleaved, boots, what is no log. */
#include <stdlib.h>

#include "log/printk.h"
#include "oom/oom_cgroup.h"
#include "log_text.h"
#include "test.h"

static uint64_t counter(enum mem_counter which)
{
	const struct log_number *n = &reports.reports[reports.n - 1].mem.pages[which];

	return n->known ? n->value : UINT64_MAX;
}

static void prefixes(void)
{
	static const struct {
		const char *line;
		enum log_line_kind kind;
		const char *text;
		uint64_t ts_ns; /* 0: none */
	} lines[] = {
		{ "[   12.345678] a b", LOG_LINE_KERNEL, "a b", 12345678000 },
		{ "[   12.345678]  a b", LOG_LINE_KERNEL, " a b", 12345678000 },
		{ "<4>[   12.345678] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "<12>[   12.345678] a", LOG_LINE_OTHER, NULL, 0 },
		{ "2026-11-23T04:42:26Z {host=\"a\", job=\"kernel\"} a", LOG_LINE_KERNEL, "a", 0 },
		{ "2026-11-23T04:42:26Z {job=\"app\"} \"kernel\"", LOG_LINE_OTHER, NULL, 0 },
		{ "[   12.345678][  T45] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678][    C1] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678] [     T45] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678] [T123456] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678] [T1] a", LOG_LINE_KERNEL, "[T1] a", 12345678000 },
		{ "[Mon Nov 23 04:42:26 2026] [    C1] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[Mon Nov 23 04:42:26 2026][   T45] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[  +0.000004] [    T45] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[    T45] a", LOG_LINE_BARE, "a", 0 },
		{ "[   45]     0 a", LOG_LINE_BARE, NULL, 0 },
		{ "Nov 23 04:42:26 box kernel: [   T45] a", LOG_LINE_KERNEL, "a", 0 },
		{ "2026-11-23T04:42:26,123456+01:00 a", LOG_LINE_KERNEL, "a", 0 },
		{ "2026-11-23T04:42:26,123456-01:00 [   T45] a", LOG_LINE_KERNEL, "a", 0 },
		{ "2026-11-23T04:42:26.123456+01:00 a", LOG_LINE_OTHER, NULL, 0 },
		/* A terminal server, a tool or a logger with no host has a clock of its own before that of the kernel. */
		{ "[2026-11-23 04:42:26] [   12.345678] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "2026-11-23 04:42:26.123 [   12.345678] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "2026-11-23T04:42:26.123456Z [   12.345678] a", LOG_LINE_KERNEL, "a",
		  12345678000 },
		{ "Nov 23 04:42:26 [   12.345678][  T45] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "Nov 23 04:42:26 kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "Nov 23 04:42:26 [kernel] a", LOG_LINE_KERNEL, "a", 0 },
		{ "Nov 23 04:42:26 box kern.warn kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "kernel: a", LOG_LINE_BARE, "a", 0 },
		{ "kernel: [   12.345678] a", LOG_LINE_KERNEL, "a", 12345678000 },
		/* Kernels of phones. */
		{ "<4>[   12.345678]  (1)[70:web]a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678] -(1)[70:runc:[2:INIT]]a", LOG_LINE_KERNEL, NULL, 12345678000 },
		{ "[   12.345678] -(1)[70:kworker/0:1]a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "<4>[   12.345678s][pid:70,cpu5,web]a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "<4>[   12.345678s][pid:70,cpu5,in irq]a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "<4>[   12.345678]  [1:    kworker/0:1:   70] a", LOG_LINE_KERNEL, "a",
		  12345678000 },
		{ "<4>[   12.345678] I[1:            web:   70] a", LOG_LINE_KERNEL, "a",
		  12345678000 },
		{ "<6>[   12.345678] c0    123 a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "<6>[   12.345678,0] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[   12.345678] c1  2 a", LOG_LINE_KERNEL, "c1  2 a", 12345678000 },
		{ "[   12.345678] [   70]     0    70 a", LOG_LINE_KERNEL, "[   70]     0    70 a",
		  12345678000 },
		{ "6.12.0-x,4,1234,12345678,-;a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "6.12,30,1234,12345678,-;a", LOG_LINE_OTHER, NULL, 0 },
		{ "kern  :warn  : [   12.345678] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "user  :warn  : [   12.345678] a", LOG_LINE_OTHER, NULL, 0 },
		{ "4,1234,12345678,-;a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "4,1234,12345678,-,caller=T45;a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "30,1234,12345678,-;a", LOG_LINE_OTHER, NULL, 0 },
		{ "Nov 23 04:42:26 box kernel: [   12.345678] a", LOG_LINE_KERNEL, "a",
		  12345678000 },
		{ "Nov  3 04:42:26 box kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "Nov  3 04:42:26 box systemd[1]: a", LOG_LINE_OTHER, NULL, 0 },
		{ "2026-11-23T04:42:26.123456+01:00 box kernel: [   12.345678] a", LOG_LINE_KERNEL,
		  "a", 12345678000 },
		{ "2026-11-23T04:42:26+0100 box kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "Mon 2026-11-23 04:42:26 UTC box kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "1795322546.123456 box kernel: a", LOG_LINE_KERNEL, "a", 0 },
		{ "<4>1 2026-11-23T04:42:26.123456+01:00 box kernel - - - a", LOG_LINE_KERNEL, "a",
		  0 },
		{ "<4>1 2026-11-23T04:42:26Z box kernel - - - [   12.345678] a", LOG_LINE_KERNEL,
		  "a", 12345678000 },
		{ "<30>1 2026-11-23T04:42:26Z box app 33 - - a", LOG_LINE_OTHER, NULL, 0 },
		{ "[   12.345678] box kernel: a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[Mon Nov 23 04:42:26 2026] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[Nov23 04:42] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[Nov 3 04:42] a", LOG_LINE_KERNEL, "a", 0 },
		{ "[   12.345678 <    0.000011>] a", LOG_LINE_KERNEL, "a", 12345678000 },
		{ "[  +0.000004] a", LOG_LINE_KERNEL, "a", 0 },
		{ "kern:    info: [2026-11-23T04:42:26.675652542Z]: a", LOG_LINE_KERNEL, "a", 0 },
		{ "user: warning: [2026-11-23T04:42:26.675652542Z]: a", LOG_LINE_OTHER, NULL, 0 },
		{ "[  OK  ] Started a", LOG_LINE_BARE, NULL, 0 },
		{ "[    189]     0   189     8633 a", LOG_LINE_BARE, NULL, 0 },
		{ " active_file:0", LOG_LINE_MORE, NULL, 0 },
		{ "printk: legacy console [ttyS0] enabled", LOG_LINE_BARE, NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct log_line l;

		log_line_parse(lines[i].line, "", &l);
		if (l.kind != lines[i].kind)
			printf("# %s\n", lines[i].line);
		CHECK(l.kind == lines[i].kind);
		if (lines[i].text)
			CHECK_TEXT(l.text, lines[i].text);
		if (l.kind == LOG_LINE_KERNEL)
			CHECK(l.has_ts == (lines[i].ts_ns != 0) && l.ts_ns == lines[i].ts_ns);
	}
}

/* Tools put dates before the words. */
static void dates(void)
{
	static const struct {
		const char *text, *date;
		uint64_t ts_ns; /* of the second, 2 s later */
	} logs[] = {
		{ "[Mon Nov 23 04:42:26 2026] a\n[Mon Nov 23 04:42:28 2026] b\n",
		  "2026-11-23 04:42:28", 2000000000 },
		{ "Dec 31 23:59:59 box kernel: a\nJan  1 00:00:01 box kernel: b\n",
		  "01-01 00:00:01", 2000000000 },
		{ "Feb 29 2028 23:59:59 box kernel: a\nMar 01 2028 00:00:01 box kernel: b\n",
		  "2028-03-01 00:00:01", 2000000000 },
		{ "2026-11-23T04:42:26.123456+01:00 box kernel: a\n"
		  "2026-11-23T04:42:28+01:00 box kernel: b\n",
		  "2026-11-23 04:42:28", 2000000000 },
		{ "Mon 2026-11-23 04:42:26 UTC box kernel: a\nMon 2026-11-23 04:42:28 UTC box kernel: b\n",
		  "2026-11-23 04:42:28", 2000000000 },
		{ "1795322546.123456 box kernel: a\n1795322548.123456 box kernel: b\n",
		  "2026-11-22 04:42:28", 2000000000 },
		/* The kernel's own clock goes on where a daemon wrote late. */
		{ "Nov 23 04:42:26 box kernel: [    1.000000] a\nNov 23 04:42:26 box kernel: [    9.000000] b\n",
		  "11-23 04:42:26", 9000000000 },
		{ "[Nov23 04:42] a\n[  +2.000000] b\n", NULL, 0 },
		/* Of other languages. */
		{ "9月 03 04:42:26 box kernel: a\n9月 03 04:42:28 box kernel: b\n",
		  "09-03 04:42:28", 2000000000 },
		{ "[Di Mär  4 04:42:26 2025] a\n[Di Mär  4 04:42:28 2025] b\n",
		  "2025-03-04 04:42:28", 2000000000 },
		{ "[mer. déc. 17 11:32:14 2025] a\n[mer. déc. 17 11:32:16 2025] b\n",
		  "2025-12-17 11:32:16", 2000000000 },
		{ "[Вт авг 12 03:54:03 2025] a\n[Вт авг 12 03:54:05 2025] b\n",
		  "2025-08-12 03:54:05", 2000000000 },
		{ "[ti elo 12 03:54:03 2025] a\n[ti elo 12 03:54:05 2025] b\n", NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(logs); i++) {
		const char *date;

		CHECK(read_text(logs[i].text) == ST_OK && file.log.n == 2);
		CHECK(file.log.records[1].ts_ns == logs[i].ts_ns + file.has_no_times);
		stub.dump.log_file = &file;
		date = log_file_date(&stub.dump, file.log.records[1].ts_ns);
		CHECK(!date == !logs[i].date);
		if (date && logs[i].date)
			CHECK_TEXT(date, logs[i].date);
		stub.dump.log_file = NULL;
	}
}

static void callers(void)
{
	CHECK(read_text("[    1.000000][  T45] a\n[    1.000001][    C1] b\n") == ST_OK);
	CHECK(file.log.n == 2 && file.log.records[0].has_caller &&
	      file.log.records[0].caller == 45 && file.log.records[1].caller == LOG_CALLER_CPU + 1);
}

#define HEAD                                                                              \
	"hungry invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), " \
	"order=0, oom_score_adj=0\n"
#define KILLED                                                                                      \
	"Out of memory: Killed process 45 (hungry) total-vm:1000kB, anon-rss:900kB, file-rss:0kB, " \
	"shmem-rss:0kB, UID:0 pgtables:48kB oom_score_adj:0"

/* Lines of one record: each with a stamp, with blanks alone (dmesg, journalctl), escaped by rsyslog. */
static void counters_of_several_lines(void)
{
	static const char *const texts[] = {
		"[    1.000000] " HEAD
		"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
		"[    1.000001]  active_file:3 inactive_file:4 isolated_file:0\n"
		"[    1.000001]  free:1304 free_pcp:0 free_cma:0\n",
		"[    1.000000] " HEAD
		"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
		"                active_file:3 inactive_file:4 isolated_file:0\n"
		"                free:1304 free_pcp:0 free_cma:0\n",
		"Nov 23 04:42:26 box kernel: " HEAD
		"Nov 23 04:42:26 box kernel: active_anon:1 inactive_anon:2 isolated_anon:0#012 "
		"active_file:3 inactive_file:4 isolated_file:0#012 free:1304 free_pcp:0 free_cma:0\n",
		"Nov 23 04:42:26 box kernel: " HEAD
		"Nov 23 04:42:26 box kernel: active_anon:1 inactive_anon:2 isolated_anon:0\n"
		"Nov 23 04:42:26 box kernel: active_file:3 inactive_file:4 isolated_file:0\n"
		"Nov 23 04:42:26 box kernel: free:1304 free_pcp:0 free_cma:0\n",
		HEAD "active_anon:1 inactive_anon:2 isolated_anon:0\n"
		     " active_file:3 inactive_file:4 isolated_file:0\n"
		     " free:1304 free_pcp:0 free_cma:0\n",
		"    " HEAD "    active_anon:1 inactive_anon:2 isolated_anon:0\n"
		"     active_file:3 inactive_file:4 isolated_file:0\n"
		"     free:1304 free_pcp:0 free_cma:0\n",
		"2026-11-23T04:42:26.127Z In(05) vcpu-5 - Guest: <6>[    1.000000] " HEAD
		"2026-11-23T04:42:26.127Z In(05) vcpu-5 - Guest: <6>[    1.000001] active_anon:1 "
		"inactive_anon:2 isolated_anon:0\n"
		"2026-11-23T04:42:26.127Z In(05) vcpu-5 - Guest: <6>[    1.000001]  active_file:3 isolated_file:0\n"
		"2026-11-23T04:42:26.127Z In(05) vcpu-5 - Guest: <6>[    1.000001]  free:1304 free_cma:0\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK(read_text(texts[i]) == ST_OK && file.log.n == 2 && reports.n == 1);
		CHECK(counter(MEM_active_file) == 3 && counter(MEM_free) == 1304);
	}
}

#define BELOW "                 "

/* What stands below a stamp are lines of one record, each of which may have been cut. */
static void counters_that_were_cut(void)
{
	static const struct {
		const char *text;
		enum mem_counter cut, whole;
		uint64_t value;
	} cases[] = {
		/* Within its line. */
		{ "[   10.000001] " HEAD
		  "[   10.000002] active_anon:1 inactive_anon:2 isolated_anon:0\n" BELOW
		  "mapped:121227 shmem:101\n" BELOW "free:36223 free_pcp:5 free_cma:0\n",
		  MEM_shmem, MEM_free, 36223 },
		/* At the end of its line, where the nodes have ten times as much. */
		{ "[   10.000001] " HEAD
		  "[   10.000002] active_anon:1 inactive_anon:2 isolated_anon:0\n" BELOW
		  "mapped:121227 shmem:10197 pagetables:5\n" BELOW
		  "sec_pagetables:73 bounce:0\n" BELOW "free:36223 free_pcp:5 free_cma:0\n"
		  "[   10.000003] Node 0 active_anon:4kB inactive_anon:8kB active_file:0kB "
		  "inactive_file:0kB unevictable:0kB isolated(anon):0kB isolated(file):0kB "
		  "mapped:484908kB dirty:0kB writeback:0kB shmem:40788kB kernel_stack:1kB "
		  "pagetables:20kB sec_pagetables:2932kB all_unreclaimable? no\n"
		  "[   10.000004] Node 0 DMA: 1*4kB (U) 0*8kB = 4kB\n",
		  MEM_sec_pagetables, MEM_shmem, 10197 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(read_text(cases[i].text) == ST_OK);
		CHECK(counter(cases[i].cut) == UINT64_MAX);
		CHECK(counter(cases[i].whole) == cases[i].value);
	}
}

/* "..." where a mail left lines out is none of the record above it; syslog-ng writes a newline as "\\x0a". */
static void counters_of_mails(void)
{
	CHECK(read_text("    [   10.000001] " HEAD
			"    [   10.000002] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"                    free:36223 free_pcp:5 free_cma:0\n"
			"    ...\n"
			"    [   10.000009] Out of memory: Killed process 5 (a) total-vm:8kB\n") ==
	      ST_OK);
	CHECK(counter(MEM_free) == 36223);
	CHECK(read_text(
		      "Nov 23 04:42:26 box kernel: " HEAD
		      "Nov 23 04:42:26 box kernel: active_anon:1 inactive_anon:2 isolated_anon:0\\x0a "
		      "active_file:3 inactive_file:4 isolated_file:0\\x0a free:1304 free_pcp:0 "
		      "free_cma:0\n") == ST_OK);
	CHECK(counter(MEM_free) == 1304 && counter(MEM_inactive_file) == 4);
}

/* What may not be whole is unknown, and no smaller number. */
static void cut_lines(void)
{
	CHECK(read_text(
		      "[    1.000000] " HEAD
		      "[    1.000001] active_anon:1 inactive_anon:2 free:1304 free_pcp:0 free_cm") ==
	      ST_OK);
	CHECK(counter(MEM_free) == 1304 && counter(MEM_free_pcp) == UINT64_MAX);
	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000001] active_anon:1 inactive_anon:2 free:13") == ST_OK);
	CHECK(reports.n == 1 && counter(MEM_free) == UINT64_MAX);
	CHECK(read_text("[    1.000000] " HEAD "[    1.000002] " KILLED) == ST_OK);
	CHECK(reports.reports[0].outcome == OOM_KILLED &&
	      reports.reports[0].victim.pgtables_kib.value == 48);
	/* Zeros, as of a file that was not written before the power went. */
	static const char zeros[] = "[    1.000000] " HEAD
				    "[    1.000001] active_anon:1 free:13\0\0\0\n"
				    "[    2.000000] later\n";
	CHECK(read_bytes(zeros, sizeof(zeros) - 1) == ST_OK && file.log.is_cut);
	CHECK(counter(MEM_free) == UINT64_MAX);
	CHECK_TEXT(record(file.log.n - 1), "later");
}

static void interleaved_lines(void)
{
	/* Another CPU, and a program that has the console. */
	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000001] active_anon:1 free:13[    1.000002] eth0: link up\n"
			"[  OK  ] Started a thing[    1.000003] usb 1-1: new device\n") == ST_OK);
	CHECK(file.log.n == 4 && file.log.is_cut && counter(MEM_free) == UINT64_MAX);
	CHECK_TEXT(record(1), "active_anon:1");
	CHECK_TEXT(record(2), "eth0: link up");
	CHECK_TEXT(record(3), "usb 1-1: new device");
	/* The name of a cgroup that looks like a line is none. */
	CHECK(read_text(
		      "[    1.000000] " HEAD
		      "[    1.000001] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,"
		      "mems_allowed=0,oom_memcg=/a[    1.000002] Kernel panic - not syncing: no\n"
		      "[    1.000003] b\n") == ST_OK);
	for (size_t i = 0; i < file.log.n; i++)
		CHECK(!record(i) || !strstr(record(i), "Kernel panic"));
	/* Numbers that jump, and what rsyslog has lost: the victim is of another report. */
	CHECK(read_text("4,7,1000000,-;" HEAD "4,8,1000001,-;" KILLED) == ST_OK);
	CHECK(!file.log.is_cut && reports.n == 1);
	CHECK(read_text("4,7,1000000,-;" HEAD "30,8,1000001,-;x\n4,9,1000001,-;" KILLED) == ST_OK);
	CHECK(!file.log.is_cut && reports.n == 1);
	CHECK(read_text("4,7,1000000,-;" HEAD "4,99,1000001,-;" KILLED) == ST_OK);
	CHECK(file.log.is_cut && reports.n == 2);
	CHECK(read_text("Nov 23 04:42:26 box kernel: [    1.000000] " HEAD
			"Nov 23 04:42:26 box rsyslogd: imklog: 57 messages lost\n"
			"Nov 23 04:42:26 box kernel: [    1.000001] " KILLED) == ST_OK);
	CHECK(file.log.is_cut && reports.n == 2);
	/* No report takes hours. */
	CHECK(read_text("[    1.000000] " HEAD "[   59.000000] " KILLED) == ST_OK);
	CHECK(reports.n == 1);
	CHECK(read_text("[    1.000000] " HEAD "[   62.000000] " KILLED) == ST_OK);
	CHECK(reports.n == 2);
	CHECK(read_text("[    1.000000] " HEAD "[ 9999.000000] " KILLED) == ST_OK);
	CHECK(reports.n == 2);
	/* Of a few records that were lost the report goes on; many may have had anything, and so may those before its end. */
	CHECK(read_text("[    1.000000] " HEAD "** 12 printk messages dropped **\n"
			"[    1.000001] active_anon:1 inactive_anon:2 free:13 free_cma:0\n") ==
	      ST_OK);
	CHECK(file.log.is_cut && reports.n == 1 && reports.reports[0].has_mem_info);
	CHECK(read_text("[    1.000000] " HEAD "** 31 printk messages dropped **\n"
			"[    1.000001] active_anon:1 inactive_anon:2 free:13 free_cma:0\n") ==
	      ST_OK);
	CHECK(file.log.is_cut && reports.n == 2 && !reports.reports[0].has_mem_info);
	CHECK(read_text("[    1.000000] " HEAD "** 12 printk messages dropped **\n"
			"[    1.000001] " KILLED) == ST_OK);
	CHECK(file.log.is_cut && reports.n == 2);
}

/* Of several boots the last that tells of memory. */
static void boots(void)
{
	CHECK(read_text("[    0.000000] Linux version 6.1.0 (a@b) (gcc) #1 SMP one\n"
			"[    1.000000] " HEAD "[    1.000001] " KILLED "\n"
			"[    0.000000] Linux version 6.1.1 (a@b) (gcc) #2 SMP two\n"
			"[    1.000000] b\n") == ST_OK);
	CHECK(file.boots == 2 && file.later_boots == 1 && reports.n == 1 && file.from_start);
	CHECK_TEXT(file.release, "6.1.0");
	CHECK_TEXT(file.build, "#1 SMP one");
	CHECK(read_text("[    0.000000] Linux version 6.1.0 (a@b) (gcc) #1 SMP one\n"
			"[    1.000000] " HEAD
			"[    0.000000] Linux version 6.1.1 (a@b) (gcc) #2 SMP two\n"
			"[    1.000000] " HEAD "[    1.000001] " KILLED "\n") == ST_OK);
	CHECK(file.boots == 2 && !file.later_boots && reports.n == 1);
	CHECK_TEXT(file.release, "6.1.1");
	/* arm64 has a line before the first one of all others. */
	CHECK(read_text("[    0.000000] Booting Linux on physical CPU 0x0\n"
			"[    0.000000] Linux version 6.12.95\n[    1.000000] " HEAD) == ST_OK);
	CHECK(file.boots == 1 && reports.n == 1 && file.from_start);
	CHECK(read_text("[    0.000000] Booting Linux on physical CPU 0x0\n"
			"[    0.000000] Linux version 6.12.95\n[  100.000000] last\n"
			"[    0.000000] Booting Linux on physical CPU 0x0\n"
			"[    0.000000] Linux version 6.12.95\n[    1.000000] " HEAD) == ST_OK);
	CHECK(file.boots == 2 && reports.n == 1);
}

static void facts(void)
{
	CHECK(read_text(
		      "Nov 23 04:42:26 box kernel: a\n"
		      "Nov 23 04:42:26 box kernel: CPU: 1 PID: 45 Comm: a b Kdump: loaded Tainted: G"
		      "        W  O       5.14.0-427.el9.x86_64 #1\n") == ST_OK);
	CHECK_TEXT(file.host, "box");
	CHECK_TEXT(file.release, "5.14.0-427.el9.x86_64");
	CHECK_TEXT(file.taint, "WO");
	CHECK(file.has_no_times && !file.from_start && file.log.has_dropped);
	CHECK(read_text("[    1.000000] CPU: 1 UID: 0 PID: 45 Comm: a Not tainted 6.12.1 #1\n"
			"[    1.000000] RIP: 0033:0x401629\n") == ST_OK);
	CHECK_TEXT(file.taint, "");
	CHECK(file.page_shift == 12);
}

/* The newest records are kept, in bounded memory. */
static void long_log(void)
{
	size_t size = 3 * LOG_MAX_RECORDS * 32;
	char *text = malloc(size);
	size_t at = 0;

	for (unsigned int i = 0; i < 3 * LOG_MAX_RECORDS - 5; i++)
		at += (size_t)snprintf(text + at, size - at, "[%5u.000000] line\n", i);
	CHECK(read_bytes(text, at) == ST_OK);
	CHECK(file.log.n > LOG_MAX_RECORDS && file.log.n <= 2 * LOG_MAX_RECORDS);
	CHECK(file.log.has_dropped &&
	      file.log.records[file.log.n - 1].ts_ns == (3 * LOG_MAX_RECORDS - 6) * 1000000000ULL);
	free(text);
}

/* memory.stat of a cgroup: a record, or one for each line. */
static void cgroup_counters(void)
{
	static const char *const texts[] = {
		"[    1.000000] " HEAD "[    1.000001] Memory cgroup stats for /a:\n"
		"[    1.000002] anon 4096\n[    1.000002] file 81920\n[    1.000003] shmem 40960\n"
		"[    1.000004] oom-kill:\n[    1.000005] slab 1\n",
		"[    1.000000] " HEAD "[    1.000001] Memory cgroup stats for /a:\n"
		"[    1.000002] anon 4096\n               file 81920\n               shmem 40960\n",
	};
	struct oom_cgroup all;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK(read_text(texts[i]) == ST_OK);
		oom_cgroup_read(&file.log, reports.reports[0].first, &all);
		CHECK(all.bytes[OOM_CGROUP_anon].value == 4096 &&
		      all.bytes[OOM_CGROUP_shmem].value == 40960 &&
		      all.bytes[OOM_CGROUP_file].value == 40960);
		CHECK(!all.bytes[OOM_CGROUP_slab].known && !all.bytes[OOM_CGROUP_sock].known);
	}
}

/* Behind the name of a node since 6.16: pages that no other counter has. */
static void balloon_and_gpu(void)
{
	CHECK(read_text(
		      "[    1.000000] " HEAD
		      "[    1.000001] active_anon:1 inactive_anon:2 free:1304 free_cma:0\n"
		      "[    1.000002] Node 0 active_anon:4kB kernel_stack:16kB all_unreclaimable? no "
		      "Balloon:40kB gpu_active:8kB gpu_reclaim:4kB\n"
		      "[    1.000003] Node 1 active_anon:0kB kernel_stack:16kB all_unreclaimable? yes "
		      "Balloon:4kB gpu_active:8kB gpu_reclaim:0kB\n") == ST_OK);
	const struct mem_info *m = &reports.reports[0].mem;

	CHECK(m->node_stacks_kib.value == 32 && m->balloon_kib.value == 44 &&
	      m->gpu_kib.value == 20 && m->gpu_kib.known);
}

/* First lines as kernels up to 4.15 print them, and with a blank more. */
static void old_heads(void)
{
	static const struct {
		const char *text;
		enum oom_report_kind kind;
		int order;
		const char *gfp;
	} heads[] = {
		{ "a invoked oom-killer: gfp_mask=0x201da, order=2, oom_score_adj=0\n",
		  OOM_REPORT_OOM, 2, "" },
		{ "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), nodemask=(null),  order=1, "
		  "oom_score_adj=-998\n",
		  OOM_REPORT_OOM, 1, "GFP_KERNEL" },
		{ "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0 , oom_score_adj=0 \n",
		  OOM_REPORT_OOM, 0, "GFP_KERNEL" },
		{ "a invoked oom-killer: gfp_mask=0x201da, order=0, oom_adj=-17, oom_score_adj=0\n",
		  OOM_REPORT_OOM, 0, "" },
		{ "a: page allocation failure: order:4, mode:0x10c0d0\n", OOM_REPORT_ALLOCATION, 4,
		  "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		CHECK(read_text(heads[i].text) == ST_OK && reports.n == 1);
		const struct oom_report *r = &reports.reports[0];

		CHECK(reports.n && r->has_head && r->kind == heads[i].kind &&
		      r->order == heads[i].order && r->gfp_mask.known);
		CHECK_TEXT(r->gfp, heads[i].gfp);
	}
	CHECK(read_text("[    1.000000] a invoked oom-killer: gfp_mask=0x201da, order=2, "
			"oom_score_adj=0 or so\n") == ST_OK);
	CHECK(!reports.n);
}

/* What a program wrote to syslog is not the kernel's, though it looks so. */
static void program(void)
{
	CHECK(read_text("Nov 23 04:42:26 box kernel: [    1.000000] a\n"
			"Nov 23 04:42:26 box app[333]: [    2.000000] " HEAD) == ST_OK);
	CHECK(file.log.n == 1 && !reports.n);
}

/* Stamps of several machines have no order. */
static void hosts(void)
{
	CHECK(read_text("Nov 23 04:42:26 localhost kernel: [    1.000000] a\n"
			"Nov 23 04:42:26 Box.example.com kernel: [    2.000000] a\n"
			"Nov 23 04:42:26 box kernel: [    3.000000] a\n"
			"Nov 23 04:42:26 other app[1]: [    3.000000] a\n") == ST_OK);
	CHECK(!file.hosts);
	CHECK(read_text("Nov 23 04:42:26 box kernel: [    1.000000] a\n"
			"Nov 23 04:42:26 box2 kernel: [    2.000000] a\n") == ST_OK);
	CHECK_TEXT(file.hosts, "box and box2");
}

static void victims(void)
{
	CHECK(read_text(
		      "[    1.000000] " HEAD "[    1.000001] " KILLED "\n"
		      "[    1.000002] Tasks in /a are going to be killed due to memory.oom.group set\n"
		      "[    1.000003] oom_reaper: unable to reap pid:46 (hungry)\n") == ST_OK);
	CHECK(reports.n == 1 && reports.reports[0].is_group && !reports.reports[0].not_reaped);
	CHECK(read_text("[    1.000000] " HEAD "[    1.000001] " KILLED "\n"
			"[    9.000003] oom_reaper: unable to reap pid:45 (hungry)\n") == ST_OK);
	CHECK(reports.reports[0].not_reaped && !reports.reports[0].is_group);
}

/* As journalctl -r has them; a few boots of few lines are no such thing, nor are dates that go on. */
static void newest_first(void)
{
	CHECK(read_text("[    5.000000] f\n[    4.000000] e\n[    3.000000] d\n[    2.000000] c\n"
			"[    1.000000] " HEAD) == ST_CORRUPT);
	CHECK(strstr(stub.dump.error, "newest first"));
	CHECK(read_text("Nov 26 18:00:05 box kernel: f\nNov 26 18:00:04 box kernel: e\n"
			"Nov 26 18:00:03 box kernel: d\nNov 26 18:00:03 box kernel: c\n"
			"Nov 26 18:00:02 box kernel: b\n"
			"Nov 26 18:00:01 box kernel: " HEAD) == ST_CORRUPT);
	CHECK(read_text("[    9.000000] f\n[    2.000000] e\n[    1.000000] " HEAD) == ST_OK);
	CHECK(read_text("Nov 26 18:00:01 box kernel: [   60.000000] f\n"
			"Nov 26 18:01:01 box kernel: [   50.000000] f\n"
			"Nov 26 18:02:01 box kernel: [   40.000000] f\n"
			"Nov 26 18:03:01 box kernel: [   30.000000] f\n"
			"Nov 26 18:04:01 box kernel: [   20.000000] " HEAD) == ST_OK);
}

static void no_log(void)
{
	CHECK(read_text("") == ST_ABSENT);
	CHECK(read_text("a letter\nof two lines\n") == ST_ABSENT);
	CHECK(read_bytes("\0\0\0\0", 4) == ST_ABSENT);
	CHECK(read_bytes("x\0Kernel panic - not syncing\0\n", 29) == ST_ABSENT);
	stub_close(&stub);
	is_open = false;
}

TESTS({ "what tools put before the kernel's words", prefixes }, { "dates of tools", dates },
      { "callers of records", callers }, { "a record of several lines", counters_of_several_lines },
      { "lines that are cut", cut_lines }, { "counters that were cut", counters_that_were_cut },
      { "counters of mails", counters_of_mails },
      { "lines of others in between", interleaved_lines }, { "several boots", boots },
      { "what a log says of its machine", facts }, { "a long log", long_log },
      { "counters of a cgroup", cgroup_counters }, { "first lines of old kernels", old_heads },
      { "a line of a program", program }, { "lines of several machines", hosts },
      { "what became of a victim", victims },
      { "pages of a balloon and of a GPU", balloon_and_gpu },
      { "lines that are newest first", newest_first }, { "what is no log", no_log })
