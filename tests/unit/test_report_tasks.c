// SPDX-License-Identifier: GPL-2.0-or-later
/* Processes that are not in a dump, of which the report in its log has a table. */
#include "holds_most.h"
#include "log/log_file.h"
#include "memowner/groups.h"

static struct log_file log_file;
static struct kernel_record records[] = {
	{ .ts_ns = 8000000000, .text = "app invoked oom-killer: order=0" },
	{ .ts_ns = 8000000001, .text = "Tasks state (memory values in pages):" },
	{ .ts_ns = 8000000002,
	  .text = "[  pid  ]   uid  tgid total_vm      rss rss_anon rss_file rss_shmem "
		  "pgtables_bytes swapents oom_score_adj name" },
	{ .ts_ns = 8000000003,
	  .text = "[      7]     0     7     4096      120      110       10         0    40960    "
		  "    0             0 app" },
	{ .ts_ns = 8000000004,
	  .text = "[     11]     0    11     4096      200      200        0         0    40960    "
		  "    0             0 qemu" },
	{ .ts_ns = 8000000005,
	  .text = "[     12]     0    12     4096      210      210        0         0    40960    "
		  "    0             0 qemu" },
	{ .ts_ns = 8000000006, .text = "Kernel panic - not syncing: Out of memory" },
};

/* The dump has one of two, and the cgroup of both. */
static void begin_holed(void)
{
	begin(VERDICT_RAN_OUT);
	sum.tasks_missing = true;
	list("cgroup", "/machine.slice", 430, NULL);
	process("qemu", 11, 200, "/machine.slice/a.scope");
	process("app", 7, 110, "/system.slice/app.service");
	oom.first = &records[0];
	log_file.log = (struct kernel_log){ .records = records, .n = ARRAY_SIZE(records) };
	stub.dump.log_file = &log_file;
}

static const char *told_with_table(void)
{
	CHECK(summary_report_tasks(&sum) == ST_OK);
	stub.dump.log_file = NULL;
	return told(SECTION_MOST);
}

static void of_the_report(void)
{
	begin_holed();
	CHECK(strstr(told_with_table(), "2 processes qemu: 1.6M, 41.0% of RAM (by the report in "
					"the log; "));
	CHECK(!summary_lacks_processes(&sum));
	/* One that the dump has all of is told by it. */
	for (const struct statement *row = sum.first[SECTION_GROUP]; row; row = row->next)
		CHECK(!strcmp(row->comm, "qemu") == !row->cgroup);
}

/* The table is of another state, or has not all. */
static void of_the_dump(void)
{
	begin_holed();
	sum.tasks_missing = false;
	CHECK(!strstr(told_with_table(), "by the report"));
	begin_holed();
	oom.outcome = OOM_KILLED;
	CHECK(!strstr(told_with_table(), "by the report"));
	begin_holed();
	log_file.log.n = ARRAY_SIZE(records) - 1;
	CHECK(!strstr(told_with_table(), "by the report"));
	CHECK(summary_lacks_processes(&sum));
}

TESTS({ "processes of the table", of_the_report }, { "processes of the dump", of_the_dump })
