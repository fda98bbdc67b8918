// SPDX-License-Identifier: GPL-2.0-or-later
/* Who waits for whom, one behind the other. */
#include "memory/stuck_chains.h"

#include "collect/stuck_peers.h"
#include "memory/stuck_rows.h"
#include "test.h"

/* Of many that wait for the answer of one process it is told once. */
static void crowd(void)
{
	struct strbuf b = STRBUF_OF(256), other = STRBUF_OF(256);
	struct file_user user = { .tgid = 70, .comm = "partner" };
	const struct frame in = { .symbol = "msleep" };
	struct stuck_task peer = { .task = { .pid = 70, .tgid = 70, .mm = 1, .comm = "partner" },
				   .waits_for = "other",
				   .caller = &in };
	struct stuck_task tasks[STUCK_CROWD] = { 0 };
	struct stuck all = { .others = tasks };

	for (unsigned int i = 0; i < STUCK_CROWD; i++) {
		tasks[i] = (struct stuck_task){
			.task = { .pid = 5 + (int)i, .tgid = 5 + (int)i, .mm = 1, .comm = "job" },
			.peer = &user,
			.peer_by = "unix socket",
			.next = i + 1 < STUCK_CROWD ? &tasks[i + 1] : &peer,
		};
	}
	CHECK(stuck_crowd_words(&all, &tasks[0], &b) && !stuck_crowd(&all, &tasks[1]));
	CHECK_TEXT(b.buf, "4 processes job wait on a unix socket for partner (70); partner (70) is "
			  "asleep in msleep");
	snprintf(tasks[2].task.comm, sizeof(tasks[2].task.comm), "post");
	CHECK(stuck_crowd_words(&all, &tasks[0], &other));
	CHECK_TEXT(other.buf, "job (5) and 3 more threads wait on a unix socket for partner (70); "
			      "partner (70) is asleep in msleep");
	/* What lies unread in the connections that it has accepted is summed up. */
	tasks[1].unread = 1000;
	tasks[2].unread = 1048;
	tasks[3].unread = 5000;
	tasks[3].is_not_accepted = true;
	for (unsigned int i = 0; i < STUCK_CROWD; i++)
		tasks[i].peer_by = "TCP connection";
	other = STRBUF_OF(256);
	CHECK(stuck_crowd_words(&all, &tasks[0], &other));
	CHECK_TEXT(other.buf,
		   "job (5) and 3 more threads wait on a TCP connection for partner (70), "
		   "which has not read 2.0K in 2 connections that it has accepted; partner "
		   "(70) is asleep in msleep");
	/* One that is a root says who waits for it; three are no crowd. */
	peer.is_root = true;
	CHECK(!stuck_crowd(&all, &tasks[0]));
	peer.is_root = false;
	tasks[3].peer = NULL;
	CHECK(!stuck_crowd_words(&all, &tasks[0], &other));
}

static const struct frame pause_frame = { .symbol = "__do_sys_pause" };
static struct file_user orderd = { .tgid = 10, .comm = "orderd" };
static struct file_user stockd = { .tgid = 20, .comm = "stockd" };

/* Threads of shopfront (1) and stockd (20) wait for orderd (10), and its own ones for stockd. */
static void set_services(struct stuck_task t[9])
{
	static const struct {
		int32_t pid, tgid;
		const char *comm;
		const struct file_user *peer;
	} of[9] = {
		{ 1, 1, "shopfront", NULL },	 { 2, 1, "worker-1", &orderd },
		{ 3, 1, "worker-2", &orderd },	 { 4, 1, "worker-3", &orderd },
		{ 10, 10, "orderd", NULL },	 { 11, 10, "worker-1", &stockd },
		{ 12, 10, "worker-2", &stockd }, { 20, 20, "stockd", NULL },
		{ 21, 20, "worker-1", &orderd },
	};

	for (unsigned int i = 0; i < 9; i++) {
		t[i] = (struct stuck_task){
			.task = { .pid = of[i].pid, .tgid = of[i].tgid, .mm = 1, .state = 'S' },
			.peer = of[i].peer,
			.peer_by = of[i].peer ? "TCP connection" : NULL,
			.function = &pause_frame,
			.caller = &pause_frame,
			.waits_for = "other",
			.next = i < 8 ? &t[i + 1] : NULL,
		};
		snprintf(t[i].task.comm, sizeof(t[i].task.comm), "%s", of[i].comm);
	}
}

