// SPDX-License-Identifier: GPL-2.0-or-later
/* Who has most by a log: a table of processes without a column of shared memory. */
#include "holds_most.h"
#include "log/log_file.h"

static struct log_file log_file;

/* Shared memory of 450 pages, and a process whose rss is 400. */
static void begin_log(uint64_t anon)
{
	begin(VERDICT_RAN_OUT);
	stub.dump.log_file = &log_file;
	sum.lacks_anon = true;
	oom.mem.pages[MEM_active_file] = (struct log_number){ true, 5 };
	oom.mem.pages[MEM_inactive_file] = (struct log_number){ true, 5 };
	oom.mem.pages[MEM_isolated_file] = (struct log_number){ true, 0 };
	class("shmem", 450);
	class("anon", anon);
	process("renderd", 108, 400, NULL);
}

static void shared_memory(void)
{
	static const char *const unknown =
		"tmpfs and shared memory: 1.8M, 45.0% of RAM; and renderd (108): 1.6M, 40.0% of "
		"RAM; a part may be the same memory";
	static const char *const same = "renderd (108): 1.6M, 40.0% of RAM";

	/* It is not in all anonymous memory and all files. */
	begin_log(190);
	CHECK_TEXT(told(SECTION_MOST), same);
	begin_log(195);
	CHECK_TEXT(told(SECTION_MOST), unknown);
	/* What the victim had of these is not its. */
	begin_log(195);
	oom.outcome = OOM_KILLED;
	oom.kills = 1;
	oom.victim.pid = (struct log_number){ true, 120 };
	oom.victim.anon_rss_kib = (struct log_number){ true, 400 };
	CHECK_TEXT(told(SECTION_MOST), same);
	begin_log(195);
	oom.outcome = OOM_KILLED;
	oom.kills = 1;
	oom.victim.pid = (struct log_number){ true, 108 };
	oom.victim.anon_rss_kib = (struct log_number){ true, 400 };
	CHECK(strstr(told(SECTION_MOST), "; a part may be the same memory"));
	/* Counters of files that are missing. */
	begin_log(190);
	oom.mem.pages[MEM_active_file].known = false;
	CHECK_TEXT(told(SECTION_MOST), unknown);
	/* All rss is more than RAM: what each has may be the shared memory. */
	begin_log(190);
	sum.table.rss = (struct maybe_u64){ 5000, true };
	CHECK_TEXT(told(SECTION_MOST), "tmpfs and shared memory: 1.8M, 45.0% of RAM");
	begin_log(190);
	sum.table.rss = (struct maybe_u64){ 900, true };
	CHECK_TEXT(told(SECTION_MOST), same);
	/* A table that has the column. */
	begin_log(190);
	sum.lacks_anon = false;
	CHECK(strstr(told(SECTION_MOST), "; neither is much larger"));
}

/* One that is started again and killed again has as much each time: the other one grows. */
static void steady_victims(void)
{
	static struct oom_report reports[4];
	const struct claim of = { .victim = &reports[3].victim };

	begin(VERDICT_CGROUP);
	for (unsigned int i = 0; i < ARRAY_SIZE(reports); i++) {
		reports[i] = (struct oom_report){ .outcome = OOM_KILLED, .oom_memcg = "/pod" };
		reports[i].victim = (struct oom_victim){ .has_comm = true, .comm = "orderapi" };
		reports[i].victim.anon_rss_kib = (struct log_number){ true, 66000 + i };
	}
	sum.reports.reports = reports;
	sum.reports.n = ARRAY_SIZE(reports);
	sum.ran_out = &reports[3];
	CHECK_TEXT(claim_steady_text(&sum, &of),
		   "orderapi had as much each of 4 times that it was killed");
	reports[0].victim.anon_rss_kib.value = 20000;
	CHECK(!claim_steady_text(&sum, &of));
	/* Of another cgroup. */
	snprintf(reports[0].oom_memcg, sizeof(reports[0].oom_memcg), "/other");
	CHECK(claim_steady_text(&sum, &of));
	reports[1].victim.anon_rss_kib.known = false;
	CHECK(!claim_steady_text(&sum, &of));
	sum.reports.n = 0;
}

/* Of a cgroup's report a process is much or little beside its limit; RAM is not known. */
static void processes_of_a_cgroup(void)
{
	const struct statement row = { .section = SECTION_PROCESS, .has_mm = true, .rss = 40 };

	begin(VERDICT_CGROUP);
	stub.dump.log_file = &log_file;
	sum.ram_pages = 0;
	sum.limit_pages = 100;
	CHECK(summary_is_worth(&sum, &row));
	sum.limit_pages = 100000;
	CHECK(!summary_is_worth(&sum, &row));
	/* Where no whole is known nothing is little. */
	sum.limit_pages = 0;
	CHECK(summary_is_worth(&sum, &row));
}

TESTS({ "a victim that had as much each time", steady_victims }, { "shared memory", shared_memory },
      { "processes of a cgroup", processes_of_a_cgroup })
