// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of a report of which lines are lost, or that stand apart. */
#include <stdlib.h>

#include "log/log_parts.h"
#include "log_text.h"
#include "test.h"
#include "util/arena.h"

#define HEAD "hungry invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"

/* UINT64_MAX: unknown, or there is no report. */
static uint64_t counter(enum mem_counter which)
{
	const struct log_number *n = &reports.reports[0].mem.pages[which];

	return reports.n && n->known ? n->value : UINT64_MAX;
}

/* Each line of the record of counters may be lost, or another stand behind it: the others stay. */
static void lost_lines(void)
{
	static const char *const lines[] = { "active_anon:1 inactive_anon:2 isolated_anon:0",
					     " active_file:3 inactive_file:4 isolated_file:0",
					     " slab_reclaimable:5 slab_unreclaimable:6",
					     " mapped:7 shmem:8 pagetables:9 bounce:0",
					     " free:10 free_pcp:0 free_cma:0" };
	static const enum mem_counter of[] = { MEM_inactive_anon, MEM_inactive_file,
					       MEM_slab_unreclaimable, MEM_pagetables, MEM_free };
	static const uint64_t value[] = { 2, 4, 6, 9, 10 };
	const size_t n = sizeof(of) / sizeof(of[0]);

	for (size_t lost = 0; lost < 2 * n; lost++) {
		char text[1024];
		int len = snprintf(text, sizeof(text), "[    1.000000] %s", HEAD);

		for (size_t i = 0; i < n; i++) {
			if (i != lost)
				len += snprintf(text + len, sizeof(text) - (size_t)len,
						"[    1.000001] %s\n", lines[i]);
			if (i == lost - n)
				len += snprintf(text + len, sizeof(text) - (size_t)len,
						"[    1.000001] eth0: link up\n");
		}
		CHECK(read_text(text) == ST_OK && reports.n == 1);
		for (size_t i = 0; i < n; i++)
			CHECK(counter(of[i]) == (i == lost ? UINT64_MAX : value[i]));
	}
	/* Printed once more from its first line on, as the console of a kernel that panics has it. */
	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"[    1.000001]  active_fi\n"
			"** replaying previous printk message **\n"
			"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"[    1.000001]  active_file:3 inactive_file:4 isolated_file:0\n"
			"[    1.000001]  free:10 free_pcp:0 free_cma:0\n") == ST_OK);
	CHECK(reports.n == 1 && counter(MEM_free) == 10 && counter(MEM_inactive_file) == 4);
	/* Of another block. */
	CHECK(read_text("[    1.000000] " HEAD
			"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"[    1.000001] eth0: link up\n"
			"[    1.000001] active_anon:5 inactive_anon:2 isolated_anon:0\n") == ST_OK);
	CHECK(counter(MEM_active_anon) == UINT64_MAX || counter(MEM_active_anon) == 1);
}

#define NODES                                                                                 \
	"[    1.000001] Node 0 active_anon:400kB inactive_anon:80kB active_file:40kB "        \
	"inactive_file:4kB unevictable:8kB isolated(anon):4kB isolated(file):8kB mapped:0kB " \
	"shmem:120kB pagetables:16kB all_unreclaimable? no\n"
#define ZONES(present)                                                                 \
	"[    1.000001] Node 0 DMA free:4kB min:4kB low:4kB high:4kB present:" present \
	"kB managed:4000kB\n[    1.000001] Node 0 DMA: 1*4kB (U) = 4kB\n"

