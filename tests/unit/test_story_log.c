// SPDX-License-Identifier: GPL-2.0-or-later
/* What the story says of lines of the log: what a task was at that a watchdog found, whom khungtaskd reported. */
#include "extensions/story/story.h"
#include "stub.h"
#include "test.h"

#define LINES 6

/* Whether these lines, behind the one of a lockup of a task, tell that it allocated. */
static bool allocates(const char *const *lines, enum stall_kind kind)
{
	struct kernel_record records[LINES + 1] = { { .text = "BUG: soft lockup - CPU#1 stuck" } };
	struct kernel_log log = { .records = records, .n = 1 };
	struct standstill of = { .kind = kind,
				 .pid = { .known = true, .value = 133 },
				 .comm = "journal",
				 .first = &records[0] };

	for (; *lines; lines++)
		records[log.n++] = (struct kernel_record){ .text = *lines };
	return story_lockup_allocates(&log, &of);
}

static void a_task_of_a_lockup(void)
{
	static const char *const slow[] = { "RIP: 0010:clear_page_erms+0x7/0x10", " <TASK>",
					    " __alloc_pages_slowpath.constprop.0+0x12e/0xe70",
					    NULL },
				 *const left[] = { " <TASK>", " ? try_to_free_pages+0x1/0x2",
						   NULL },
				 *const behind[] = { " <TASK>", " do_poll+0x1/0x2", " </TASK>",
						     " try_to_free_pages+0x1/0x2", NULL },
				 *const other[] = { " try_to_free_pagesets+0x1/0x2", NULL };

	CHECK(allocates(slow, STALL_SOFT));
	CHECK(!allocates(slow, STALL_NONE));
	CHECK(!allocates(left, STALL_SOFT));
	CHECK(!allocates(behind, STALL_SOFT));
	CHECK(!allocates(other, STALL_SOFT));
}

/* The event of n hung tasks, and a lockup that is none. */
static const char *hung(unsigned int n, unsigned int more)
{
	static struct kernel_record record = { .ts_ns = 5000000000 };
	static char ret[256];
	struct summary summary;
	struct story st;
	struct standstills all = { .n = n + 1, .more = more };
	STUB(s);

	summary = (struct summary){ .dump = &s.dump };
	st = (struct story){ .s = &summary, .has_no_times = true };
	st.last = &st.first;
	all.all[0] = (struct standstill){ .kind = STALL_SOFT, .comm = "ksmd" };
	for (unsigned int i = 1; i <= n; i++) {
		all.all[i] = (struct standstill){ .pid = { .known = true, .value = 290 + i },
						  .comm = "postgres",
						  .first = &record };
	}
	story_add_hung(&st, &all);
	snprintf(ret, sizeof(ret), "%s", st.first ? st.first->text : "");
	return ret;
}

static void hung_tasks_are_one_event(void)
{
	CHECK_TEXT(hung(0, 0), "");
	CHECK_TEXT(hung(1, 0), "khungtaskd reported postgres (291) as hung");
	CHECK_TEXT(hung(2, 0), "khungtaskd reported postgres (291) and postgres (292) as hung");
	CHECK_TEXT(hung(2, 1),
		   "khungtaskd reported postgres (291), others, and last postgres (292), "
		   "of those that are kept as hung");
	CHECK_TEXT(hung(3, 0),
		   "khungtaskd reported postgres (291), others, and last postgres (293) as hung");
}

TESTS({ "a task of a lockup allocated memory", a_task_of_a_lockup },
      { "hung tasks are one event", hung_tasks_are_one_event });
