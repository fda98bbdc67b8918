// SPDX-License-Identifier: GPL-2.0-or-later
/* Sleepers that no rule knows, circles over the answers of processes, and what may be at rest. */
#include "memory/stuck_asleep.h"

#include "collect/waits.h"
#include "memory/stuck_chains.h"
#include "oom/oom_trace.h"
#include "test.h"

#define N 6
#define SECOND 1000000000ULL

static struct dump_info info = { .panic_ns = 100 * SECOND, .has_panic_time = true };
static const struct frame in_autofs = { .symbol = "autofs_wait", .module = "autofs4" };
static const struct frame nowhere = { .addr = 0 };
static const struct frame in_kernel = { .symbol = "wait_for_thing" };
static struct stuck_task all[N];

static struct stuck set_up(void)
{
	for (int i = 0; i < N; i++) {
		all[i] = (struct stuck_task){
			.task = { .pid = 10 + i, .tgid = 10 + i, .mm = 1, .state = 'D' },
			.has_frames = true,
			.function = &in_autofs,
			.caller = &in_autofs,
			.waits_for = "other",
			.has_since = true,
			.since_ns = (90 - (uint64_t)i) * SECOND,
			.next = i + 1 < N ? &all[i + 1] : NULL,
		};
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "t%d", i);
	}
	return (struct stuck){ .first = all };
}

static const char *told(const struct stuck *x)
{
	static struct strbuf b;
	static char buf[512];

	b = (struct strbuf){ buf, sizeof(buf), 0, false };
	*buf = '\0';
	return stuck_asleep_words(x, &info, 5 * SECOND, &b) ? buf : "none";
}

/* Which is in no table. */
static void in_a_function(void)
{
	struct stuck x = set_up();

	all[0].system_call = all[5].system_call = "openat";
	CHECK_TEXT(told(&x),
		   "t5 (15), t4 (14), t3 (13) and 3 more threads have slept for up to 15.0s in "
		   "autofs_wait [autofs4], system call openat, as for an automount");
	/* What is known, what waits for work and what has just begun is none. */
	for (int i = 1; i < N; i++)
		all[i].is_at_rest = true;
	CHECK_TEXT(told(&x), "t0 (10) has slept for 10.0s in autofs_wait [autofs4], system call "
			     "openat, as for an automount");
	all[0].since_ns = 96 * SECOND;
	CHECK_TEXT(told(&x), "none");
	all[0].since_ns = 90 * SECOND;
	all[0].holder = &all[1];
	CHECK_TEXT(told(&x), "none");
}

/* One that cannot be interrupted is told before more that can. */
static void of_two_kinds(void)
{
	struct stuck x = set_up();

	for (int i = 1; i < N; i++) {
		all[i].task.state = 'S';
		all[i].caller = all[i].function = &in_kernel;
	}
	CHECK_TEXT(told(&x), "t0 (10) has slept for 10.0s in autofs_wait [autofs4], as for an "
			     "automount");
	all[0].is_at_rest = true;
	all[3].task.mm = all[4].task.mm = all[5].task.mm = 0;
	CHECK_TEXT(told(&x), "t2 (12) and t1 (11) have slept for up to 12.0s in wait_for_thing");
	/* An address that is none of a function, of a stack that is lost: they may wait for work. */
	all[1].caller = all[1].function = all[2].caller = all[2].function = &nowhere;
	CHECK(!strstr(told(&x), "t2 (12)"));
}

/* Of a lock that names no owner at least who waits for it is known. */
static void on_a_lock(void)
{
	struct stuck x = set_up();

	for (int i = 0; i < N; i++) {
		all[i].is_on_lock = all[i].has_lock = true;
		all[i].waits_for = "rwsem";
		all[i].lock = (struct lock_wait){ .lock = 0x1000, .by = LOCK_OWNER_UNKNOWN };
		all[i].lock_name = "i_rwsem of /srv (vda)";
	}
	CHECK_TEXT(told(&x), "t5 (15) waits for i_rwsem of /srv (vda), who has it is unknown, and "
			     "so do 5 more threads, for up to 15.0s");
}

