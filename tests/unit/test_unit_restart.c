// SPDX-License-Identifier: GPL-2.0-or-later
/* Services that systemd started again, by its lines. */
#include "log/unit_restart.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

static struct unit_restarts read_lines(const char **lines, size_t n)
{
	struct kernel_record records[32] = { 0 };
	struct kernel_log log = { .records = records, .n = n };
	struct unit_restarts ret;

	for (size_t i = 0; i < n; i++) {
		records[i].text = lines[i];
		records[i].ts_ns = (i + 1) * 1000000000;
	}
	unit_restarts_read(&log, &ret);
	for (unsigned int i = 0; i < ret.n; i++)
		CHECK(ret.all[i].first <= ret.all[i].last);
	return ret;
}

static void by_its_lines(void)
{
	const char *lines[] = {
		"systemd[1]: web.service: Scheduled restart job, restart counter is at 1.",
		"systemd[1]: Stopped web.service - a gateway.",
		"systemd[1]: db.service: Scheduled restart job, restart counter is at 7.",
		"systemd[1]: web.service: Scheduled restart job, restart counter is at 2.",
		"systemd[1]: web.service: Scheduled restart job, restart counter is at many.",
		"app[200]: x.service: Scheduled restart job, restart counter is at 9.",
		NULL,
	};
	struct unit_restarts x = read_lines(lines, ARRAY_SIZE(lines));

	CHECK(x.n == 2 && !x.more);
	CHECK_TEXT(x.all[0].name, "web.service");
	CHECK(x.all[0].counter == 2 && x.all[0].first != x.all[0].last);
	CHECK_TEXT(x.all[1].name, "db.service");
	CHECK(x.all[1].counter == 7 && x.all[1].first == x.all[1].last);
}

static void of_many(void)
{
	static char text[UNIT_RESTARTS + 2][128];
	const char *lines[UNIT_RESTARTS + 2];
	struct unit_restarts x;

	for (unsigned int i = 0; i < UNIT_RESTARTS + 2; i++) {
		snprintf(text[i], sizeof(text[i]),
			 "systemd[1]: s%u.service: Scheduled restart job, restart counter is at 1.",
			 i);
		lines[i] = text[i];
	}
	x = read_lines(lines, ARRAY_SIZE(lines));
	CHECK(x.n == UNIT_RESTARTS && x.more == 2);
}

TESTS({ "the last counter of each", by_its_lines }, { "more than are kept", of_many })
