// SPDX-License-Identifier: GPL-2.0-or-later
/* Of the sockets of a process the one that has nearly all of what they have. */
#include "collect/sockets.h"
#include "memowner/summary.h"
#include "memowner/verdict_words.h"
#include "socket_list.h"
#include "stub.h"
#include "test.h"

static struct file_user user = { .tgid = 160 }, other = { .tgid = 9 };
static const struct file_user *of_user[] = { &user }, *of_other[] = { &other };
static struct file_users users = { .all = of_user, .n = 1, .kept = 1 };
static struct file_users others = { .all = of_other, .n = 1, .kept = 1 };

static void largest(void)
{
	STUB(stub);
	struct summary s = { .dump = &stub.dump };
	struct socket all[] = {
		{ .walked = true, .users = &others, .bytes = 5000, .protocol = "UDP" },
		{ .walked = true,
		  .users = &users,
		  .bytes = 1000,
		  .protocol = "UDP",
		  .local = "127.0.0.1:8125",
		  .remote = "0.0.0.0:0",
		  .sock = { .rmem = 1000 } },
		{ .walked = true, .users = &users, .bytes = 50, .protocol = "TCP" },
	};
	const struct sockets sockets = { .all = socket_list(all, ARRAY_SIZE(all)),
					 .n = ARRAY_SIZE(all) };

	CHECK_TEXT(summary_largest_socket(&s, &sockets, 160, 1050),
		   "; of the sockets UDP 127.0.0.1:8125 has nearly all, received and not read");
	/* Two share it; the process has none; one whose queues could not be read. */
	CHECK(!summary_largest_socket(&s, &sockets, 160, 2000));
	CHECK(!summary_largest_socket(&s, &sockets, 7, 10));
	CHECK(!summary_largest_socket(&s, NULL, 160, 1050));
	all[1].sock.rmem = 0;
	all[1].sock.wmem_queued = 1000;
	all[1].protocol = "TCP";
	all[1].remote = "10.0.0.7:443";
	CHECK_TEXT(
		summary_largest_socket(&s, &sockets, 160, 1050),
		"; of the sockets TCP 127.0.0.1:8125 to 10.0.0.7:443 has nearly all, in its send queue");
	/* Who sends to it. */
	all[1] = (struct socket){ .walked = true,
				  .users = &users,
				  .bytes = 1000,
				  .protocol = "NETLINK",
				  .sock = { .family = 16, .protocol = 15, .rmem = 1000 } };
	CHECK_TEXT(summary_largest_socket(&s, &sockets, 160, 1050),
		   "; of the sockets NETLINK_KOBJECT_UEVENT (events of devices) has nearly all, "
		   "received and not read");
	all[1].sock.protocol = 31;
	CHECK(strstr(summary_largest_socket(&s, &sockets, 160, 1050), "sockets NETLINK has"));
	all[1].walked = false;
	CHECK(!summary_largest_socket(&s, &sockets, 160, 1050));
}

/* What a process has not closed. */
static void states(void)
{
	STUB(stub);
	struct summary s = { .dump = &stub.dump };
	static struct socket all[240];
	struct sockets sockets = { .all = socket_list(all, ARRAY_SIZE(all)), .n = ARRAY_SIZE(all) };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		all[i] = (struct socket){ .users = i < 120 ? &users : &others,
					  .state = i < 112 ? "close_wait" : "established" };
	CHECK_TEXT(summary_sockets_state(&s, &sockets, 160),
		   ", 112 in close_wait (the other end has closed them, the process has not)");
	CHECK_TEXT(summary_sockets_state(&s, &sockets, 9), "");
	CHECK_TEXT(summary_sockets_state(&s, NULL, 160), "");
	sockets.problem = "a list breaks off";
	CHECK_TEXT(summary_sockets_state(&s, &sockets, 160), "");
	sockets.problem = NULL;
	/* Of two states; few. */
	for (size_t i = 0; i < 20; i++)
		all[i].state = "established";
	CHECK_TEXT(summary_sockets_state(&s, &sockets, 160), "");
	sockets.n = 99;
	CHECK_TEXT(summary_sockets_state(&s, &sockets, 160), "");
}

TESTS({ "the largest socket", largest }, { "states of the sockets of a process", states })
