// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of tasks in an OOM report of the log, in the forms of 5.10 and 6.12; and badness. */
#include "oom/oom_score.h"
#include "oom/oom_tasks.h"
#include "oom/oom_total.h"

#include <stdlib.h>
#include <string.h>

#include "stub.h"
#include "test.h"

#define OLD "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name"
#define NEW                                                                                   \
	"[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem pgtables_bytes " \
	"swapents oom_score_adj name"

#define RECORDS 16

struct line {
	uint32_t caller;
	const char *text;
};

static struct stub stub;
static bool is_open;
static struct kernel_record records[RECORDS];
static struct oom_tasks tasks;

static enum status read_lines(const struct line *lines, size_t n, bool has_caller)
{
	const struct kernel_log log = { .records = records, .n = n };

	if (is_open)
		stub_close(&stub);
	stub_open(&stub);
	is_open = true;
	for (size_t i = 0; i < n; i++)
		records[i] = (struct kernel_record){ .ts_ns = i + 1,
						     .text = lines[i].text,
						     .has_caller = has_caller,
						     .caller = lines[i].caller };
	return oom_tasks_read(&stub.dump, &log, &tasks);
}

#define READ(lines) read_lines(lines, sizeof(lines) / sizeof((lines)[0]), true)
#define READ_OLD(lines) read_lines(lines, sizeof(lines) / sizeof((lines)[0]), false)

static int64_t value(uint64_t tgid, enum oom_task_column column)
{
	const struct oom_task *row = hash_u64_find(&tasks.rows, tgid);

	return row ? row->value[column] : INT64_MIN;
}

static void both_forms(void)
{
	static const struct line old[] = {
		{ 1, "Tasks state (memory values in pages):" },
		{ 1, OLD },
		{ 1,
		  "[     43]     0    43     1803      175    49152     1530             0 httpd" },
		{ 2,
		  "[     99]     0    99        1        1        1        1             0 other" },
		{ 1,
		  "[     45]  1000    44     2315      175    53248     2097          -500 a b" },
		{ 1, "oom-kill:constraint=CONSTRAINT_NONE" },
		{ 1,
		  "[     46]     0    46        1        1        1        1             0 late" },
	};
	static const struct line new[] = {
		{ 1, OLD },
		{ 1,
		  "[     43]     0    43     1803      175    49152     1530             0 httpd" },
		{ 1, NEW },
		{ 1, "[     53]     0    53     1804      286      128        1       157    53248 "
		     "    1408          1000 httpd" },
	};

	CHECK(READ(old) == ST_OK && tasks.rows.n == 2 && !tasks.is_cut && tasks.ts_ns == 2);
	CHECK(!tasks.has[OOM_TASK_ANON] && tasks.has[OOM_TASK_SWAP]);
	CHECK(value(43, OOM_TASK_RSS) == 175 && value(43, OOM_TASK_PGTABLES) == 49152);
	CHECK(value(44, OOM_TASK_PID) == 45 && value(44, OOM_TASK_ADJ) == -500);
	CHECK(value(44, OOM_TASK_SWAP) == 2097 && value(44, OOM_TASK_UID) == 1000);
	CHECK_TEXT(((const struct oom_task *)hash_u64_find(&tasks.rows, 44))->comm, "a b");
	/* The newest table alone. */
	CHECK(READ_OLD(old) == ST_OK && !tasks.is_cut);
	CHECK(READ(new) == ST_OK && tasks.rows.n == 1 && tasks.ts_ns == 3);
	/* The log ends in it. */
	CHECK(tasks.is_cut && READ_OLD(new) == ST_OK && tasks.is_cut);
	CHECK(value(53, OOM_TASK_ANON) == 128 && value(53, OOM_TASK_FILE) == 1);
	CHECK(value(53, OOM_TASK_SHMEM) == 157 && value(53, OOM_TASK_ADJ) == 1000);
}

