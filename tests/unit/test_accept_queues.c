// SPDX-License-Identifier: GPL-2.0-or-later
/* Connections that wait to be accepted, and those that clients have closed, by who listens. */
#include "collect/used_limits.h"
#include "extensions/kept/accept_queues.h"
#include "socket_list.h"
#include "stub.h"
#include "test.h"

static struct file_user api = { .tgid = 97, .comm = "pay-api" },
			waits = { .tgid = 97, .comm = "pay-api", .not_accepted = true },
			hsm = { .tgid = 95, .comm = "card-hsm" };
static const struct file_user *apis[] = { &api }, *waiting[] = { &waits }, *hsms[] = { &hsm },
			      *both[] = { &hsm, &api };
static struct file_users of_api = { .all = apis, .kept = 1, .n = 1 },
			 of_waiting = { .all = waiting, .kept = 1, .n = 1 },
			 of_hsm = { .all = hsms, .kept = 1, .n = 1 },
			 of_both = { .all = both, .kept = 2, .n = 2 };
static const struct text_list names[] = { { .text = "97(pay-api)", .n = 1 },
					  { .text = "95(card-hsm)", .n = 1 } };

#define SOCKETS 7

/* As in a guest of 5.10: a server that waits for another one, and four clients that have gone. */
static struct socket all[SOCKETS];

static void fill(void)
{
	for (size_t i = 0; i < SOCKETS; i++)
		all[i] = (struct socket){
			.sock = { .kind = SOCK_TCP, .state = STATE_CLOSE_WAIT, .port = 8443 },
			.users = &of_waiting,
			.not_accepted = true
		};
	for (size_t i = 4; i < SOCKETS; i++) {
		all[i].not_accepted = false;
		all[i].users = &of_api;
		all[i].used_by = &names[0];
	}
	all[5].sock.state = all[6].sock.state = STATE_LISTEN;
	all[5].sock.rx_queue = 4;
	all[5].sock.has_most_waiting = all[6].sock.has_most_waiting = true;
	all[5].sock.most_waiting = all[6].sock.most_waiting = 4;
	all[6].sock.port = 9004;
	all[6].users = &of_hsm;
	all[6].used_by = &names[1];
}

static const struct accept_queue *queue_of(uint16_t port)
{
	static struct stub stub;
	static bool is_open;
	const struct sockets s = { .all = socket_list(all, SOCKETS), .n = SOCKETS };
	struct accept_queue *q;

	if (is_open)
		stub_close(&stub);
	is_open = true;
	STUB_OPEN(stub);
	for (q = accept_queues_find(&stub.dump, &s); q && q->port != port;)
		q = q->next;
	return q;
}

static void connections_are_of_who_listens(void)
{
	const struct accept_queue *q;

	fill();
	q = queue_of(8443);
	CHECK(q && q->waiting == 4 && q->left == 4 && q->closed == 1);
	CHECK(q->used_by == &names[0] && q->listens == 1 && q->most.known && q->most.n == 4);
	q = queue_of(9004);
	CHECK(q && !q->waiting && !q->left && !q->closed);
	/* Another namespace has the same port. */
	fill();
	all[0].sock.net = 1;
	q = queue_of(8443);
	CHECK(q && q->left == 3);
	/* Whoever took over the socket has the connections as well. */
	fill();
	all[5].users = &of_both;
	q = queue_of(8443);
	CHECK(q && q->left == 4 && q->closed == 1);
	/* A connection that is not closed, and one that nobody has. */
	fill();
	all[0].sock.state = 1;
	all[1].users = NULL;
	q = queue_of(8443);
	CHECK(q && q->left == 2);
	fill();
	all[5].sock.rx_queue = -1;
	CHECK(!queue_of(8443));
}

static void one_more_than_the_backlog_is_the_last(void)
{
	fill();
	CHECK(!accept_queue_is_full(queue_of(8443)));
	all[5].sock.rx_queue = 5;
	CHECK(accept_queue_is_full(queue_of(8443)));
	all[5].sock.has_most_waiting = false;
	CHECK(!accept_queue_is_full(queue_of(8443)));
	/* Of two sockets at one port (SO_REUSEPORT) both. */
	fill();
	all[6].sock.port = 8443;
	all[6].users = &of_api;
	all[5].sock.rx_queue = 5;
	CHECK(queue_of(8443)->listens == 2 && queue_of(8443)->most.n == 8);
	CHECK(!accept_queue_is_full(queue_of(8443)));
}

static void a_limit_that_is_used_up(void)
{
	struct used_limits used = { .n = 1 };
	struct dump *d;

	STUB(stub, .memory = NULL);
	d = &stub.dump;
	used.all[0] = (struct used_limit){ .setting = "fs.file-max",
					   .used = 24006,
					   .limit = 24000,
					   .counts = LIMIT_COUNTS_FILES };
	CHECK_TEXT(accept_limit_text(d, &used, 97),
		   "; while fs.file-max is used up accept() fails without CAP_SYS_ADMIN");
	used.all[0].used = 23999;
	CHECK_TEXT(accept_limit_text(d, &used, 97), "");
	used.all[0] = (struct used_limit){
		.noun = "descriptors", .tgid = 97, .used = 1024, .limit = 1024
	};
	CHECK_TEXT(accept_limit_text(d, &used, 97),
		   "; accept() fails: no descriptor is left to it");
	CHECK_TEXT(accept_limit_text(d, &used, 95), "");
}

TESTS({ "a limit that is used up", a_limit_that_is_used_up },
      { "connections are of who listens at their port", connections_are_of_who_listens },
      { "one more than the backlog is the last", one_more_than_the_backlog_is_the_last })
