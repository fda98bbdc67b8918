// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that wait in the queue of a unix socket, and the socket that sent them. */
#include <string.h>

#include "net/scm.h"
#include "sock_stub.h"
#include "test.h"

#define SOCK(i) (0x100000ULL + (i)*0x1000)
#define FILES 0x200000ULL
#define INODE(i) (0x300008ULL + (i)*0x1000) /* behind its struct socket */
#define SOCKET(i) (INODE(i) - 8)
#define SKB(i) (0x400000ULL + (i)*0x1000)
#define DATA 0x500000ULL
#define OPERATIONS 0x600000ULL
#define QUEUE (SOCK(0) + SOCK_AT(receive))

static struct sock_bytes socks[2];	   /* the one that has a queue, and who sends to it */
static uint64_t skbs[2][8], sockets[2][3]; /* of a socket: sock, inode, operations */
static uint64_t operations;
static struct {
	uint16_t count;
	uint64_t files[2];
} list;

static uint64_t data[40]; /* packets without any */

static const struct stub_memory memory[] = { { DATA, data, sizeof(data) },
					     { SOCK(0), &socks[0], sizeof(socks[0]) },
					     { SOCK(1), &socks[1], sizeof(socks[1]) },
					     { SOCKET(0), sockets[0], sizeof(sockets[0]) },
					     { SOCKET(1), sockets[1], sizeof(sockets[1]) },
					     { SKB(0), skbs[0], sizeof(skbs[0]) },
					     { SKB(1), skbs[1], sizeof(skbs[1]) },
					     { FILES, &list, sizeof(list) },
					     { 0 } };

static const struct stub_member members[] = {
	SOCK_MEMBERS,
	{ "struct tcp_sock", "copied_seq", SOCK_OF(numbers[1]) },
	{ "struct scm_fp_list", "count", FIELD(0, 2) },
	{ "struct scm_fp_list", "fp", FIELD(8, 16) },
	{ "struct unix_skb_parms", "fp", FIELD(0, 8) },
	{ "struct sk_buff", "cb", FIELD(48, 8) },
	{ "struct sk_buff", "sk", FIELD(56, 8) },
	{ "struct socket", "ops", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "inet6_stream_ops", OPERATIONS, FIELD(0, 8) },
					      { 0 } };
static const struct stub_number sizes[] = { SOCK_SIZES, { 0 } };

static struct {
	unsigned int n;
	uint64_t files[4], senders[4];
} seen;

static enum status visit(void *arg NOT_USED, uint64_t file, uint64_t sender)
{
	seen.files[seen.n] = file;
	seen.senders[seen.n++] = sender;
	return ST_OK;
}

/* Two messages, the first with two files. */
static enum status walk(uint64_t sender)
{
	STUB(stub, .memory = memory, .members = members, .sizes = sizes, .symbols = symbols);
	struct scm s;

	memset(&seen, 0, sizeof(seen));
	for (unsigned int i = 0; i < 2; i++) {
		socks[i] = (struct sock_bytes){ .family = FAMILY_UNIX,
						.state = 1,
						.type = 5,
						.socket = SOCKET(i),
						.prot = 0x5000 };
		sockets[i][0] = SOCK(i);
		sockets[i][2] = operations;
		skbs[i][0] = i ? QUEUE : SKB(1);
		skbs[i][3] = 768ULL << 32;
		skbs[i][4] = DATA;
		skbs[i][5] = 64;
		skbs[i][6] = i ? 0 : FILES;
		skbs[i][7] = sender;
	}
	socks[0].receive.next = SKB(0);
	socks[0].receive.qlen = 2;
	list.count = 2;
	list.files[0] = 0x1000;
	list.files[1] = 0x2000;
	CHECK(scm_open(&stub.dump, &s) == ST_OK);
	return scm_walk(&s, INODE(0), visit, NULL);
}

static void senders(void)
{
	CHECK(walk(SOCK(1)) == ST_OK);
	CHECK(seen.n == 2 && seen.files[0] == 0x1000 && seen.files[1] == 0x2000);
	CHECK(seen.senders[0] == INODE(1) && seen.senders[1] == INODE(1));
	/* It was closed, or is not in the dump: the files are there all the same. */
	CHECK(walk(0) == ST_OK && seen.n == 2 && !seen.senders[0]);
	CHECK(walk(0x900000) == ST_OK && seen.n == 2 && !seen.senders[0]);
}

/* The operations of TCP and UDP spare the struct sock; of others it is read. */
static void operations_say_the_family(void)
{
	operations = OPERATIONS;
	CHECK(walk(SOCK(1)) == ST_OK && !seen.n);
	operations = OPERATIONS + 8;
	CHECK(walk(SOCK(1)) == ST_OK && seen.n == 2);
	operations = 0;
	CHECK(walk(SOCK(1)) == ST_OK && seen.n == 2);
}

TESTS({ "the family by operations", operations_say_the_family },
      { "files in flight, and who sent them", senders })
