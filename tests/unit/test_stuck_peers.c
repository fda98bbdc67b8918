// SPDX-License-Identifier: GPL-2.0-or-later
/* Which threads are asked whose answer they wait for on a socket. */
#include "collect/stuck_peers.h"
#include "collect/stuck_words.h"
#include "stub.h"
#include "test.h"

#define TASKS 12

static struct stuck_wish wish;
static const int32_t first = 5;

/* Why a peer may be missing, where that many processes sleep in a function; "-": that is no question. */
static const char *asked(const char *symbol, int n, bool has_sockets)
{
	static char text[256];
	static const struct stub_symbol symbols[] = { { "socket_file_ops", 0x500, { 0 } }, { 0 } };
	STUB(s, .symbols = has_sockets ? symbols : NULL);
	struct stuck_task tasks[TASKS] = { 0 };
	const struct frame frame = { .addr = 0x1000, .symbol = symbol };
	const char *why;

	for (int i = 0; i < n; i++) {
		tasks[i].task =
			(struct task){ .pid = 5 + i, .tgid = 5 + i, .mm = 0x1000, .comm = "w" };
		tasks[i].caller = &frame;
		tasks[i].next = i + 1 < n ? &tasks[i + 1] : NULL;
	}
	why = stuck_find_peers(&s.dump, &wish, NULL, NULL, tasks);
	snprintf(text, sizeof(text), "%s", why ?: "-");
	return text;
}

static void alike(void)
{
	/* A text of which no symbol is known. */
	CHECK_TEXT(asked(NULL, TASKS, true), "-");
	CHECK_TEXT(asked("futex_wait", TASKS, true), "-");
	CHECK_TEXT(asked("unix_stream_read_generic", 3, true), "-");
	CHECK(strcmp(asked("unix_stream_read_generic", 4, true), "-") != 0);
	/* Of a connection. */
	CHECK(strcmp(asked("wait_woken", 4, true), "-") != 0);
	CHECK_TEXT(asked("wait_woken", 3, true), "-");
	/* One of which it is asked, whoever waits for it. */
	wish.tgids = &first;
	wish.ntgids = 1;
	CHECK(strcmp(asked("do_epoll_wait", 1, true), "-") != 0);
	wish.ntgids = 0;
	/* A kernel without sockets. */
	CHECK_TEXT(asked("unix_stream_read_generic", 10, false), "-");
}

/* One that others wait for. */
static void who_has_a_lock(void)
{
	static const struct stub_symbol symbols[] = { { "socket_file_ops", 0x500, { 0 } }, { 0 } };
	STUB(s, .symbols = symbols);
	struct stuck_task tasks[2] = { { .next = &tasks[1], .task = { .pid = 5, .tgid = 5 } },
				       { .task = { .pid = 6, .tgid = 6 } } };

	CHECK(!stuck_find_peers(&s.dump, &wish, NULL, NULL, tasks));
	tasks[0].holder = &tasks[1];
	CHECK(stuck_find_peers(&s.dump, &wish, NULL, NULL, tasks));
}

/* Of a connection that is not there yet its other end is asked in vain. */
static void who_connects(void)
{
	struct stuck_task t = { .task = { .pid = 100, .tgid = 100, .comm = "hsm-proxy" },
				.remote = "10.9.0.44:9004" };
	struct strbuf b = STRBUF_OF(256);

	stuck_task_words(&t, &b);
	CHECK_TEXT(b.buf, "hsm-proxy (100) waits on a TCP connection for 10.9.0.44:9004, which no "
			  "process here has");
	b = STRBUF_OF(256);
	t.is_connecting = true;
	stuck_task_words(&t, &b);
	CHECK_TEXT(b.buf, "hsm-proxy (100) waits on a TCP connection for 10.9.0.44:9004, which has "
			  "not answered (SYN_SENT)");
	/* What it sent and the other one has not read: bytes of TCP, packets of others. */
	for (unsigned int i = 0; i < 4; i++) {
		const struct file_user user = { .tgid = 275, .comm = "hub" };
		static const char *const words[] = { ", which has not read 1 byte of it", "",
						     ", which has not read 2.0K of it",
						     ", which has not read 3 packets of it" };
		static const uint64_t unread[] = { 1, 0, 2048, 3 };
		char all[160];

		b = STRBUF_OF(256);
		t = (struct stuck_task){ .task = { .pid = 7, .comm = "post" },
					 .peer = &user,
					 .peer_by = i < 3 ? "TCP connection" : "unix socket",
					 .unread = unread[i] };
		stuck_task_words(&t, &b);
		snprintf(all, sizeof(all), "post (7) waits on a %s for hub (275)%s", t.peer_by,
			 words[i]);
		CHECK_TEXT(b.buf, all);
	}
	/* Of the queue that it cannot send to all that waits there is of others as well. */
	b = STRBUF_OF(256);
	t = (struct stuck_task){ .task = { .pid = 267, .comm = "cartapi" },
				 .peer = &(const struct file_user){ .tgid = 262, .comm = "evlogd" },
				 .peer_by = "unix socket",
				 .is_sender = true,
				 .unread = 513 };
	stuck_task_words(&t, &b);
	CHECK_TEXT(b.buf,
		   "cartapi (267) waits on a unix socket for evlogd (262), which has not read "
		   "the 513 packets in its queue");
	/* What nobody else can answer, and what comes without a connection. */
	b = STRBUF_OF(256);
	t = (struct stuck_task){ .task = { .pid = 117, .comm = "watch" },
				 .peer_by = "unix socket",
				 .peer_is_own = true };
	stuck_task_words(&t, &b);
	CHECK_TEXT(b.buf,
		   "watch (117) waits on a unix socket, both ends of which it alone has open");
	b = STRBUF_OF(256);
	t = (struct stuck_task){ .task = { .pid = 192, .comm = "relay" },
				 .datagram = "of 10.0.0.53:53" };
	stuck_task_words(&t, &b);
	CHECK_TEXT(b.buf, "relay (192) waits for a datagram of 10.0.0.53:53");
}

TESTS({ "who connects", who_connects }, { "many that wait alike", alike },
      { "who has a lock", who_has_a_lock })
