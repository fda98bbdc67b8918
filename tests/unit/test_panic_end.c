// SPDX-License-Identifier: GPL-2.0-or-later
/* A log of which the first line of panic() is lost, as of a screen: the last one has its words again. */
#include "log/oops.h"
#include "oom_lines.h"
#include "test.h"

#define FIRST "Kernel panic - not syncing: "
#define LAST "---[ end " FIRST

static void test_oops(void)
{
	struct oops_log log = { 0 };

	oops_log_line(&log, 1, "---[ end trace 0000000000000000 ]---");
	CHECK(!log.has_panic);
	oops_log_line(&log, 2, LAST "Fatal exception ]---");
	CHECK(log.has_panic && log.panic_ns == 2);
	CHECK_TEXT(log.panic, "Fatal exception");
	/* Up to 4.17 nothing ends it. */
	memset(&log, 0, sizeof(log));
	oops_log_line(&log, 3, LAST "RCU Stall");
	CHECK_TEXT(log.panic, "RCU Stall");
	/* What the first line says counts, and when it did. */
	memset(&log, 0, sizeof(log));
	oops_log_line(&log, 1, FIRST "softlockup: hung tasks");
	oops_log_line(&log, 2, LAST "Fatal exception ]---");
	CHECK(log.panic_ns == 1);
	CHECK_TEXT(log.panic, "softlockup: hung tasks");
}

static void test_report(void)
{
	static const struct line whole[] = {
		{ 0, "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0" },
		{ 0, FIRST "Out of memory: system-wide panic_on_oom is enabled" },
		{ 0, LAST "Out of memory: system-wide panic_on_oom is enabled ]---" },
	};
	struct oom_reports all;

	parse_lines(&all, whole + 2, 1, false);
	CHECK(all.n == 1 && room[0].outcome == OOM_PANICKED && !room[0].has_head);
	CHECK(room[0].scope == OOM_SCOPE_GLOBAL && room[0].constraint_derived);
	/* It is no second one. */
	parse_lines(&all, whole, ARRAY_SIZE(whole), false);
	CHECK(all.n == 1 && room[0].outcome == OOM_PANICKED && room[0].has_head);
}

TESTS({ "the panic", test_oops }, { "the report before it", test_report })
