// SPDX-License-Identifier: GPL-2.0-or-later
/* The task of which khungtaskd panicked: for how long it had waited, or that this is lost. */
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

#define SECOND 1000000000ULL

static const char *told(struct stuck *all)
{
	static char buf[256];
	STUB(stub);
	struct report report = {
		.info = { .panic_ns = 100 * SECOND, .has_panic_time = true },
	};
	struct summary s = { .dump = &stub.dump, .report = &report, .is_hung = true };

	SUMMARY_ADD(&s, .section = SECTION_PANIC, .pid = { 117, true }, .remark = "blocked");
	summary_tell_hung(&s, all, summary_hung_task(&s, all));
	snprintf(buf, sizeof(buf), "%s", s.first[SECTION_PANIC]->remark);
	return buf;
}

static void hung(void)
{
	struct stuck_task other = { .task = { .pid = 5 }, .has_frames = true };
	struct stuck_task t = { .task = { .pid = 117, .state = 'D' },
				.has_frames = true,
				.has_since = true,
				.since_ns = 28 * SECOND };
	struct stuck all = { .first = &t, .others = &other };

	CHECK_TEXT(told(&all), "blocked; it had waited for 1.2min");
	/* It runs again. */
	all.first = NULL;
	all.others = &t;
	CHECK_TEXT(told(&all), "blocked");
	t.has_frames = false;
	CHECK_TEXT(told(&all), "blocked; where it waits is unknown: its stack cannot be read");
	all.others = &other;
	CHECK_TEXT(told(&all), "blocked; where it waits is unknown: no list of tasks has it");
}

TESTS({ "the task of which khungtaskd panicked", hung })