/* A row that is broken, or of which a number lost a digit, is a row that is missing; other words are none. */
static void damaged(void)
{
	static const struct {
		const char *row;
		bool is_cut;
	} all[] = {
		{ "[    245]     0   245   146296    47776    47775        1         0  1204224    "
		  "98279             0 a",
		  false },
		{ "[    245]     0   245   146296    47776    47", true },
		{ "[    245]", true },
		{ "[  OK  ] Started foo.service - Foo.", false },
		{ "e1000e 0000:00:1f.6 eth0: NIC Link is Down", false },
		/* A name that is a number. */
		{ "[    245]     0   245   146296    47776    47775        1         0  1204224    "
		  "98279             0 531",
		  false },
		/* rss, anon, total_vm */
		{ "[    245]     0   245   146296     4776    47775        1         0  1204224    "
		  "98279             0 a",
		  true },
		{ "[    245]     0   245   146296    47776     4775        1         0  1204224    "
		  "98279             0 a",
		  true },
		{ "[    245]     0   245    14296    47776    47775        1         0  1204224    "
		  "98279             0 a",
		  true },
		/* Counters that were read one behind the other. */
		{ "[    245]     0   245   146296    47776    36000        1         0  1204224    "
		  "98279             0 a",
		  false },
		{ "[    245]     0   245      300      200        0        1         0  1204224    "
		  "98279             0 a",
		  false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const struct line lines[] = {
			{ 0, NEW },
			{ 0, all[i].row },
			{ 0,
			  "[     53]     0    53     1804      286      128        1       157    "
			  "53248     1408          1000 httpd" },
			{ 0, "oom-kill:constraint=CONSTRAINT_NONE" },
		};

		CHECK(READ_OLD(lines) == ST_OK && tasks.is_cut == all[i].is_cut);
		CHECK(value(53, OOM_TASK_RSS) == 286);
		CHECK(!all[i].is_cut || value(245, OOM_TASK_RSS) == INT64_MIN);
	}
}

static void hostile(void)
{
	static const struct line rows[] = {
		{ 0, OLD },
		{ 0, "[     43]     0    43     1803      175    49152     1530             0" },
		{ 0,
		  "[     43]     0     0     1803      175    49152     1530             0 zero" },
		{ 0,
		  "[     43]     0    -3     1803      175    49152     1530             0 minus" },
		{ 0, "[ 99999999999999999999]     0    43     1803 1 1 1 0 large" },
		{ 0,
		  "[     43]     0    43     1803     175x    49152     1530             0 bad" },
		{ 0, "[     43]     0    43     1803      175    49152     1530             0 "
		     "a_name_that_is_too_long" },
		{ 0, NULL },
		{ 0,
		  "[     44]     0    44     1803      175    49152     1530             0 good" },
	};
	static const struct line headers[] = {
		{ 0, "[ pid ] uid name" },
		{ 0, "[ pid ] tgid rss rss name" },
		{ 0, "[ pid ] tgid rss" },
		{ 0, "[ a b c d e f g h i j k l m n o p q r s t u v w x y z tgid rss name" },
		{ 0, "[" },
		{ 0, "" },
	};

	CHECK(READ_OLD(rows) == ST_OK && tasks.rows.n == 1 && tasks.is_cut);
	CHECK(value(44, OOM_TASK_RSS) == 175);
	/* A record of the same caller that is no row ends the table. */
	CHECK(READ(rows) == ST_OK && tasks.rows.n == 0);
	CHECK(READ(headers) == ST_ABSENT);
}

static void badness(void)
{
	const struct mm_counts n = { .anon = 100, .file = 10, .shmem = 1, .swap = 1000 };

	CHECK(oom_badness(&n, 40960 + 4095, 0, 12345, 12) == 1121);
	CHECK(oom_badness(&n, 0, 1000, 100999, 12) == 1111 + 100000);
	CHECK(oom_badness(&n, 0, -999, 100999, 12) == 1111 - 99900);
}

static uint64_t swap_pages;
static const uint32_t swappiness = 60;

static enum status total_of_memcg(bool has_swap_limit, struct oom_total *ret)
{
	static const struct stub_symbol symbols[] = { { "total_swap_pages", 0x1000, FIELD(0, 8) },
						      { "vm_swappiness", 0x2000, FIELD(0, 4) },
						      { 0 } };
	static const struct stub_memory memory[] = { { 0x1000, &swap_pages, 8 },
						     { 0x2000, &swappiness, 4 },
						     { 0 } };
	STUB(s, .symbols = symbols, .memory = memory);
	struct oom_report *report = calloc(1, sizeof(*report));
	enum status st;

	strcpy(report->constraint, "CONSTRAINT_MEMCG");
	report->memory.limit_kib = (struct log_number){ .known = true, .value = 65536 };
	report->swap.limit_kib = (struct log_number){ .known = has_swap_limit, .value = 4096 };
	st = oom_total_read(&s.dump, report, ret);
	ret->of = NULL;
	if (st != ST_OK)
		CHECK_TEXT(s.dump.error, "the report does not tell the swap limit of the cgroup");
	free(report);
	return st;
}

static void limits_of_memcgs(void)
{
	struct oom_total total;

	swap_pages = 100000;
	CHECK(total_of_memcg(true, &total) == ST_OK && total.pages == 16384 + 1024);
	CHECK(total_of_memcg(false, &total) == ST_ABSENT);
	/* Neither matters without swap. */
	swap_pages = 0;
	CHECK(total_of_memcg(true, &total) == ST_OK && total.pages == 16384);
	CHECK(total_of_memcg(false, &total) == ST_OK && total.pages == 16384);
}

/*
 * v1: the cgroup /, whose swappiness is not that of the system; memory and swap are limited
 * together.  struct mem_cgroup: css.ss, css.cgroup, css.flags, css.children, css.sibling, swappiness.
 */
static void limits_of_v1(void)
{
	static const uint64_t cgroup = 0x9000, node[2] = { 0 }, pages = 100000, root = 0x4000;
	static const uint32_t off = 0, on = 1;
	static uint64_t memcg[8] = { 0x3000, 0x5000, 2, 0x4018, 0x4018, 0x4028, 0x4028, 60 };
	static const struct stub_symbol symbols[] = {
		{ "total_swap_pages", 0x1000, FIELD(0, 8) },
		{ "memory_cgrp_subsys", 0x3000, FIELD(0, 8) },
		{ "memory_cgrp_subsys_on_dfl_key", 0x6000, KINDED(KIND_STRUCT, 0, 16) },
		{ "memory_cgrp_subsys_enabled_key", 0x7000, KINDED(KIND_STRUCT, 0, 16) },
		{ "root_mem_cgroup", 0x8000, FIELD(0, 8) },
		{ 0 }
	};
	static const struct stub_memory memory[] = { { 0x1000, &pages, 8 },
						     { 0x4000, memcg, sizeof(memcg) },
						     { 0x5000, &cgroup, 8 },
						     { 0x6000, &off, 4 },
						     { 0x7000, &on, 4 },
						     { 0x8000, &root, 8 },
						     { 0x9000, node, sizeof(node) },
						     { 0 } };
	static const struct stub_member members[] = {
		{ "struct mem_cgroup", "css.ss", FIELD(0, 8) },
		{ "struct mem_cgroup", "css.cgroup", FIELD(8, 8) },
		{ "struct mem_cgroup", "css.flags", FIELD(16, 4) },
		{ "struct mem_cgroup", "css.children", KINDED(KIND_STRUCT, 24, 16) },
		{ "struct mem_cgroup", "css.sibling", KINDED(KIND_STRUCT, 40, 16) },
		{ "struct mem_cgroup", "swappiness", FIELD(56, 4) },
		{ "struct cgroup", "kn", FIELD(0, 8) },
		{ "struct kernfs_node", "parent", FIELD(0, 8) },
		{ "struct kernfs_node", "name", FIELD(8, 8) },
		{ "struct static_key", "enabled.counter", FIELD(0, 4) },
		{ 0 }
	};
	static const struct stub_number enumerators[] = { { "CSS_ONLINE", 2 }, { 0 } };
	STUB(s, .symbols = symbols, .memory = memory, .members = members,
	     .enumerators = enumerators);
	struct oom_report *report = calloc(1, sizeof(*report));
	struct oom_total total;

	report->scope = OOM_SCOPE_MEMCG;
	strcpy(report->oom_memcg, "/");
	report->memory.limit_kib = (struct log_number){ .known = true, .value = 65536 };
	report->memsw.limit_kib = (struct log_number){ .known = true, .value = 65536 + 8192 };
	CHECK(oom_total_read(&s.dump, report, &total) == ST_OK && total.pages == 16384 + 2048);
	report->memsw.limit_kib.value = 9007199254740988;
	CHECK(oom_total_read(&s.dump, report, &total) == ST_OK && total.pages == 16384 + 100000);
	memcg[7] = 0;
	CHECK(oom_total_read(&s.dump, report, &total) == ST_OK && total.pages == 16384);
	strcpy(report->oom_memcg, "/gone");
	CHECK(oom_total_read(&s.dump, report, &total) == ST_ABSENT);
	CHECK_TEXT(s.dump.error, "the cgroup of the report was removed");
	free(report);
}

TESTS({ "columns of 5.10 and 6.12, rows of other callers", both_forms },
      { "rows and headers that are none", hostile }, { "damaged rows", damaged },
      { "badness", badness }, { "badness: the limits of a cgroup", limits_of_memcgs },
      { "badness: the limits of a cgroup of v1", limits_of_v1 })
