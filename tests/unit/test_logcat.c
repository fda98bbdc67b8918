// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of Android's logcat. */
#include <string.h>

#include "log/log_logcat.h"
#include "test.h"
#include "util/array.h"

static const char *of(const char *line)
{
	static char buf[256];

	snprintf(buf, sizeof(buf), "%s", line);
	return log_logcat_line(buf) ? buf : NULL;
}

static void of_the_kernel(void)
{
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W         : a b: c"),
		   "Nov 20 10:20:30.123 kernel: a b: c");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W CPU     : 0 PID: 12"),
		   "Nov 20 10:20:30.123 kernel: CPU: 0 PID: 12");
	CHECK_TEXT(of("11-02 10:20:30.123     0     0 E Mem-Info: "),
		   "Nov  2 10:20:30.123 kernel: Mem-Info: ");
	CHECK_TEXT(of("2026-11-20 10:20:30.123456 +0100  root     0     0 I init    : a"),
		   "Nov 20 10:20:30.123456 kernel: init: a");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0     0 I init    : a"),
		   "Nov 20 10:20:30.123 kernel: init: a");
	CHECK_TEXT(of("11-20 10:20:30.123 W/CPU     (    0): 0 PID: 12"),
		   "Nov 20 10:20:30.123 kernel: CPU: 0 PID: 12");
	/* The kernel has no blank there. */
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W active_anon: 12 inactive_anon:3"),
		   "Nov 20 10:20:30.123 kernel: active_anon:12 inactive_anon:3");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W DMA free: 12kB"),
		   "Nov 20 10:20:30.123 kernel: DMA free:12kB");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W DMA     : 12*4kB"),
		   "Nov 20 10:20:30.123 kernel: DMA: 12*4kB");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 W oom-kill: constraint=A"),
		   "Nov 20 10:20:30.123 kernel: oom-kill:constraint=A");
	CHECK_TEXT(of("11-20 10:20:30.123     0     0 I oom_reaper: reaped"),
		   "Nov 20 10:20:30.123 kernel: oom_reaper: reaped");
}

static void of_others(void)
{
	CHECK_TEXT(of("11-20 10:20:30.123   710   712 I lmkd    : Kill 'a' (5)"),
		   "Nov 20 10:20:30.123 android lmkd: Kill 'a' (5)");
	CHECK_TEXT(of("11-20 10:20:30.123     1     1 I init    : a"),
		   "Nov 20 10:20:30.123 android init: a");
	CHECK_TEXT(of("11-20 10:20:30.123 I/lmkd    (  710): a"),
		   "Nov 20 10:20:30.123 android lmkd: a");
}

static void of_no_logcat(void)
{
	static const char *const lines[] = {
		"",
		"11-20 10:20:30.123",
		"11-20 10:20:30.123     0     0 W",
		"11-20 10:20:30.123     0     0 W a",
		"11-20 10:20:30.123     0     0 X a: b",
		"13-20 10:20:30.123     0     0 W a: b",
		"11-20 10:20:30     0     0 W a: b",
		"11-20 10:20:30.123 0 W a: b",
		"11-20 10:20:30.123 W/a: b",
		"2026-11-20 10:20:30.123 box kernel: a",
		"2026-11-20T10:20:30.123 0 0 W a: b",
		"[   12.345678] a: b",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (of(lines[i]))
			CHECK_TEXT(lines[i], "none");
}

TESTS({ "lines of the kernel", of_the_kernel }, { "of programs", of_others },
      { "no such lines", of_no_logcat })
