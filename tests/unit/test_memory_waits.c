// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits that keep memory from coming free, which stand before others on the screen. */
#include "memowner/memory_waits.h"

#include "collect/stuck.h"
#include "memowner/screen.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "stub.h"
#include "test.h"

#define SECOND 1000000000ULL

static struct report report = { .info = { .panic_ns = 100 * SECOND, .has_panic_time = true } };

#define NAMED(NAME, PID) .task = { .comm = NAME, .pid = PID, .tgid = PID, .state = 'D' }
#define LASTS .has_since = true, .since_ns = 50 * SECOND

static const char *told(const struct stuck_task *first)
{
	static char text[2048];
	STUB(s);
	struct summary sum = { .dump = &s.dump, .report = &report };
	const struct stuck all = { .first = (struct stuck_task *)first };
	struct strbuf b = strbuf_in(text, sizeof(text));

	text[0] = '\0';
	summary_add_memory_waits(&sum, &all, &b);
	if (b.len)
		summary_add_untold_waits(&sum, &all, &b);
	return text;
}

static struct stuck_task eater = { NAMED("eater", 40), .where = PLACE_RECLAIM, LASTS,
				   .waits_for = "io" },
			 holder = { NAMED("holder", 41), LASTS, .waits_for = "io" },
			 charger = { NAMED("chg", 42), .where = PLACE_CHARGE, LASTS,
				     .waits_for = "memory_high" };

/* A thread on the lock of another. */
static struct stuck_task waiter(const char *comm, int32_t pid, const struct stuck_task *of,
				uint64_t lock, struct stuck_task *next)
{
	struct stuck_task t = { .task = { .pid = pid, .tgid = pid, .state = 'D' },
				.next = next,
				LASTS,
				.is_on_lock = true,
				.has_lock = true,
				.lock = { .lock = lock },
				.holder = of,
				.waits_for = "mutex",
				.lock_name = lock == 1 ? "a_lock" : "b_lock" };

	snprintf(t.task.comm, sizeof(t.task.comm), "%s", comm);
	return t;
}

static void reclaim_behind_reclaim(void)
{
	struct stuck_task hog = waiter("hog", 7, &eater, 1, NULL);
	struct stuck_task kswapd = waiter("kswapd0", 55, &eater, 1, &hog);

	hog.where = kswapd.where = PLACE_RECLAIM;
	kswapd.thread = THREAD_KSWAPD;
	/* kswapd stands for who wants memory, whatever its PID. */
	CHECK_TEXT(told(&kswapd),
		   "kswapd0 (55) waits for a_lock, which eater (40) has, and so does 1 more "
		   "thread, of hog (7); eater (40), in reclaim itself, waits for io");
	/* For a moment, or behind one that wants no memory, it is as anywhere. */
	kswapd.since_ns = hog.since_ns = 100 * SECOND - 1;
	CHECK_TEXT(told(&kswapd), "");
	kswapd.since_ns = hog.since_ns = 50 * SECOND;
	kswapd.holder = hog.holder = &holder;
	CHECK_TEXT(told(&kswapd), "");
}

static void a_victim_and_a_cgroup(void)
{
	struct stuck_task other = waiter("other", 60, &holder, 3, NULL);
	struct stuck_task w = waiter("w-chg", 51, &charger, 2, &other);
	struct stuck_task vict = waiter("vict", 50, &holder, 1, &w);

	vict.is_victim = true;
	CHECK_TEXT(told(&vict),
		   "vict (50), a victim of the OOM killer, waits for a_lock, which holder (41) "
		   "has; holder (41) waits for io; w-chg (51) waits for b_lock, which chg (42) "
		   "has; chg (42), in charge, waits for memory_high");
	/* What is not named is counted. */
	other.holder = &other;
	CHECK(strstr(told(&vict), "; 1 more wait (memowner stuck)"));
}

