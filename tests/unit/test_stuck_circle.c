// SPDX-License-Identifier: GPL-2.0-or-later
/* Deadlocks through servers: each thread that may answer must lead into it. */
#include "collect/stuck_circle.h"
#include "collect/stuck_holders.h"
#include "collect/stuck_servers.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define N 6

static struct stuck_task all[N];
static struct stuck_task *threads[2][N];
static struct file_users users[2];
static struct stuck_server servers[2];

static void set_up(void)
{
	for (unsigned int i = 0; i < N; i++) {
		all[i] = (struct stuck_task){ .task = { .pid = (int32_t)i + 1 } };
		all[i].task.tgid = all[i].task.pid;
		all[i].task.state = 'D';
		all[i].next = i + 1 < N ? &all[i + 1] : NULL;
		snprintf(all[i].task.comm, sizeof(all[i].task.comm), "t%u", i + 1);
	}
	for (unsigned int i = 0; i < 2; i++)
		servers[i] = (struct stuck_server){ .users = &users[i],
						    .threads = threads[i],
						    .complete = true };
}

static void wait_for_lock(unsigned int i, unsigned int holder, const char *name)
{
	all[i].is_on_lock = all[i].has_lock = true;
	all[i].lock_name = name;
	all[i].holder = &all[holder];
	all[i].holds = HOLDS_LOCK;
}

static void wait_for_server(unsigned int i, unsigned int server, const char *name)
{
	all[i].is_on_server = true;
	all[i].lock_name = name;
	all[i].server = &servers[server];
	all[i].holder = stuck_server_of(&all[i]);
	all[i].holds = HOLDS_SERVER;
}

static void serves(unsigned int i, unsigned int server)
{
	threads[server][servers[server].n++] = &all[i];
}

static const char *find_all(struct strbuf *b)
{
	for (unsigned int i = 0; i < N; i++)
		stuck_find_circle(&all[i]);
	for (unsigned int i = 0; i < N; i++)
		if (all[i].is_deadlocked) {
			strbuf_add(b, "%s", strbuf_between(b, "; "));
			stuck_deadlock_words(&all[i], b);
		}
	return b->buf;
}

/* The client has a lock that the only thread of its server waits for. */
static void a_server_of_one_thread(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	serves(1, 0);
	wait_for_server(0, 0, "FUSE connection 28");
	wait_for_lock(1, 0, "m");
	wait_for_server(2, 0, "FUSE connection 28");
	CHECK_TEXT(
		find_all(&b),
		"deadlock: t1 (1) waits for FUSE connection 28, whose other end t2 (2) has open, "
		"which waits for m, which t1 (1) has; ");
	/* Who waits for it and has nothing that it waits for is not in it. */
	CHECK(all[0].is_deadlocked && all[1].is_deadlocked && !all[2].is_deadlocked);
}

/* Another thread of the server answers, unless it waits too. */
static void a_server_of_two_threads(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	serves(1, 0);
	serves(2, 0);
	wait_for_server(0, 0, "FUSE connection 28");
	wait_for_lock(1, 0, "m");
	find_all(&b);
	CHECK(!all[0].is_deadlocked && !all[1].is_deadlocked);
	wait_for_lock(2, 0, "n");
	find_all(&b);
	CHECK(all[0].is_deadlocked && all[1].is_deadlocked && all[2].is_deadlocked);
	/* One waits for what may come. */
	wait_for_lock(2, 3, "n");
	find_all(&b);
	CHECK(!all[0].is_deadlocked && !all[1].is_deadlocked);
	/* Or for one of another circle: it never comes back either. */
	wait_for_lock(3, 4, "o");
	wait_for_lock(4, 3, "p");
	find_all(&b);
	CHECK(all[0].is_deadlocked && all[1].is_deadlocked && !all[2].is_deadlocked);
	CHECK(all[3].is_deadlocked && all[4].is_deadlocked);
	/* Others may have the other end. */
	servers[0].complete = false;
	find_all(&b);
	CHECK(!all[0].is_deadlocked && !all[1].is_deadlocked && all[3].is_deadlocked);
}

/* A userfaultfd is inherited: the thread that waits has it too, and cannot answer itself. */
static void a_userfaultfd(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	serves(0, 1);
	serves(1, 1);
	wait_for_server(0, 1, "userfaultfd of 1");
	CHECK(all[0].holder == &all[1]);
	wait_for_lock(1, 0, "i_rwsem of /t/u");
	CHECK_TEXT(
		find_all(&b),
		"deadlock: t1 (1) waits for userfaultfd of 1, whose other end t2 (2) has open, which "
		"waits for i_rwsem of /t/u, which t1 (1) has; ");
	/* Two others have it. */
	set_up();
	serves(1, 1);
	serves(2, 1);
	wait_for_server(0, 1, "userfaultfd of 1");
	CHECK(!all[0].holder);
	/* It alone has it. */
	set_up();
	serves(0, 1);
	wait_for_server(0, 1, "userfaultfd of 1");
	find_all(&b);
	CHECK(all[0].is_deadlocked && all[0].holder == &all[0]);
}

/* Two servers that wait for each other: there is an end to what is followed. */
static void two_servers(void)
{
	struct strbuf b = STRBUF_OF(512);

	set_up();
	for (unsigned int i = 0; i < 3; i++) {
		serves(i, 0);
		serves(i + 3, 1);
	}
	for (unsigned int i = 0; i < 3; i++) {
		wait_for_server(i, 1, "b");
		wait_for_server(i + 3, 0, "a");
	}
	find_all(&b);
	for (unsigned int i = 0; i < N; i++)
		CHECK(all[i].is_deadlocked);
}

TESTS({ "a server of one thread", a_server_of_one_thread },
      { "a server of two threads", a_server_of_two_threads }, { "a userfaultfd", a_userfaultfd },
      { "two servers", two_servers })
