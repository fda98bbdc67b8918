// SPDX-License-Identifier: GPL-2.0-or-later
/* Who sends to the service that is charged for most files in memory. */
#include <string.h>

#include "collect/sockets.h"
#include "memowner/groups.h"
#include "memowner/summary.h"
#include "net/scm.h"
#include "sock_stub.h"
#include "socket_list.h"
#include "test.h"

#define PACKETS 9
#define SOCK(i) (0x100000ULL + (i)*0x1000)
#define INODE(i) (0x300008ULL + (i)*0x1000) /* behind its struct socket */
#define SOCKET(i) (INODE(i) - 8)
#define SKB(i) (0x400000ULL + (i) * sizeof(skbs[0]))
#define DATA 0x500000ULL
#define QUEUE (SOCK(0) + SOCK_AT(receive))

static struct sock_bytes socks[3]; /* the one of the service, and two that send */
static uint64_t skbs[PACKETS][8], sockets[3][2];
static uint64_t data[40];

static const struct stub_memory memory[] = { { DATA, data, sizeof(data) },
					     { SOCK(0), &socks[0], sizeof(socks[0]) },
					     { SOCK(1), &socks[1], sizeof(socks[1]) },
					     { SOCK(2), &socks[2], sizeof(socks[2]) },
					     { SOCKET(0), sockets[0], sizeof(sockets[0]) },
					     { SOCKET(1), sockets[1], sizeof(sockets[1]) },
					     { SOCKET(2), sockets[2], sizeof(sockets[2]) },
					     { SKB(0), skbs, sizeof(skbs) },
					     { 0 } };

static const struct stub_member members[] = {
	SOCK_MEMBERS,
	{ "struct tcp_sock", "copied_seq", SOCK_OF(numbers[1]) },
	{ "struct sk_buff", "cb", FIELD(48, 8) },
	{ "struct sk_buff", "sk", FIELD(56, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { SOCK_SIZES, { 0 } };

/* Of so many packets the first are of one, the others of another sender. */
static const char *told(unsigned int n, unsigned int first, const char *cgroup)
{
	static struct stub stub;
	static struct process_groups groups;
	static struct file_user users[3] = { { .tgid = 5, .comm = "journald" },
					     { .tgid = 6, .comm = "meterd" },
					     { .tgid = 7, .comm = "cron" } };
	static const struct file_user *lists[3] = { &users[0], &users[1], &users[2] };
	static struct file_users of[3];
	static int32_t member[1][2] = { { 5, 1 } };
	struct socket all[3];
	struct sockets x = { .all = socket_list(all, 3), .n = 3 };
	struct summary s = { .groups = &groups };
	struct statement row = { .charged = cgroup };
	struct process_group *g;
	struct scm scm;

	STUB_OPEN(stub, .memory = memory, .members = members, .sizes = sizes);
	s.dump = &stub.dump;
	hash_bytes_init(&groups.groups, stub.dump.arena, sizeof(*g));
	g = hash_bytes_get(&groups.groups, "journald", 8, NULL)->value;
	*g = (struct process_group){ .cgroup = "/j", .processes = 1, .members = member };
	for (unsigned int i = 0; i < 3; i++) {
		socks[i] = (struct sock_bytes){ .family = FAMILY_UNIX,
						.state = 1,
						.type = 2,
						.socket = SOCKET(i),
						.prot = 0x5000 };
		sockets[i][0] = SOCK(i);
		of[i] = (struct file_users){ .all = &lists[i], .n = 1, .kept = 1 };
	}
	for (unsigned int i = 0; i < n; i++) {
		skbs[i][0] = i + 1 < n ? SKB(i + 1) : QUEUE;
		skbs[i][3] = 768ULL << 32;
		skbs[i][4] = DATA;
		skbs[i][5] = 64;
		skbs[i][7] = SOCK(i < first ? 1 : 2);
	}
	socks[0].receive.next = SKB(0);
	socks[0].receive.qlen = n;
	CHECK(scm_open(&stub.dump, &scm) == ST_OK);
	for (unsigned int i = 0; i < 3; i++) {
		all[i] = (struct socket){ .users = &of[i],
					  .inode = INODE(i),
					  .walked = true,
					  .packets = i ? 0 : n,
					  .protocol = "UNIX",
					  .local = "/run/socket" };
		CHECK(sock_read(&scm.socks, SOCK(i), &all[i].sock) == ST_OK);
	}
	summary_tell_sender(&s, &row, &x);
	return row.wait ?: "-";
}

static void senders(void)
{
	CHECK_TEXT(told(9, 9, "/j"),
		   "all 9 packets that wait in UNIX /run/socket are of meterd (6)");
	CHECK_TEXT(told(9, 3, "/j"),
		   "6 of 9 packets that wait in UNIX /run/socket are of cron (7)");
	/* Half of them; few packets; sockets of another cgroup. */
	CHECK_TEXT(told(8, 4, "/j"), "-");
	CHECK_TEXT(told(7, 7, "/j"), "-");
	CHECK_TEXT(told(9, 9, "/other"), "-");
}

TESTS({ "who sends", senders })