/* A crowd that a deadlock does not explain. */
static void beside_a_deadlock(void)
{
	struct stuck_task b = waiter("b", 61, NULL, 2, NULL), a = waiter("a", 60, &b, 1, &b);
	struct stuck_task e = waiter("e", 64, &holder, 4, &a), d = waiter("d", 63, &holder, 3, &e);
	struct stuck_task c = waiter("c", 62, &holder, 3, &d);
	static const struct stuck_service service;
	const struct stuck all = { .first = &c };
	struct summary sum = { .report = &report, .deadlocked = 1 };
	size_t waiting = 9;

	b.holder = &a;
	a.is_deadlocked = b.is_deadlocked = true;
	CHECK(summary_most_beside(&sum, &all, NULL, &waiting) == &c && waiting == 2);
	/* Few; of a service all the same. */
	sum.deadlocked = 2;
	CHECK(!summary_most_beside(&sum, &all, &c, &waiting) && !waiting);
	a.service = &service;
	waiting = 9;
	CHECK(summary_most_beside(&sum, &all, &a, &waiting) == &a && waiting == 9);
	/* Behind the deadlock, or for its lock; behind one whose task_struct may be that of another. */
	sum.deadlocked = 1;
	c.holder = d.holder = &a;
	CHECK(!summary_most_beside(&sum, &all, &c, &waiting));
	c.holder = d.holder = &holder;
	c.lock.lock = d.lock.lock = 1;
	CHECK(!summary_most_beside(&sum, &all, &c, &waiting));
	/* Then the next one. */
	c.lock.lock = d.lock.lock = 3;
	c.owner_is_younger = d.owner_is_younger = true;
	sum.deadlocked = 0;
	CHECK(summary_most_beside(&sum, &all, &c, &waiting) == &e && waiting == 1);
}

/* Who is told as a waiter may not be the one that a crowd waits for; nor is what that does told. */
static void behind_doubted_owners(void)
{
	struct stuck_task last = waiter("lone", 70, NULL, 9, NULL);
	struct stuck_task crowd[4];
	struct stuck_task vict = waiter("vict", 50, &charger, 1, &crowd[0]);

	for (int i = 0; i < 4; i++) {
		crowd[i] = waiter("w", 80 + i, &holder, 7, i < 3 ? &crowd[i + 1] : &last);
		crowd[i].has_no_trail = true;
		crowd[i].holds = HOLDS_LOCK;
		crowd[i].lock_name = "lock_n [drv]";
	}
	vict.is_victim = true;
	CHECK(strstr(told(&vict),
		     "; chg (42), in charge, waits for memory_high; 4 threads have waited long for "
		     "lock_n [drv], who has it is doubtful; 1 more wait (memowner stuck)"));
	for (int i = 0; i < 4; i++)
		crowd[i].holder = NULL;
	CHECK(strstr(
		told(&vict),
		"; 4 threads have waited long for lock_n [drv], who has it is unknown; 1 more"));
	/* A thread of the kernel waits so for work. */
	last.task.state = 'S';
	CHECK(!strstr(told(&vict), "more wait"));
	vict.has_no_trail = true;
	CHECK(strstr(told(&vict), "whose owner is doubtful: the task that it names") &&
	      !strstr(told(&vict), "chg (42)"));
	vict.where = PLACE_RECLAIM;
	vict.is_victim = false;
	vict.holder = &eater;
	CHECK_TEXT(told(&vict), "");
	vict.has_no_trail = false;
	CHECK(strstr(told(&vict), "; eater (40), in reclaim itself"));
}

/* Of a file, whose holder is throttled. */
static void a_lock_of_a_file(void)
{
	static const struct file_lock lock = { .kind = FILE_LOCK_FLOCK };
	static const struct stuck_file_lock of_file = { .lock = &lock, .complete = true };
	struct stuck_task w = waiter("lockwait", 51, &charger, 2, NULL);

	w.is_on_lock = false;
	w.file_lock = &of_file;
	CHECK(strstr(told(&w), "lockwait (51) "));
	CHECK(strstr(told(&w), "; chg (42), in charge, waits for memory_high"));
}

