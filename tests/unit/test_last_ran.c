// SPDX-License-Identifier: GPL-2.0-or-later
/* When a task that is on no CPU ran last, or since when it waits for one. */
#include "stub.h"
#include "tasks/last_ran.h"
#include "test.h"

#define TASK 0xffff888000100000ULL

static uint64_t task[16];
static const struct stub_memory memory[] = { { TASK, task, sizeof(task) }, { 0 } };

static void time_of_the_last_run(void)
{
	static const struct stub_member of_5_10_times[] = {
		{ "struct task_struct", "se.exec_start", FIELD(0, 8) },
		{ "struct task_struct", "sched_info.last_arrival", FIELD(8, 8) },
		{ "struct task_struct", "se.statistics.block_start", FIELD(16, 8) },
		{ "struct task_struct", "sched_info.last_queued", FIELD(24, 8) },
		{ 0 },
	};
	static const struct stub_member none[] = { { 0 } };
	struct stub s = { .memory = memory, .members = of_5_10_times };
	enum last_ran_field source;
	struct last_ran l;
	uint64_t ns = 7;

	memset(task, 0, sizeof(task));
	stub_open(&s);
	CHECK(last_ran_open(&s.dump, &l) == ST_OK);
	CHECK(last_ran_get(&l, TASK, &ns, &source) == ST_ABSENT && ns == 7);
	task[0] = 200;
	task[1] = 300;
	CHECK(last_ran_get(&l, TASK, &ns, &source) == ST_OK && ns == 300);
	CHECK_TEXT(last_ran_names[source], "last_arrival");
	task[2] = 301;
	CHECK(last_ran_get(&l, TASK, &ns, &source) == ST_OK && ns == 301);
	CHECK_TEXT(last_ran_names[source], "block_start");
	task[3] = 900; /* put off its CPU, long behind the time when it came there */
	CHECK(last_ran_get(&l, TASK, &ns, &source) == ST_OK && ns == 900);
	CHECK_TEXT(last_ran_names[source], "last_queued");
	CHECK(last_ran_get(&l, TASK + 0x100000, &ns, &source) == ST_UNREADABLE);
	stub_close(&s);
	s.members = none;
	stub_open(&s);
	CHECK(last_ran_open(&s.dump, &l) == ST_OK);
	CHECK(last_ran_get(&l, TASK, &ns, &source) == ST_ABSENT);
	stub_close(&s);
}

TESTS({ "time of the last run", time_of_the_last_run })
