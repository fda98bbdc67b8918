// SPDX-License-Identifier: GPL-2.0-or-later
/* Services that were started again and again: what tells it, and what does not. */
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

#define SECOND 1000000000ULL

static struct stub stub;
static struct report report;
static struct summary sum;
static struct process_groups groups;
static struct oom_report reports[3];

static void begin(void)
{
	static bool is_asked;

	STUB_OPEN(stub);
	report = (struct report){ .dump = &stub.dump };
	report.info = (struct dump_info){ .has_panic_time = true,
					  .panic_ns = 100 * SECOND,
					  .is_asked = &is_asked };
	sum = (struct summary){ .dump = &stub.dump,
				.report = &report,
				.groups = &groups,
				.log_whole = true,
				.reports = { .reports = reports, .n = 3 } };
	groups_open(&sum, &groups);
	for (int i = 0; i < 3; i++) {
		reports[i] = (struct oom_report){ .outcome = OOM_KILLED,
						  .kill_ns = (uint64_t)(40 + 10 * i) * SECOND };
		snprintf(reports[i].task_memcg, sizeof(reports[i].task_memcg), "/s/web.service");
	}
}

static void runs_since(const char *path, uint64_t seconds)
{
	struct cgroup_processes *of =
		hash_bytes_get(&groups.cgroups, path, strlen(path) + 1, NULL)->value;

	*of = (struct cgroup_processes){ 1, seconds * SECOND };
}

static const char *told(void)
{
	static char text[512];

	CHECK(summary_restarts(&sum) == ST_OK);
	snprintf(text, sizeof(text), "%s",
		 sum.first[SECTION_RESTART] ? sum.first[SECTION_RESTART]->remark : "");
	return text;
}

static void by_kills(void)
{
	begin();
	runs_since("/s/web.service", 90);
	CHECK_TEXT(told(),
		   "web.service was started again: the OOM killer killed 3 of its processes, "
		   "the last 40.0s before the end; its oldest process started 10.0s "
		   "before the end");
	begin();
	sum.reports.dropped = 4;
	runs_since("/s/web.service", 90);
	CHECK(strstr(told(), "killed at least 3 of its"));
	/* One that lost processes and went on, one that is not there, and another cgroup. */
	begin();
	runs_since("/s/web.service", 2);
	CHECK_TEXT(told(), "");
	begin();
	CHECK_TEXT(told(), "");
	begin();
	runs_since("/s/db.service", 90);
	CHECK_TEXT(told(), "");
}

static void by_systemd(void)
{
	static const struct kernel_record last = { .ts_ns = 99 * SECOND };

	begin();
	sum.reports.n = 0;
	sum.units = (struct unit_restarts){
		.all = { { .name = "web.service", .counter = 17, .first = &last, .last = &last } },
		.n = 1,
	};
	CHECK_TEXT(told(),
		   "web.service was started again: 17 times, as systemd counts, the last 1.0s "
		   "before the end");
	/* Of many a few are told, and how many there are. */
	begin();
	sum.reports.n = 0;
	sum.units.n = 5;
	for (unsigned int i = 0; i < 5; i++) {
		sum.units.all[i] = (struct unit_restart){ .counter = 9, .last = &last };
		snprintf(sum.units.all[i].name, sizeof(sum.units.all[i].name), "%u.service", i);
	}
	told();
	CHECK(strstr(sum.last[SECTION_RESTART]->remark,
		     "; and 2 more services were started again"));
	begin();
	sum.reports.n = 0;
	sum.units.n = 1;
	sum.units.all[0].counter = 1;
	sum.units.all[0].last = &last;
	CHECK_TEXT(told(), "");
}

TESTS({ "by processes that were killed", by_kills }, { "by lines of systemd", by_systemd })