/* What the lines of nodes have of it, if they are of all RAM. */
static void lost_of_nodes(void)
{
	static const char lost[] = "[    1.000000] " HEAD
				   "[    1.000001]  slab_reclaimable:5 slab_unreclaimable:6\n"
				   "[    1.000001]  free:1 free_pcp:0 free_cma:0\n";
	static const char tail[] = "[    1.000001] 1000 pages RAM\n";
	char text[2048];

	snprintf(text, sizeof(text), "%s%s%s%s", lost, NODES, ZONES("4000"), tail);
	CHECK(read_text(text) == ST_OK && reports.n == 1);
	CHECK(counter(MEM_active_anon) == 100 && counter(MEM_inactive_anon) == 20 &&
	      counter(MEM_isolated_anon) == 1);
	CHECK(counter(MEM_active_file) == 10 && counter(MEM_inactive_file) == 1 &&
	      counter(MEM_isolated_file) == 2);
	CHECK(counter(MEM_unevictable) == 2 && counter(MEM_shmem) == 30 &&
	      counter(MEM_pagetables) == 4 && counter(MEM_sec_pagetables) == UINT64_MAX);
	/* A node or a zone is missing. */
	snprintf(text, sizeof(text), "%s%s%s%s", lost, NODES, ZONES("3996"), tail);
	CHECK(read_text(text) == ST_OK && counter(MEM_active_anon) == UINT64_MAX &&
	      counter(MEM_pagetables) == UINT64_MAX);
	snprintf(text, sizeof(text), "%s%s%s", lost, ZONES("4000"), tail);
	CHECK(read_text(text) == ST_OK && counter(MEM_active_anon) == UINT64_MAX);
	/* Up to 5.10 zones have page tables. */
	snprintf(text, sizeof(text), "%s%s%s%s", lost,
		 "[    1.000001] Node 0 active_anon:400kB inactive_anon:80kB active_file:40kB "
		 "inactive_file:4kB unevictable:8kB isolated(anon):4kB isolated(file):8kB "
		 "all_unreclaimable? no\n",
		 ZONES("4000kB managed:4000kB pagetables:12"), tail);
	CHECK(read_text(text) == ST_OK && counter(MEM_pagetables) == 3 &&
	      counter(MEM_shmem) == UINT64_MAX);
}

/* As two sinks have it. */
static void lines_twice(void)
{
	CHECK(read_text("[    0.000000] Linux version 6.12.107\n"
			"[    0.000000] Linux version 6.12.107\n"
			"[    1.000000] " HEAD "[    1.000000] " HEAD
			"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"[    1.000001] active_anon:1 inactive_anon:2 isolated_anon:0\n"
			"[    1.000001]  active_file:3 inactive_file:4 isolated_file:0\n"
			"[    1.000001]  active_file:3 inactive_file:4 isolated_file:0\n") ==
	      ST_OK);
	CHECK(file.boots == 1 && file.log.n == 3 && reports.n == 1);
	CHECK(counter(MEM_active_anon) == 1 && counter(MEM_inactive_file) == 4);
	/* Another time, or words without one. */
	CHECK(read_text("[    1.000000] x: link up\n[    1.000001] x: link up\n"
			"[    1.000001] " HEAD) == ST_OK &&
	      file.log.n == 3);
}

/* The console of a kernel that panics. */
static void cut_and_replayed(void)
{
	CHECK(read_text(
		      "[    1.000000] hungry invoked oom-killer: gfp_mask=0xc2cc0(GFP_KERNEL|__GFP_\n"
		      "** replaying previous printk message **\n"
		      "[    1.000000] hungry invoked oom-killer: "
		      "gfp_mask=0xc2cc0(GFP_KERNEL|__GFP_NOWARN), order=0, oom_score_adj=0\n"
		      "[    1.000001] CPU: 0 PID: 181 Comm: hungry Not tainted 6.12.107 #1\n"
		      "[    1.000002] active_anon:1 inactive_anon:2 isolated_anon:0\n"
		      "[    1.000002]  active_file:3 inacti\n"
		      "** replaying previous printk message **\n"
		      "[    1.000002]  active_file:3 inactive_file:4 isolated_file:0\n"
		      "[    1.000002]  free:10 free_pcp:0 free_cma:0\n") == ST_OK);
	CHECK(reports.n == 1 && file.log.n == 3 && reports.reports[0].pid.value == 181);
	CHECK(counter(MEM_inactive_anon) == 2 && counter(MEM_inactive_file) == 4 &&
	      counter(MEM_free) == 10);
	/* What goes on otherwise, or at another time, is another line. */
	CHECK(read_text("[    1.000000] x: link up\n** replaying previous printk message **\n"
			"[    1.000001] x: link up and fast\n"
			"[    1.000001] " HEAD) == ST_OK &&
	      file.log.n == 3);
}