static void services(void)
{
	struct stuck_task t[9];
	struct stuck all = { .first = t };
	struct strbuf b = STRBUF_OF(512), lock = STRBUF_OF(512), free_one = STRBUF_OF(512),
		      first = STRBUF_OF(512);

	set_services(t);
	CHECK(stuck_crowd_words(&all, &t[1], &b));
	CHECK_TEXT(b.buf,
		   "3 threads of shopfront (1) and 1 of stockd (20) wait on a TCP connection for "
		   "orderd (10); 2 of its 3 threads wait on a TCP connection for stockd (20); of "
		   "its 2 threads worker-1 (21) waits on a TCP connection for orderd (10): each "
		   "waits for the other, and none of their threads is free to answer (inferred)");
	/* One that waits for work may answer. */
	t[7].caller = t[7].function = &(struct frame){ .symbol = "ep_poll" };
	CHECK(stuck_crowd_words(&all, &t[1], &free_one));
	CHECK(!strstr(free_one.buf, "each waits for the other"));
	CHECK(strstr(free_one.buf, "worker-1 (21) waits on a TCP connection for orderd (10)"));
	/* A lock that a thread of it waits for, and what is behind that. */
	t[5].peer = t[6].peer = NULL;
	t[6].is_on_lock = true;
	t[6].lock_name = "lease of /srv/a";
	t[6].holder = &t[0];
	t[0].caller = t[0].function = &(struct frame){ .symbol = "msleep" };
	t[6].holds = HOLDS_LOCK;
	CHECK(stuck_crowd_words(&all, &t[1], &lock));
	CHECK_TEXT(lock.buf,
		   "3 threads of shopfront (1) and 1 of stockd (20) wait on a TCP connection for "
		   "orderd (10); of its 3 threads worker-2 (12) waits for lease of /srv/a, which "
		   "shopfront (1) has; shopfront (1) is asleep in msleep");
	/* None of its threads waits for another process. */
	t[6].holder = NULL;
	CHECK(stuck_crowd_words(&all, &t[1], &first));
	CHECK(strstr(first.buf, "; orderd (10) is asleep in __do_sys_pause with its first thread"));
}

/* quoteapi (1), of two threads, waits for ratefeed (3) by a thread, that for a lock which feedd (4) has. */
static void chain(void)
{
	const struct file_user user = { .tgid = 3, .comm = "ratefeed" };
	struct stuck_task t[4] = {
		{ .task = { .pid = 1, .tgid = 1, .mm = 1, .comm = "quoteapi" }, .next = &t[1] },
		{ .task = { .pid = 2, .tgid = 1, .mm = 1, .comm = "quoteapi" },
		  .peer = &user,
		  .peer_by = "TCP connection",
		  .next = &t[2] },
		{ .task = { .pid = 3, .tgid = 3, .mm = 1, .comm = "ratefeed" },
		  .is_on_lock = true,
		  .lock_name = "feed_lock",
		  .holder = &t[3],
		  .next = &t[3] },
		{ .task = { .pid = 4, .tgid = 4, .mm = 1, .comm = "feedd" }, .waits_for = "io" },
	};
	const struct stuck all = { .first = t };
	struct strbuf b = STRBUF_OF(512);
	struct stuck_chain c;

	stuck_chain(&all, &t[1], &c);
	CHECK(c.n == 3 && c.of[0] == &t[1] && c.of[1] == &t[2] && c.of[2] == &t[3]);
	/* Whose answer comes from one of two threads is unknown. */
	CHECK(stuck_thread(&all, 3, 0) == &t[2] && !stuck_thread(&all, 1, 0) &&
	      stuck_thread(&all, 1, 2) == &t[1]);
	CHECK(stuck_begins_chain(&all, &t[1]) && stuck_chain_words(&all, &t[1], &b));
	CHECK_TEXT(b.buf, "quoteapi (2) waits on a TCP connection for ratefeed (3); ratefeed (3) "
			  "waits for feed_lock, which feedd (4) has; feedd (4) waits for io");
	/* Of a peer all of whose threads are stopped that is told; who waits for no answer begins none. */
	t[1].peer_is_stopped = true;
	CHECK(!stuck_chain_words(&all, &t[1], &b) && !stuck_chain_words(&all, &t[2], &b));
	t[1].peer_is_stopped = false;
	/* A deadlock has a line of its own, behind the one that leads there. */
	t[3] = (struct stuck_task){ .task = t[3].task, .is_deadlocked = true, .holder = &t[3] };
	stuck_chain(&all, &t[1], &c);
	CHECK(c.n == 3);
	stuck_chain(&all, &t[3], &c);
	CHECK(c.n == 1);
	/* Whose owner is doubted, as nothing leads from it to the lock, is told: not what that one does. */
	t[3].is_deadlocked = false;
	t[2].has_no_trail = true;
	stuck_chain(&all, &t[1], &c);
	CHECK(c.n == 2);
	t[2].has_no_trail = false;
	stuck_chain(&all, &t[1], &c);
	CHECK(c.n == 3);
	/* A circle over sockets ends where it began. */
	t[2].holder = &t[1];
	t[3].is_deadlocked = false;
	stuck_chain(&all, &t[1], &c);
	CHECK(c.n == 2);
}

