// SPDX-License-Identifier: GPL-2.0-or-later
/* Paths of multipath devices that failed, and those that came back. */
#include "log/lost_paths.h"
#include "log_records.h"
#include "test.h"

static struct lost_paths read_lines(const char *const *lines, size_t n)
{
	struct kernel_record records[LOG_RECORDS];
	const struct kernel_log log = log_of(records, lines, n);
	struct lost_paths p;

	lost_paths_read(&log, &p);
	return p;
}

#define READ(...)                                        \
	read_lines((const char *const[]){ __VA_ARGS__ }, \
		   sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
#define MPATH "device-mapper: multipath: "

static void lost(void)
{
	struct lost_paths p = READ(MPATH "253:0: Failing path 254:32.", "other",
				   MPATH "253:0: Failing path 254:48.");

	CHECK(p.n == 2 && p.last);
	CHECK_TEXT(p.device, "253:0");
	CHECK_TEXT(p.of[0], "254:32");
	CHECK_TEXT(p.of[1], "254:48");
	/* The same once more, and one that came back. */
	p = READ(MPATH "253:0: Failing path 8:16.", MPATH "253:0: Failing path 8:32.",
		 MPATH "253:0: Reinstating path 8:16.", MPATH "253:0: Failing path 8:32.");
	CHECK(p.n == 1);
	CHECK_TEXT(p.of[0], "8:32");
	p = READ(MPATH "253:0: Failing path 8:16.", MPATH "253:0: Reinstating path 8:16.");
	CHECK(!p.n);
	/* Of another device the last lines count. */
	p = READ(MPATH "253:0: Failing path 8:16.", MPATH "253:12: Failing path 8:48.");
	CHECK(p.n == 1);
	CHECK_TEXT(p.device, "253:12");
}

/* More than there is room for: those that are known, and that there are more. */
static void many(void)
{
	static char text[2 * LOST_PATHS][64];
	static struct kernel_record records[2 * LOST_PATHS];
	struct lost_paths p;

	for (unsigned int i = 0; i < 2 * LOST_PATHS; i++) {
		snprintf(text[i], sizeof(text[i]), MPATH "253:0: Failing path 8:%u.", i);
		records[i].text = text[i];
	}
	lost_paths_read(&(struct kernel_log){ .records = records, .n = LOST_PATHS }, &p);
	CHECK(p.n == LOST_PATHS && !p.is_cut);
	lost_paths_read(&(struct kernel_log){ .records = records, .n = LOST_PATHS + 1 }, &p);
	CHECK(p.n == LOST_PATHS && p.is_cut);
}

static void no_lines_of_it(void)
{
	CHECK(!READ("device-mapper: multipath round-robin: version 1.2.0 loaded").n);
	CHECK(!READ(MPATH "253:0: Failing path ").n);
	CHECK(!READ(MPATH "253:0: Failing path 123456789:123456789.").n);
	CHECK(!READ(MPATH ": Failing path 8:16.").n);
	CHECK(!READ("").n);
}

TESTS({ "paths that were lost", lost }, { "more than there is room for", many },
      { "no lines of it", no_lines_of_it })