/* Which CPUs may be there, as nr_cpu_ids has them, is no number of those that are. */
static void cpus_are_those_that_came_up(void)
{
#define POSSIBLE \
	"[    0.000001] setup_percpu: NR_CPUS:8192 nr_cpumask_bits:4 nr_cpu_ids:4 nr_node_ids:1\n"
	CHECK(read_text(POSSIBLE "[    1.000000] smp: Brought up 1 node, 2 CPUs\n") == ST_OK);
	CHECK(file.has_cpus && file.cpus == 2);
	CHECK(read_text(POSSIBLE "[    1.000000] x86: Booted up 2 nodes, 16 CPUs\n") == ST_OK);
	CHECK(file.has_cpus && file.cpus == 16);
	CHECK(read_text(POSSIBLE "[    1.000000] smp: Bringing up secondary CPUs ...\n") == ST_OK);
	CHECK(!file.has_cpus);
#undef POSSIBLE
}

static void lines_in_no_order(void)
{
	CHECK(read_text("[    5.000000] f\n[    8.000000] e\n[    3.000000] d\n[    9.000000] c\n"
			"[    2.000000] b\n[    7.000000] a\n[    4.000000] x\n[    6.000000] y\n"
			"[    1.000000] " HEAD) == ST_CORRUPT);
	CHECK(strstr(stub.dump.error, "in no order of time: "));
}

/* What is missing of the time before init began is of no process. */
static void misses_processes(void)
{
	CHECK(read_text("[    0.357433] ACPI: a line\n[    5.000000] a kill\n") == ST_OK);
	CHECK(file.log.has_dropped && file.log.misses_processes);
	CHECK(read_text("[    0.357433] ACPI: a line\n[    1.800000] Run /init as init process\n"
			"[    5.000000] a kill\n") == ST_OK);
	CHECK(file.log.has_dropped && !file.log.misses_processes);
	CHECK(read_text("[    1.800000] Run /init as init processor\n[    5.000000] a\n") == ST_OK);
	CHECK(file.log.misses_processes);
}

/* What is there in another form than the kernel's is not denied. */
static void respelled(void)
{
	static const char *const lines[] = {
		"KERNEL PANIC - NOT SYNCING: OUT OF MEMORY",
		"kerne1 panic - not syncing: Out of memory",
		"Kernel panic; not syncing: Out of memory",
		"Kernel panic - not syncing; Out of memory",
		"12.345678 Kernel panic - not syncing: Out of memory",
		"Kernel panic - not syncin",
		"WEB INVOKED OOM-KILLER: GFP_MASK=0XCC0",
		"web invoked o0m_killer: gfp_mask=0xcc0",
	};
	static const char *const others[] = {
		"Kernel panic - not syncing: Out of memory",
		"---[ end Kernel panic - not syncing: Out of memory ]---",
		"web invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
		"oom-killer: gfp_mask=0xd2",
		"panic_on_oom: not set",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "[    1.000000] a\n[    2.000000] %s\n", lines[i]);
		CHECK(read_text(text) == ST_OK && file.is_respelled && file.log.is_cut);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		snprintf(text, sizeof(text), "[    1.000000] a\n[    2.000000] %s\n", others[i]);
		CHECK(read_text(text) == ST_OK && !file.is_respelled && !file.log.is_cut);
	}
	CHECK(read_text("[    2.000000] KERNEL PANIC - NOT SYNCING: x\n"
			"[    0.000000] Linux version 6.1.0 (a@b) (gcc) #1 SMP\n"
			"[    1.000000] " HEAD) == ST_OK);
	CHECK(file.boots == 2 && !file.is_respelled);
	CHECK(read_text(
		      "00000000  5b 20 20 20 20 30 2e 30  30 30 30 30 30 5d 20 4c  |[    0.000000] L|\n"
		      "00000010  69 6e 75 78 20 76 65 72  73 69 6f 6e 20 36 2e 31  |inux version 6.1|\n") ==
	      ST_CORRUPT);
	CHECK(strstr(stub.dump.error, "hex dump"));
	CHECK(read_text("00000000: 5b20 2020 2030 2e30 3030 3030 305d 204c  [    0.000000] L\n") ==
	      ST_CORRUPT);
}