/* What went on behind the newest record of the log slept longer. */
static void to_an_assumed_end(void)
{
	const struct dump_info known = info;
	struct stuck x = set_up();

	CHECK(dump_info_end(&info, 100 * SECOND, "newest_record", false) && end_is_assumed(&info));
	CHECK(strstr(told(&x), " and 3 more threads have slept for at least 15.0s in "));
	for (int i = 0; i < N; i++) {
		all[i].is_on_lock = all[i].has_lock = true;
		all[i].waits_for = "rwsem";
		all[i].lock = (struct lock_wait){ .lock = 0x1000, .by = LOCK_OWNER_UNKNOWN };
	}
	CHECK(strstr(told(&x), " and so do 5 more threads, for at least 15.0s"));
	info = known;
}

/* An updater waits for the answer of a scanner, whose threads wait for the one that asks the updater. */
static void a_ring(void)
{
	static struct stuck_task *threads[] = { &all[1], &all[2], &all[3] };
	struct stuck_server server = { .threads = threads, .n = 3 };
	const struct file_user updater = { .tgid = 10, .comm = "t0" };
	struct strbuf b = STRBUF_OF(512);
	struct stuck x = set_up();
	struct stuck_ring ring;

	for (int i = 0; i < N; i++)
		all[i].waits_for = NULL;
	for (int i = 1; i < 4; i++)
		all[i].task.tgid = 11;
	all[0].is_on_server = all[5].is_on_server = true;
	all[0].lock_name = all[5].lock_name = "an answer";
	all[0].server = all[5].server = &server;
	all[1].is_on_lock = true;
	all[1].lock_name = "m";
	all[1].holder = &all[2];
	all[2].peer = &updater;
	all[2].peer_by = "unix socket";
	CHECK(stuck_ring_find(&x, &ring));
	stuck_ring_words(&x, &ring, &b);
	CHECK_TEXT(b.buf,
		   "perhaps a deadlock: t0 (10) waits for an answer, and so does 1 more thread; "
		   "t1 (11) waits for m, which t2 (12) has; t2 (12) waits on a unix socket "
		   "for t0 (10)");
	/* A thread of the server waits for work: it may answer. */
	all[3].function = all[3].caller = &(struct frame){ .symbol = "ep_poll" };
	CHECK(!stuck_ring_find(&x, &ring));
	all[3].function = all[3].caller = &in_kernel;
	/* Another thread of the updater may. */
	all[4].task.tgid = 10;
	CHECK(!stuck_ring_find(&x, &ring));
}

/* Two that read one connection: so do a server and its client that have nothing to do. */
static void no_ring_of_answers(void)
{
	const struct file_user users[] = { { .tgid = 10, .comm = "t0" },
					   { .tgid = 11, .comm = "t1" } };
	struct stuck x = set_up();
	struct strbuf b = STRBUF_OF(512);
	struct stuck_ring ring;

	for (int i = 0; i < 2; i++) {
		all[i].peer = &users[!i];
		all[i].peer_by = "TCP connection";
	}
	CHECK(!stuck_ring_find(&x, &ring) && !ring.n);
	stuck_add_chain(&x, &all[0], 0, &b);
	CHECK_TEXT(b.buf, "t0 (10) waits on a TCP connection for t1 (11); t1 (11) waits to receive "
			  "on it, too");
}

static void what_rests(void)
{
	CHECK(wait_rest_of("ep_poll") == WAIT_RESTS && wait_rest_of("futex_do_wait") == WAIT_RESTS);
	CHECK(wait_rest_of("vfs_read") == WAIT_MAY_READ && !wait_rest_of("autofs_wait"));
	/* What a thread of the kernel began with sleeps itself, or what the loop of a vhost task calls. */
	CHECK(wait_is_of_loop("ret_from_fork", 'S') && wait_is_of_loop("ret_from_fork_asm", 'S'));
	CHECK(wait_is_of_loop("vhost_task_fn", 'S') && !wait_is_of_loop("vhost_task_fn", 'D'));
	CHECK(!wait_is_of_loop("handle_tx", 'S') && !wait_is_of_loop("", 'S'));
	CHECK_TEXT(system_call_name("__x64_sys_openat"), "openat");
	CHECK(!system_call_name("do_syscall_64") && !system_call_name("ksys_read"));
}

TESTS({ "in a function that no table has", in_a_function }, { "of two kinds", of_two_kinds },
      { "on a lock", on_a_lock }, { "to an end that is assumed", to_an_assumed_end },
      { "a circle over processes", a_ring }, { "no circle of answers alone", no_ring_of_answers },
      { "what may be at rest", what_rests })
