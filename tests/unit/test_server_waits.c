// SPDX-License-Identifier: GPL-2.0-or-later
/* Who waits for an answer: the first is who has waited longest, and a process that waits for its own is told so. */
#include "collect/stuck.h"
#include "memory/stuck_chains.h"
#include "memowner/memory_waits.h"
#include "memowner/summary.h"
#include "stub.h"
#include "test.h"

#define SECOND 1000000000ULL

static struct report report = { .info = { .panic_ns = 100 * SECOND, .has_panic_time = true } };
static struct stuck_asked asked = { .kind = WAIT_FANOTIFY };
static const struct stuck_server server = { .complete = true };
static const struct stuck_task scand = { .task = { .comm = "scand", .pid = 301, .tgid = 301 } };

#define WAITS(NAME, PID, TGID, SINCE)                                                          \
	.task = { .comm = NAME, .pid = PID, .tgid = TGID, .state = 'D', .mm = 1 },             \
	.has_since = true, .since_ns = (SINCE)*SECOND, .is_on_server = true,                   \
	.lock_name = "the answer to an event of fanotify", .asked = &asked, .server = &server, \
	.holder = &scand

static size_t unreadable; /* stacks */

static const char *told(const struct stuck_task *first)
{
	static char text[1024];
	STUB(s);
	struct summary sum = { .dump = &s.dump, .report = &report };
	const struct stuck all = { .first = (struct stuck_task *)first, .unreadable = unreadable };
	const struct stuck_ring ring = { .n = 0 };
	const struct stuck_told of = { .ring = &ring };
	struct strbuf b = strbuf_in(text, sizeof(text));

	text[0] = '\0';
	summary_add_server_waits(&sum, &all, &of, &b);
	return text;
}

static void who_waits_longest(void)
{
	struct stuck_task last = { WAITS("psql", 9, 9, 60) };
	struct stuck_task next = { .next = &last, WAITS("nginx", 8, 8, 40) };
	struct stuck_task first = { .next = &next, WAITS("postgres", 7, 7, 80) };

	CHECK_TEXT(told(&first),
		   "nginx (8) waits for the answer to an event of fanotify, whose "
		   "file scand (301) has open, and 2 more threads wait for scand (301)");
	/* Of some it is not known what they wait for. */
	unreadable = 2;
	CHECK_TEXT(told(&first), "nginx (8) waits for the answer to an event of fanotify, whose "
				 "file scand (301) has open, and at least 2 more threads wait for "
				 "scand (301)");
	unreadable = 0;
	/* For which is not known, nor for how long. */
	last.holder = NULL;
	last.since_ns = 90 * SECOND;
	CHECK_TEXT(
		told(&first),
		"nginx (8) waits for the answer to an event of fanotify, whose file scand (301) has "
		"open, and 1 more thread waits for scand (301), 1 more thread "
		"waits for a server");
	first.next = NULL;
	CHECK_TEXT(told(&first), "postgres (7) waits for the answer to an event of fanotify, whose "
				 "file scand (301) has open");
	first.since_ns = 100 * SECOND - 1;
	CHECK_TEXT(told(&first), "");
}

static void its_own_thread(void)
{
	struct stuck_task own = { WAITS("sig-update", 307, 301, 34) };
	struct stuck_task first = { .next = &own, WAITS("postgres", 7, 7, 80) };

	CHECK_TEXT(told(&first),
		   "scand (301) waits for itself: its thread sig-update (307) waits for the answer "
		   "to an event of fanotify, whose file only scand (301) has open, for 1.1min, and "
		   "1 more thread waits for scand (301)");
}

TESTS({ "who waits longest", who_waits_longest }, { "its own thread", its_own_thread })
