// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads whose stacks cannot be followed to the end: the first ones are named, all are counted. */
#include "collect/in_fault.h"
#include "stub.h"
#include "test.h"

static void names(void)
{
	STUB(s, .memory = NULL);
	struct task_frames at = { .dump = &s.dump };
	struct cut_stacks c = { 0 };
	struct task t = { .comm = "sh" };

	CHECK(!c.names);
	for (int i = 1; i <= 5; i++) {
		t.pid = i;
		cut_stacks_add(&c, &t, &at);
		CHECK_TEXT(c.names, i == 1   ? "sh (1)"
				    : i == 2 ? "sh (1), sh (2)"
					     : "sh (1), sh (2), sh (3)");
	}
	CHECK(c.n == 5);
}

TESTS({ "the first ones", names })
