// SPDX-License-Identifier: GPL-2.0-or-later
/* Of which process a page has more, where memory is not what the summary is about. */
#include "memowner/case.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

static int32_t told(const char *panic)
{
	struct statement of_panic = { .name = panic, .pid = { 165, true } },
			 of_process = { .pid = { 143, true } };
	STUB(s);
	struct summary x = { .dump = &s.dump };

	x.first[SECTION_PANIC] = &of_panic;
	x.first[SECTION_PROCESS] = &of_process;
	CHECK(summary_named(&x) == ST_OK);
	return s.dump.told_tgid;
}

static void who_asked_for_the_panic(void)
{
	CHECK(told("hung_task: blocked tasks") == 165);
	CHECK(told("sysrq triggered crash") == 143);
}

TESTS({ "who wrote to sysrq-trigger is none", who_asked_for_the_panic })
