// SPDX-License-Identifier: GPL-2.0-or-later
/* Warnings on locks of which it is not known, or doubted, who has them: each says how many wait for that one. */
#include "collect/stuck_holders.h"
#include "stub.h"
#include "test.h"

#define TASKS 12u

static struct stuck_task all[TASKS];

/* Task i waits for a lock of its own, which names none. */
static struct stuck set_up(struct stub *stub)
{
	for (unsigned int i = 0; i < TASKS; i++)
		all[i] = (struct stuck_task){
			.next = i + 1 < TASKS ? &all[i + 1] : NULL,
			.has_lock = true,
			.is_on_lock = true,
			.lock = { .lock = 0x9000 + 0x40 * i },
			.unheld = UNHELD_NOT_KEPT,
			.lock_name = dump_text(&stub->dump, "lock_%u", i),
		};
	return (struct stuck){ .first = all };
}

static const char *text(struct stub *stub, const struct gaps *gaps, size_t i)
{
	return i < gaps->n ? gap_text(&stub->dump, &gaps->rows[i]) : "";
}

static void each_lock_has_its_own(void)
{
	STUB(stub);
	struct stuck x = set_up(&stub);
	struct gaps gaps;

	all[2].next = NULL;
	all[2].lock = all[1].lock;
	all[2].lock_name = all[1].lock_name;
	gaps = stuck_doubt_gaps(&stub.dump, &x);
	CHECK(gaps.n == 2 && gaps.rows[0].is_note);
	CHECK_TEXT(text(&stub, &gaps, 0), "2 threads wait for lock_1, who has it is unknown: of a "
					  "semaphore this kernel does not note it");
	CHECK_TEXT(text(&stub, &gaps, 1), "1 thread waits for lock_0, who has it is unknown: of a "
					  "semaphore this kernel does not note it");
	/* The answer lacks it; a file may have any name, a lock none. */
	all[0].unheld = all[1].unheld = UNHELD_LOST;
	all[0].lock_name = "/tmp/%s%d";
	all[1].lock_name = NULL;
	all[2].unheld = UNHELD_NOT;
	x.ends_early = true;
	gaps = stuck_doubt_gaps(&stub.dump, &x);
	CHECK(gaps.n == 2 && !gaps.rows[0].is_note);
	CHECK_TEXT(text(&stub, &gaps, 0), "1 thread waits for /tmp/%s%d, who has it is unknown: "
					  "what it names is no task that was found");
	CHECK_TEXT(text(&stub, &gaps, 1), "1 thread waits for the lock at 0x9040, who has it is "
					  "unknown: what it names is no task that was found");
}

static void of_many_the_rest_is_counted(void)
{
	STUB(stub);
	const struct stuck x = set_up(&stub);
	const struct gaps gaps = stuck_doubt_gaps(&stub.dump, &x);

	CHECK(gaps.n == STUCK_LOCKS_TOLD + 1);
	CHECK_TEXT(text(&stub, &gaps, STUCK_LOCKS_TOLD),
		   "8 threads wait for 8 more locks, who has each is unknown: of a semaphore this "
		   "kernel does not note it");
}

TESTS({ "each has its own", each_lock_has_its_own },
      { "of many the rest is counted", of_many_the_rest_is_counted })
