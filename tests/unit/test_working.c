// SPDX-License-Identifier: GPL-2.0-or-later
/* What is told of a machine that worked: that nothing wrong was found, old reports, who took the CPUs. */
#include "cgroup/memcg_counts.h"
#include "log/warning.h"
#include "memowner/case.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "oom/oom_report.h"
#include "stub.h"
#include "test.h"

#define TASK 0xffff888000100000ULL
#define END 100000000000 /* ns after boot */
#define MEMORY "memory was not short: 5 of 10 pages were free"
#define BESIDE                                                                                 \
	"; the log has no warning and no error of a disk or the hardware, no limit is nearly " \
	"used"

static uint64_t tasks[3]; /* how long each ran */
static const struct stub_memory memory[] = { { TASK, tasks, sizeof(tasks) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct task_struct", "se.sum_exec_runtime", FIELD(0, 8) },
	{ 0 },
};

static struct stub stub;
static struct report report;
static struct summary_case of_case;
static struct log_warnings warnings;
static struct oom_report old;
static struct summary sum;

static void begin(void)
{
	STUB_OPEN(stub, .memory = memory, .members = members);
	report = (struct report){ .dump = &stub.dump, .tells_unknown = true };
	report.last_unknown = &report.unknown;
	dump_info_end(&report.info, END, "run_queue", false);
	of_case = (struct summary_case){ .limits = "" };
	warnings = (struct log_warnings){ 0 };
	old = (struct oom_report){ .kind = OOM_REPORT_OOM,
				   .has_head = true,
				   .oom_memcg = "/old",
				   .scope = OOM_SCOPE_MEMCG,
				   .memory = { .usage_kib = { true, 24576 },
					       .limit_kib = { true, 24576 } } };
	sum = (struct summary){ .dump = &stub.dump,
				.report = &report,
				.of_case = &of_case,
				.warnings = &warnings,
				.is_told_working = true };
}

static const char *told(const char *of_memory)
{
	static char text[512];
	struct strbuf b = STRBUF(text);

	verdict_add_memory(&sum, of_memory, &b);
	return text;
}

static void nothing_wrong(void)
{
	begin();
	sum.panic_cause = "sysrq asked for the panic";
	CHECK_TEXT(told(MEMORY),
		   "sysrq asked for the panic; nothing wrong was found: " MEMORY BESIDE);
	sum.panic_cause = NULL;
	CHECK_TEXT(told(MEMORY), "nothing wrong was found: " MEMORY BESIDE);
	sum.waits_for_cpu = true;
	CHECK_TEXT(told(MEMORY), "nothing wrong was found beside load of the CPUs: " MEMORY BESIDE);
	/* Whose load it is comes first, where most that ran have one name. */
	CHECK_TEXT(told(MEMORY "; tasks waited for a CPU: PSI 99; at the end a (5) ran or could "
			       "run"),
		   "nothing wrong was found beside load of the CPUs: " MEMORY
		   "; tasks waited for a "
		   "CPU: PSI 99; at the end a (5) ran or could run" BESIDE);
	sum.has_crowd = true;
	of_case.present_cpus = of_case.online_cpus = (struct maybe_u64){ 2, true };
	CHECK_TEXT(told(MEMORY "; no thread had waited for a lock; tasks waited for a CPU: PSI 99; "
			       "at the end 8 gzip ran or could run"),
		   "load of 2 CPUs: at the end 8 gzip ran or could run; tasks waited for a CPU: "
		   "PSI 99; nothing else wrong was found: " MEMORY
		   "; no thread had waited for a lock" BESIDE);
	of_case.present_cpus.known = of_case.online_cpus.known = false;
	CHECK_TEXT(told(MEMORY "; tasks waited for a CPU: PSI 99"),
		   "load of the CPUs: tasks waited for a CPU: PSI 99; nothing else wrong was "
		   "found: " MEMORY BESIDE);
	/* What could not be read. */
	sum.waits_for_cpu = false;
	report_unknown(&report, "deadlocks", NOT_IN_DUMP, "a page is missing");
	report_unknown(&report, "owners", NOT_BUILT, "no page_owner");
	CHECK_TEXT(
		told(MEMORY),
		"nothing wrong was found, of which a part is unknown (deadlocks): " MEMORY BESIDE);
	/* Somebody has most of it, a warning, a limit, unknown limits, a service that came again, pressure. */
	begin();
	CHECK_TEXT(told("memory was not short, but a"), "memory was not short, but a");
	warnings.n = 1;
	CHECK_TEXT(told(MEMORY), MEMORY);
	begin();
	of_case.limits = NULL;
	CHECK_TEXT(told(MEMORY), MEMORY);
	begin();
	of_case.used.n = 1;
	CHECK_TEXT(told(MEMORY), MEMORY);
	begin();
	SUMMARY_ADD(&sum, .section = SECTION_RESTART, .name = "a.service");
	CHECK_TEXT(told(MEMORY), MEMORY);
	begin();
	sum.is_pressed = true;
	CHECK_TEXT(told(MEMORY), MEMORY);
	begin();
	sum.is_told_working = false;
	CHECK_TEXT(told(MEMORY), MEMORY);
}

static const char *history(void)
{
	static char text[256];
	struct strbuf b = STRBUF(text);

	sum.ran_out = &old;
	verdict_add_no_report(&sum, "1.4min", &b);
	return text;
}

static void reports_of_cgroups_that_are_gone(void)
{
	struct memcg_counts there = { .path = "/new" };

	begin();
	sum.memcgs = &there;
	sum.reports = (struct oom_reports){ .reports = &old, .n = 1 };
	CHECK_TEXT(history(), "cgroup /old, which is gone, had reached its limit of 24.0M 1.4min "
			      "before, and that is over");
	CHECK_TEXT(told(MEMORY), "nothing wrong was found: " MEMORY BESIDE);
	/* It is there, or its path is not known; more reports are lost. */
	there.path = "/old";
	CHECK_TEXT(history(), "cgroup /old had reached its limit 1.4min before");
	CHECK_TEXT(told(MEMORY), MEMORY);
	there.path = NULL;
	CHECK_TEXT(told(MEMORY), MEMORY);
	there = (struct memcg_counts){ .path = "/old", .removed = true };
	CHECK_TEXT(told(MEMORY), "nothing wrong was found: " MEMORY BESIDE);
	sum.log_dropped = true;
	CHECK_TEXT(told(MEMORY), MEMORY);
	sum.log_dropped = false;
	sum.memcgs_problem = "some";
	CHECK_TEXT(told(MEMORY), MEMORY);
	/* All of RAM had run out. */
	begin();
	sum.memcgs = &there;
	old.oom_memcg[0] = 0;
	sum.reports = (struct oom_reports){ .reports = &old, .n = 1 };
	CHECK_TEXT(told(MEMORY), MEMORY);
}

static const char *ready(size_t n)
{
	static struct ready_thread all[READY_KEPT] = { { TASK, 0, 5, "a" },
						       { TASK + 8, 50000000000, 6, "b" },
						       { TASK + 16, 95000000000, 7, "c" },
						       { TASK + 24, 0, 8, "d" } };

	for (size_t i = READY; i < READY_KEPT; i++)
		snprintf(all[i].comm, sizeof(all[i].comm), "t%zu", i);
	begin();
	summary_tell_ready(&sum, all, n);
	return sum.ready ?: "";
}

/* So many of one name, the others each with one of its own. */
static const char *alike(size_t of, size_t n)
{
	struct ready_thread all[READY_KEPT] = { 0 };

	for (size_t i = 0; i < READY_KEPT; i++)
		snprintf(all[i].comm, sizeof(all[i].comm), i < of ? "gzip" : "t%zu", i);
	begin();
	summary_tell_ready(&sum, all, n);
	return sum.ready ?: "";
}

static void most_have_one_name(void)
{
	CHECK_TEXT(alike(5, 6), "; at the end 5 gzip and 1 more thread ran or could run");
	CHECK_TEXT(alike(64, 90),
		   "; at the end at least 64 gzip and 26 more threads ran or could run");
	CHECK(!strstr(alike(3, 4), "3 gzip") && !strstr(alike(4, 10), "4 gzip"));
}

static void who_took_the_cpus(void)
{
	tasks[0] = 20000000000;
	tasks[1] = 5000000000;
	tasks[2] = 4900000000;
	CHECK_TEXT(ready(0), "");
	/* The third is too young, the fourth is not in the dump. */
	CHECK_TEXT(ready(5),
		   "; at the end a (5), b (6), c (7), d (8) and 1 more thread ran or could "
		   "run");
	tasks[1] = 40000000000;
	CHECK_TEXT(ready(2), "; at the end a (5), b (6) ran or could run; b (6) has run for 80.0% "
			     "of its 50.0s");
	tasks[0] = 90000000000;
	CHECK_TEXT(ready(1), "; at the end a (5) ran or could run; a (5) has run for 90.0% of its "
			     "1.7min");
	/* More than there was. */
	tasks[0] = 900000000000;
	CHECK_TEXT(ready(1), "; at the end a (5) ran or could run");
}

/* Why it is unknown how long threads have run; NULL: that is known. */
static const char *no_times(size_t n)
{
	ready(n);
	for (const struct dump_gap *g = stub.dump.gaps; g; g = g->next)
		if (!strcmp(g->part, "how long threads have run"))
			return g->reason;
	return NULL;
}

static void a_time_that_is_unread_is_told(void)
{
	tasks[0] = tasks[1] = 5000000000;
	CHECK(!no_times(2));
	/* The fourth is not in the dump; the first ran for longer than it was there. */
	CHECK(strstr(no_times(4), "is not in this dump"));
	tasks[0] = 900000000000;
	CHECK_TEXT(no_times(2), "a (5) has run for longer than it was there");
}

static const char *begun(void)
{
	static char text[512];
	struct strbuf b = STRBUF(text);

	verdict_begin_end(&sum, VERDICT_NOT_SHORT, &b);
	return text;
}

/* What has no owner any more is told where nothing else is, and never as nothing. */
static void what_has_no_owner(void)
{
	begin();
	CHECK_TEXT(begun(), "");
	sum.leftover = "9 objects of slab cache c are of threads that have exited";
	CHECK_TEXT(told(MEMORY), MEMORY);
	CHECK_TEXT(begun(), "9 objects of slab cache c are of threads that have exited; ");
	sum.oom_off = "cgroup /a is at its limit";
	CHECK_TEXT(begun(), "cgroup /a is at its limit; ");
}

static const char *busy(size_t n)
{
	static const struct frame poll = { .symbol = "sp_poll", .module = "spoll" };
	static const struct ready_thread all[READY] = { { TASK, 0, 27, "ksoftirqd/1", &poll },
							{ TASK + 8, 0, 9, "kworker/0:1", NULL } };

	begin();
	sum.busy_cpu = NULL;
	summary_tell_kernel(&sum, all, n);
	return sum.busy_cpu ?: "";
}

static void what_the_kernel_ran(void)
{
	tasks[0] = 85000000000;
	tasks[1] = 49000000000;
	CHECK_TEXT(busy(0), "");
	CHECK_TEXT(busy(2), "the kernel's thread ksoftirqd/1 (27) has run for 85.0% of its 1.7min, "
			    "at the end in sp_poll [spoll]");
	tasks[0] = 49000000000;
	CHECK_TEXT(busy(2), "");
	tasks[1] = 50000000000;
	CHECK_TEXT(busy(2), "the kernel's thread kworker/0:1 (9) has run for 50.0% of its 1.7min");
}

TESTS({ "what has no owner", what_has_no_owner }, { "what the kernel ran", what_the_kernel_ran },
      { "nothing wrong", nothing_wrong },
      { "reports of cgroups that are gone", reports_of_cgroups_that_are_gone },
      { "who took the CPUs", who_took_the_cpus },
      { "a time that is unread is told", a_time_that_is_unread_is_told },
      { "most that ran or could run have one name", most_have_one_name })
