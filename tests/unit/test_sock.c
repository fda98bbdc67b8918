// SPDX-License-Identifier: GPL-2.0-or-later
/* What a struct sock says: queues as /proc/net has them, charges, names of unix sockets. */
#include <string.h>

#include "net/sock.h"
#include "sock_stub.h"
#include "test.h"

#define SOCK(i) (0x100000ULL + (i)*0x1000)
#define NAME 0x200000ULL
#define PRODUCERS 0x201000ULL
#define INODE 0x202000ULL
#define NO_BYTES (SOCK(0) + 0x800)

static struct sock_bytes socks[2];
static struct {
	uint32_t len;
	char bytes[112];
} name;
static uint64_t producers[2], inode[2];

static const struct stub_memory memory[] = { { SOCK(0), &socks[0], sizeof(socks[0]) },
					     { SOCK(1), &socks[1], sizeof(socks[1]) },
					     { NAME, &name, sizeof(name) },
					     { PRODUCERS, producers, sizeof(producers) },
					     { INODE, inode, sizeof(inode) },
					     { 0 } };

static struct stub_member members[] = {
	{ "struct tcp_sock", "copied_seq",
	  SOCK_OF(numbers[1]) }, /* the first: some tests hide it */
	SOCK_MEMBERS,
	{ 0 },
};
static const struct stub_number sizes[] = { SOCK_SIZES, { 0 } };

static struct stub stub;
static struct socks s;

static void begin(unsigned int family, unsigned int type, unsigned int protocol)
{
	memset(socks, 0, sizeof(socks));
	for (unsigned int i = 0; i < 2; i++) {
		socks[i].family = (uint16_t)family;
		socks[i].type = (uint16_t)type;
		socks[i].protocol = (uint16_t)protocol;
		socks[i].state = 1;
		socks[i].prot = 0x5000;
	}
	STUB_OPEN(stub, .memory = memory, .members = members, .sizes = sizes);
	CHECK(socks_open(&stub.dump, &s) == ST_OK);
}

static void tcp(void)
{
	struct sock sock = { .state = 99 };

	begin(FAMILY_INET, SOCKET_STREAM, PROTOCOL_TCP);
	memcpy(socks[0].numbers, (uint32_t[]){ 500, 400, 90, 20 }, 16);
	socks[0].wmem_alloc = 1001;
	socks[0].forward = -8;
	socks[0].ack_backlog = 3;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.kind == SOCK_TCP && sock.has_queues);
	CHECK(sock.rx_queue == 100 && sock.tx_queue == 70 && sock.wmem == 1000 &&
	      sock.forward == -8);
	CHECK(!sock.bypasses);
	/* A FIN that was read counts in one of the two only. */
	socks[0].numbers[1] = 501;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && !sock.rx_queue);
	socks[0].state = STATE_LISTEN;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.rx_queue == 3);
	socks[0].bypass = 4;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.bypasses);
	/* Without one of the four, the others say nothing. */
	members[0].name = "none";
	CHECK(socks_open(&stub.dump, &s) == ST_OK);
	members[0].name = "copied_seq";
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.kind == SOCK_OTHER &&
	      !sock.has_queues);
	sock.state = 99;
	socks[0].state = 32;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_CORRUPT && sock.state == 99);
	socks[0].state = 1;
	socks[0].family = 256;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_CORRUPT && sock.state == 99);
}

static enum status see_packet(void *arg NOT_USED, const struct skb *skb NOT_USED)
{
	return ST_OK;
}

static void udp(void)
{
	struct sock sock;

	begin(FAMILY_INET, SOCKET_DGRAM, PROTOCOL_UDP);
	socks[0].rmem = 5000;
	socks[0].wmem_alloc = 1;
	socks[0].numbers[0] = 1200;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.kind == SOCK_UDP && sock.has_queues);
	CHECK(sock.rx_queue == 3800 && !sock.tx_queue);
	CHECK(sock_queue_walk(&s, &sock, SOCK_QUEUE_RECEIVE, see_packet, NULL) == ST_OK);
	/* The queue of the reader is walked as well; packets between two queues are not lost silently. */
	socks[0].reader.qlen = 1;
	socks[0].reader.next = NO_BYTES;
	CHECK(sock_queue_walk(&s, &sock, SOCK_QUEUE_RECEIVE, see_packet, NULL) == ST_UNREADABLE);
	socks[0].reader.qlen = 0;
	socks[0].reader.next = 0;
	socks[0].producers = PRODUCERS;
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK);
	CHECK(sock_queue_walk(&s, &sock, SOCK_QUEUE_RECEIVE, see_packet, NULL) == ST_OK);
	producers[0] = SOCK(0);
	CHECK(sock_queue_walk(&s, &sock, SOCK_QUEUE_RECEIVE, see_packet, NULL) == ST_UNKNOWN);
	producers[0] = 0;
}