/* A thread that spins sleeps on no lock: it is told, though it is no row. */
static void spinning(void)
{
	struct strbuf none = STRBUF_OF(64), one = STRBUF_OF(64), two = STRBUF_OF(128);
	struct stuck_task t[2] = { { .task = { .pid = 188, .comm = "linkmux_tx" } },
				   { .task = { .pid = 266, .comm = "linkstat" }, .spins = true } };
	const struct stuck all = { .first = &t[0], .others = &t[1] };

	CHECK(stuck_spin_words(&all, &one));
	CHECK_TEXT(one.buf, "linkstat (266) was on a CPU and spun for a lock");
	t[0].spins = true;
	CHECK(stuck_spin_words(&all, &two));
	CHECK_TEXT(two.buf, "linkmux_tx (188), linkstat (266) were on CPUs and spun for locks");
	t[0].spins = t[1].spins = false;
	CHECK(!stuck_spin_words(&all, &none) && !none.len);
}

/* Who has a spin lock is on a CPU: of a driver out of tree the only other one there, where all that ran are known. */
static void the_owner_of_a_spin_lock(void)
{
	struct strbuf b = STRBUF_OF(256), again = STRBUF_OF(256), none = STRBUF_OF(64);
	const struct frame in = { .symbol = "adq_start_dma", .module = "adq12" },
			   wants = { .symbol = "adq_ioctl", .module = "adq12" },
			   other = { .symbol = "mux_poll", .module = "linkmux" };
	struct stuck_task t[3] = {
		{ .task = { .pid = 112, .comm = "daqd" }, .next = &t[1], .runs_in = &in },
		{ .task = { .pid = 113, .comm = "monitor" }, .runs_in = &wants, .spins = true },
		{ .task = { .pid = 114, .comm = "linkstat" }, .runs_in = &other },
	};
	struct stuck all = { .first = &t[0], .others = &t[2] };

	CHECK(!stuck_spin_owner_words(&all, &t[0], &none));
	CHECK(stuck_spin_owner_words(&all, &t[1], &b));
	CHECK_TEXT(b.buf, "daqd (112), on a CPU in adq_start_dma [adq12], likely has the lock that "
			  "monitor (113) spun for, in the same module");
	all.frameless = 1;
	CHECK(!stuck_spin_owner_words(&all, &t[1], &none));
	all.frameless = 0;
	/* The frames of another one on a CPU end where they were cut off. */
	t[2].on_cpu = true;
	CHECK(!stuck_spin_owner_words(&all, &t[1], &none));
	t[2].is_whole = true;
	CHECK(stuck_spin_owner_words(&all, &t[1], &again));
	t[2].runs_in = &in;
	CHECK(!stuck_spin_owner_words(&all, &t[1], &none));
	t[2].runs_in = NULL;
	t[0].spins = true;
	CHECK(!stuck_spin_owner_words(&all, &t[1], &none) && !none.len);
}

TESTS({ "a crowd", crowd }, { "threads that spin", spinning },
      { "the owner of a spin lock", the_owner_of_a_spin_lock }, { "a chain", chain },
      { "services of several threads", services })