static struct text out;

/* The line behind a verdict that has the first clauses. */
static const char *behind(const char *verdict, const char *remark)
{
	STUB(s);
	const struct statement row = { .remark = verdict }, stuck = { .remark = remark };
	const struct summary sum = { .dump = &s.dump,
				     .report = &report,
				     .stuck_cause = verdict,
				     .first[SECTION_VERDICT] = (struct statement *)&row,
				     .first[SECTION_STUCK] = (struct statement *)&stuck };
	const struct screen sc = { .s = &sum, .out = &out.sink };

	text_open(&out);
	screen_put_stuck(&sc);
	return text_get(&out);
}

static void a_clause_and_its_subject(void)
{
	const char *const of = "a (1) is asleep in msleep; b (2) waits for it, and 1 behind that; "
			       "c (3) is stopped";

	CHECK_TEXT(behind("memory was not short; a (1) is asleep in msleep", of),
		   "stuck     a (1) is asleep in msleep; b (2) waits for it, and 1 behind that; "
		   "c (3) is stopped\n");
	CHECK_TEXT(behind("memory was not short; a (1) is asleep in msleep; b (2) waits for it, "
			  "and 1 behind that",
			  of),
		   "stuck     c (3) is stopped\n");
}

/* A screen without room leaves out the line on page faults, then what is shorter; it counts them. */
static void without_room(void)
{
	static const char *const earlier_text = "earlier   app ended by an exception 27 times\n",
				 *const log_text = "log       CPU 0 was stuck\n",
				 *const faults_text = "faults    in a page fault: a (1) [cpu]\n";
	static const char *const left_out[] = {
		"", "a line on page faults", "a line on page faults, 1 statement on what was stuck",
		"a line on page faults, 2 statements on what was stuck",
		"a line on page faults, 2 statements on what was stuck"
	};
	struct statement in_fault = { .comm = "a", .pid = { 1, true }, .waits_for = "cpu" };
	struct statement stall = { .by = STUCK_BY_LOG, .remark = "CPU 0 was stuck" };
	struct statement earlier = { .remark = "app ended by an exception 27 times",
				     .ts = { 1, true },
				     .next = &stall };
	struct report late = report;
	STUB(s);
	const struct summary sum = { .dump = &s.dump,
				     .report = &late,
				     .in_fault = 1,
				     .first[SECTION_IN_FAULT] = &in_fault,
				     .first[SECTION_STUCK] = &earlier };

	dump_info_end(&late.info, 900 * SECOND, "run_queue", false);
	for (unsigned int n = 0; n < ARRAY_SIZE(left_out); n++) {
		const struct screen sc = { .s = &sum, .out = &out.sink, .extent.given_up = n };
		struct strbuf b = STRBUF_OF(256);
		char expected[256];

		text_open(&out);
		screen_put_stuck(&sc);
		screen_put_faults(&sc);
		snprintf(expected, sizeof(expected), "%s%s%s", n < 3 ? earlier_text : "",
			 n < 2 ? log_text : "", n < 1 ? faults_text : "");
		CHECK_TEXT(text_get(&out), expected);
		screen_add_given_up(&sc, &b);
		CHECK_TEXT(b.buf, left_out[n]);
		CHECK(screen_can_give_up(&sc) == (n < 3));
	}
}

TESTS({ "behind doubted owners", behind_doubted_owners },
      { "beside a deadlock", beside_a_deadlock }, { "a lock of a file", a_lock_of_a_file },
      { "without room", without_room }, { "a clause and its subject", a_clause_and_its_subject },
      { "reclaim behind one in reclaim", reclaim_behind_reclaim },
      { "a victim, a cgroup, and the rest", a_victim_and_a_cgroup })
