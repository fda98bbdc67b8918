// SPDX-License-Identifier: GPL-2.0-or-later
/* Of a stack overflow the function that calls itself, by the call trace of the log. */
#include "log/oops.h"
#include "test.h"

static const char *recurring(const char *const *lines, unsigned int levels)
{
	static struct oops_log log;

	memset(&log, 0, sizeof(log));
	for (unsigned int i = 0; lines[i]; i++)
		oops_log_line(&log, 1000 + i, lines[i]);
	for (unsigned int i = 0; i < levels; i++)
		oops_log_line(&log, 2000, " sm_walk+0x4c/0xf0 [sensmux]");
	oops_log_line(&log, 3000, "---[ end trace 0000000000000000 ]---");
	oops_log_line(&log, 4000, "Kernel panic - not syncing: Fatal exception in interrupt");
	return oops_recurring(&log.oops) ?: "none";
}

static void by_the_trace(void)
{
	static const char *const overflow[] = {
		"BUG: TASK stack guard page was hit at ffffd0d1803f7fd8 (stack is ffffd0d1803f8000..ffffd0d1803fc000)",
		"Oops: stack guard page: 0000 [#1] SMP",
		"Call Trace:",
		" snprintf+0x51/0x70",
		" sm_walk+0x85/0xf0 [sensmux]",
		NULL,
	};
	static const char *const other[] = {
		"divide error: 0000 [#1] SMP",
		"Call Trace:",
		NULL,
	};

	CHECK_TEXT(recurring(overflow, 5), "sm_walk+0x85/0xf0 [sensmux]");
	/* A few levels of a tree are none; another exception is not for that. */
	CHECK_TEXT(recurring(overflow, 4), "none");
	CHECK_TEXT(recurring(other, 9), "none");
}

TESTS({ "by the trace", by_the_trace })