/* What stands without a stamp, where other lines have one, is left out, and a panic in it is not denied. */
static void left_out_panic(void)
{
	CHECK(read_text("[    1.000000] a\n[  217.OO8399] Kernel panic - not syncing: b\n") ==
	      ST_OK);
	CHECK(file.is_respelled);
	CHECK(read_text("[    1.000000] a\nKernel panic - not syncing: b\n") == ST_OK);
	CHECK(file.is_respelled);
	CHECK(read_text("[    1.000000] a\nlogin: panic\n") == ST_OK && !file.is_respelled);
}

/* A terminal breaks lines of an exception too. */
static void broken_exception(void)
{
	static const struct {
		const char *text, *told;
	} lines[] = {
		{ "Code: 53 48 83\n ec <10> 65", "Code: 53 48 83 ec <10> 65" },
		{ "Code: 53 48 83\nec <10> 65", "Code: 53 48 83 ec <10> 65" },
		{ "Code: 53 48 8\n3 ec <10> 65", "Code: 53 48 83 ec <10> 65" },
		{ "RAX: fffffffffffffffe RBX: fffffffffffffffe RCX: 000000000\n74bc001",
		  "RAX: fffffffffffffffe RBX: fffffffffffffffe RCX: 00000000074bc001" },
		{ "RAX: fffffffffffffffe RBX: fffffffffffffffe\n RCX: 00000000074bc001",
		  "RAX: fffffffffffffffe RBX: fffffffffffffffe RCX: 00000000074bc001" },
		{ "RAX: fffffffffffffffe RBX: fffffffffffffffe\nlogin: ",
		  "RAX: fffffffffffffffe RBX: fffffffffffffffe" },
	};
	char text[256];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "[    1.000000] %s\n[    2.000000] a\n",
			 lines[i].text);
		CHECK(read_text(text) == ST_OK);
		CHECK_TEXT(record(0), lines[i].told);
	}
}

/* Colours in words, and of which the first byte was lost. */
static void colours(void)
{
	static const char *const escapes[] = {
		"\033", "^[", "#033", "\\x1b", "\\e", "\\u001b", ""
	};
	char text[512];

	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++) {
		const char *e = escapes[i];

		snprintf(text, sizeof(text),
			 "%s[32m[    1.000000] %s[0m%s[33mweb%s[0m invoked oom-killer: "
			 "gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n",
			 e, e, e, e);
		CHECK(read_text(text) == ST_OK && reports.n == 1 && file.log.n == 1);
		CHECK_TEXT(reports.reports[0].comm, "web");
	}
	CHECK(read_text("[    1.000000] a[5] b[0x3m] c[m] d[12]m\n") == ST_OK);
	CHECK_TEXT(record(0), "a[5] b[0x3m] c[m] d[12]m");
}

static bool lacks_panic(const char *lines)
{
	char text[1024];

	snprintf(text, sizeof(text), "[    1.000000] %s[    1.000001] %s\n", HEAD, lines);
	CHECK(read_text(text) == ST_OK);
	return file.lacks_panic;
}

/* The first line of a panic is lost: what panic() prints behind it is there. */
static void lost_panic(void)
{
	CHECK(lacks_panic(" panic+0x2a1/0x522") && file.log.is_cut);
	CHECK(lacks_panic(" [<c0131313>] panic+0x2a1/0x522") && file.log.is_cut);
	CHECK(lacks_panic(" panic from out_of_memory+0x33f/0x34c"));
	CHECK(lacks_panic("Rebooting in 90 seconds.."));
	/* CPUs of arm may be stopped for something else. */
	CHECK(!lacks_panic("CPU0: stopping") && file.log.is_cut);
	CHECK(!lacks_panic(" ? panic+0x2a1/0x522") && !file.log.is_cut);
	CHECK(!lacks_panic("Rebooting in a while") && !file.log.is_cut);
	CHECK(!lacks_panic("Kernel panic - not syncing: Oops\n[    1.000002]  panic+0x2a1/0x522"));
	CHECK(!lacks_panic(
		" panic+0x2a1/0x522\n[    1.000002] ---[ end Kernel panic - not syncing: a"));
}

