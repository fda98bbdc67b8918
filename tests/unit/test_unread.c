// SPDX-License-Identifier: GPL-2.0-or-later
/* Connections within the machine whose reader does not read. */
#include "collect/unread.h"
#include "socket_list.h"
#include "stub.h"
#include "test.h"

static struct file_user sender = { .tgid = 139, .comm = "redis-server" },
			reader = { .tgid = 177, .comm = "auditor" };
static const struct file_user *senders[] = { &sender }, *readers[] = { &reader };
static struct file_users of_sender = { .all = senders, .kept = 1, .n = 1 },
			 of_reader = { .all = readers, .kept = 1, .n = 1 };
static const struct text_list names[2] = { { .text = "139(redis-server)", .n = 1 },
					   { .text = "177(auditor)", .n = 1 } };

/* Two ends of a connection, and one of another port of the same process. */
static struct socket all[3];

static void fill(void)
{
	const struct sock end = { .kind = SOCK_TCP, .has_queues = true };

	for (size_t i = 0; i < 3; i++)
		all[i] = (struct socket){ .sock = end };
	all[0].sock.port = all[1].sock.peer_port = 6379;
	all[1].sock.port = all[0].sock.peer_port = 58384;
	all[0].users = &of_sender;
	all[1].users = all[2].users = &of_reader;
	all[0].used_by = all[1].peer_used_by = all[2].peer_used_by = &names[0];
	all[1].used_by = all[2].used_by = all[0].peer_used_by = &names[1];
	all[0].sock.tx_queue = 2555392;
	all[1].sock.rx_queue = 112697;
	all[2].sock.port = 58386;
	all[2].sock.peer_port = 6379;
	all[2].sock.rx_queue = 900000;
}

static const struct unread *find(int32_t tgid)
{
	static struct stub stub;
	static struct hash_u64 found;
	static bool is_open;
	const struct sockets s = { .all = socket_list(all, 3), .n = 3 };

	if (is_open)
		stub_close(&stub);
	is_open = true;
	STUB_OPEN(stub);
	hash_u64_init(&found, stub.dump.arena, sizeof(struct unread));
	unread_find(&s, &found);
	return hash_u64_find(&found, (uint64_t)tgid);
}

static void both_queues_are_long(void)
{
	const struct unread *u;

	fill();
	u = find(139);
	CHECK(u && u->unsent == 2555392 && u->unread == 112697 && u->reader == &reader);
	CHECK(!find(177));
}

static void what_passes_through_is_none(void)
{
	fill();
	all[0].sock.tx_queue = 100000;
	CHECK(!find(139));
	fill();
	all[1].sock.rx_queue = 0; /* it is read as fast as it comes */
	CHECK(!find(139));
	fill();
	all[1].sock.net = 1; /* another namespace has the same ports */
	CHECK(!find(139));
	fill();
	of_reader.n = 2; /* which of them reads is unknown */
	CHECK(!find(139));
	of_reader.n = 1;
}

TESTS({ "both queues are long", both_queues_are_long },
      { "what passes through is none", what_passes_through_is_none })