static const char *name_of(const char *bytes, uint32_t n)
{
	static char buf[SOCK_NAME];
	struct sock sock;

	memset(&name, 0, sizeof(name));
	name.len = 2 + n;
	memcpy(name.bytes + 2, bytes, n);
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.kind == SOCK_UNIX);
	return sock_local_text(&s, &sock, buf) ? buf : "unknown";
}

static void unix_names(void)
{
	struct sock sock;
	char buf[SOCK_NAME], longest[109];

	begin(FAMILY_UNIX, SOCKET_STREAM, 0);
	socks[0].address = NAME;
	CHECK_TEXT(name_of("/run/log.sock\0rest", 18), "/run/log.sock");
	CHECK_TEXT(name_of("\0ab\0c", 5), "@ab@c");
	CHECK_TEXT(name_of("a\033b", 3), "a?b");
	CHECK_TEXT(name_of("", 0), "unknown");
	memset(longest, 'a', sizeof(longest));
	CHECK_TEXT(name_of(longest, 109), "unknown");
	CHECK(strlen(name_of(longest, 108)) == 108);
	/* The peer has the name of its own. */
	name_of("/peer", 6);
	socks[1].peer = SOCK(0);
	CHECK(sock_read(&s, SOCK(1), &sock) == ST_OK && sock_local_text(&s, &sock, buf) && !buf[0]);
	CHECK(sock_peer_text(&s, &sock, buf));
	CHECK_TEXT(buf, "/peer");
	CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock_peer_text(&s, &sock, buf) && !buf[0]);
	socks[1].peer = NO_BYTES;
	CHECK(sock_read(&s, SOCK(1), &sock) == ST_OK && !sock_peer_text(&s, &sock, buf));
}

static void inodes(void)
{
	uint64_t sock = 99;

	begin(FAMILY_UNIX, SOCKET_STREAM, 0);
	inode[0] = SOCK(1);
	CHECK(sock_of_inode(&s, INODE + 8, &sock) == ST_OK && sock == SOCK(1));
	/* It was released. */
	inode[0] = 0;
	CHECK(sock_of_inode(&s, INODE + 8, &sock) == ST_ABSENT && sock == SOCK(1));
}

/* Up to 5.5 type and protocol are bits of one word, which other bits and a count of segments stand beside. */
static void types_of_bits(void)
{
	static const struct field word[] = { BITS(SOCK_AT(type), 4, 16, 16),
					     BITS(SOCK_AT(type), 4, 8, 8) };
	const struct {
		uint32_t word;
		enum sock_kind kind;
	} words[] = { { 1 << 16 | 6 << 8 | 0xff, SOCK_TCP },
		      { 2 << 16 | 17 << 8 | 0xf1, SOCK_UDP } };
	struct stub_member *type = NULL, *protocol = NULL;
	struct stub_member kept[2];
	struct sock sock;

	for (struct stub_member *m = members; m->type; m++) {
		type = !strcmp(m->name, "sk_type") ? m : type;
		protocol = !strcmp(m->name, "sk_protocol") ? m : protocol;
	}
	CHECK(type && protocol);
	kept[0] = *type;
	kept[1] = *protocol;
	type->field = word[0];
	protocol->field = word[1];
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		begin(FAMILY_INET, 0, 0);
		memcpy(&socks[0].type, &words[i].word, 4);
		CHECK(sock_read(&s, SOCK(0), &sock) == ST_OK && sock.kind == words[i].kind);
		CHECK(sock.type == (i ? 2 : 1) && sock.protocol == (i ? 17 : 6));
	}
	*type = kept[0];
	*protocol = kept[1];
}

TESTS({ "queues and charges of TCP", tcp }, { "queues of UDP", udp },
      { "names of unix sockets", unix_names }, { "the socket of an inode", inodes },
      { "types and protocols of bits", types_of_bits })