/* Of /dev/kmsg and netconsole: a record that is missing is one, and is told; its report goes on. */
static void lost_numbers(void)
{
	CHECK(read_text("6,1,1000000,-;a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, "
			"oom_score_adj=0\n6,3,1000002,-;Mem-Info:\n"
			"6,4,1000004,-;Out of memory: Killed process 5 (a) total-vm:8kB\n") ==
	      ST_OK);
	CHECK(file.log.n == 4 && file.log.records[1].lost == 1 && !file.log.records[1].text);
	CHECK(reports.n == 1);
	CHECK(read_text("6,1,1000000,-;a\n6,99999999999,1000002,-;b\n6,5,1000004,-;c\n") == ST_OK);
	CHECK(file.log.n == 4 && file.log.records[1].lost == 0 && !file.log.records[1].text);
}

static char given[512];

static void give(void *arg, char *line, size_t len, bool ends)
{
	(void)arg;
	(void)ends;
	CHECK(strlen(line) == len);
	strncat(given, strrchr(line, ';') + 1, sizeof(given) - strlen(given) - 1);
}

static void order_of(const char *const *lines, size_t n)
{
	struct arena a = { 0 };
	struct log_window *w = log_window_open(&a, (struct log_parts_to){ give, NULL });
	char line[64];

	given[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "%s", lines[i]);
		log_window_line(w, line, strlen(line), true);
	}
	log_window_end(w);
	arena_reset(&a);
}

/* Packets that overtook one another. */
static void packets(void)
{
	static const char *const late[] = { "6,7,1,-;a", "6,9,1,-;c", "6,10,1,-;d", "6,8,1,-;b",
					    "6,11,1,-;e" },
				 *const lost[] = { "6,7,1,-;a", "6,9,1,-;b", ";c", "6,12,1,-;d",
						   "6,11,1,-;e" },
				 *const pieces[] = { "6,7,1,-;a", "6,9,1,-;c", "6,9,1,-;d",
						     "6,8,1,-;b" },
				 *const boots[] = { "6,700,1,-;a", "6,702,1,-;b", "6,0,1,-;c",
						    "6,1,1,-;d" };
	const char *many[LOG_WINDOW + 2] = { "6,7,1,-;a" };

	order_of(late, ARRAY_SIZE(late));
	CHECK_TEXT(given, "abcde");
	order_of(lost, ARRAY_SIZE(lost));
	CHECK_TEXT(given, "abcde");
	order_of(pieces, ARRAY_SIZE(pieces));
	CHECK_TEXT(given, "abcd");
	order_of(boots, ARRAY_SIZE(boots));
	CHECK_TEXT(given, "abcd");
	/* One that is lost is not waited for. */
	for (unsigned int i = 1; i < ARRAY_SIZE(many); i++)
		many[i] = "6,9,1,-;b";
	order_of(many, ARRAY_SIZE(many));
	CHECK(strlen(given) == ARRAY_SIZE(many));
}

TESTS({ "a panic whose first line is lost", lost_panic },
      { "words in another form than the kernel's", respelled }, { "colours in words", colours },
      { "a panic that was left out", left_out_panic }, { "an exception, broken", broken_exception },
      { "a log that begins before init", misses_processes },
      { "counters of which a line is lost", lost_lines },
      { "a line that was cut, and once more", cut_and_replayed },
      { "a text that has each line twice", lines_twice },
      { "counters that are lost, and nodes have them", lost_of_nodes },
      { "lines in no order", lines_in_no_order }, { "CPUs", cpus_are_those_that_came_up },
      { "numbers of records that are missing", lost_numbers },
      { "packets in another order", packets })
