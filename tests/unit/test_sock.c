// SPDX-License-Identifier: GPL-2.0-or-later
/* What a struct sock says: queues as /proc/net has them, charges, names of unix sockets. */
#include <string.h>

#include "net/sock.h"
#include "stub.h"
#include "test.h"

#define SOCK(i) (0x100000ULL + (i)*0x1000)
#define NAME 0x200000ULL
#define PRODUCERS 0x201000ULL
#define INODE 0x202000ULL
#define NO_BYTES (SOCK(0) + 0x800)

static struct sock_bytes {
	uint16_t family;
	uint8_t state, bypass;
	uint16_t num, peer_port;
	uint64_t prot, socket, backlogged;
	uint16_t type, protocol;
	int32_t rmem, backlog, forward, wmem_queued, wmem_alloc, ack_backlog;
	struct {
		uint64_t next;
		uint32_t qlen, unused;
	} receive, reader;
	/* rcv_nxt, copied_seq, write_seq and snd_una of TCP, the deficit of UDP. */
	uint32_t numbers[4];
	uint64_t address, peer, producers;
	uint32_t address4;
} socks[2];
static struct {
	uint32_t len;
	char bytes[112];
} name;
static uint64_t producers[2], inode[2];

#define AT(member) offsetof(struct sock_bytes, member)
#define OF(member) FIELD(AT(member), sizeof(socks[0].member))

static const struct stub_memory memory[] = { { SOCK(0), &socks[0], sizeof(socks[0]) },
					     { SOCK(1), &socks[1], sizeof(socks[1]) },
					     { NAME, &name, sizeof(name) },
					     { PRODUCERS, producers, sizeof(producers) },
					     { INODE, inode, sizeof(inode) },
					     { 0 } };

#define COMMON(name, member)                                       \
	{                                                          \
		"struct sock", "__sk_common.skc_" name, OF(member) \
	}

static struct stub_member members[] = {
	{ "struct tcp_sock", "copied_seq", OF(numbers[1]) }, /* the first: some tests hide it */
	COMMON("family", family),
	COMMON("state", state),
	COMMON("num", num),
	COMMON("dport", peer_port),
	COMMON("rcv_saddr", address4),
	COMMON("daddr", address4),
	COMMON("prot", prot),
	COMMON("nulls_node", prot),
	{ "struct sock_common", "skc_bypass_prot_mem", BITS(AT(bypass), 1, 2, 1) },
	{ "struct sock", "sk_type", OF(type) },
	{ "struct sock", "sk_protocol", OF(protocol) },
	{ "struct sock", "sk_backlog.rmem_alloc", OF(rmem) },
	{ "struct sock", "sk_backlog.len", OF(backlog) },
	{ "struct sock", "sk_backlog.head", OF(backlogged) },
	{ "struct sock", "sk_forward_alloc", OF(forward) },
	{ "struct sock", "sk_wmem_queued", OF(wmem_queued) },
	{ "struct sock", "sk_wmem_alloc", OF(wmem_alloc) },
	{ "struct sock", "sk_socket", OF(socket) },
	{ "struct sock", "sk_ack_backlog", OF(ack_backlog) },
	{ "struct sock", "sk_receive_queue", OF(receive) },
	{ "struct sock", "sk_error_queue", OF(receive) },
	{ "struct sock", "sk_write_queue", OF(receive) },
	{ "struct tcp_sock", "rcv_nxt", OF(numbers[0]) },
	{ "struct tcp_sock", "write_seq", OF(numbers[2]) },
	{ "struct tcp_sock", "snd_una", OF(numbers[3]) },
	{ "struct tcp_sock", "out_of_order_queue", OF(peer) },
	{ "struct udp_sock", "reader_queue", OF(reader) },
	{ "struct udp_sock", "forward_deficit", OF(numbers[0]) },
	{ "struct udp_sock", "udp_prod_queue", OF(producers) },
	{ "struct udp_prod_queue", "ll_root", FIELD(0, 8) },
	{ "struct unix_sock", "addr", OF(address) },
	{ "struct unix_sock", "peer", OF(peer) },
	{ "struct unix_address", "len", FIELD(0, 4) },
	{ "struct unix_address", "name", FIELD(4, 110) },
	{ "struct socket_alloc", "socket", FIELD(0, 8) },
	{ "struct socket_alloc", "vfs_inode", FIELD(8, 8) },
	{ "struct socket", "sk", FIELD(0, 8) },
	{ "struct sk_buff_head", "next", FIELD(0, 8) },
	{ "struct sk_buff_head", "qlen", FIELD(8, 4) },
	/* Packets, which no socket of this test has. */
	{ "struct sk_buff", "next", FIELD(0, 8) },
	{ "struct sk_buff", "rbnode", FIELD(0, 24) },
	{ "struct sk_buff", "len", FIELD(24, 4) },
	{ "struct sk_buff", "truesize", FIELD(28, 4) },
	{ "struct sk_buff", "head", FIELD(32, 8) },
	{ "struct sk_buff", "end", FIELD(40, 4) },
	{ "struct skb_shared_info", "nr_frags", FIELD(0, 1) },
	{ "struct skb_shared_info", "frag_list", FIELD(8, 8) },
	{ "struct skb_shared_info", "frags", FIELD(16, 272) },
	{ "struct skb_frag", "netmem", FIELD(0, 8) },
	{ "struct skb_frag", "len", FIELD(8, 4) },
	{ "struct skb_frag", "offset", FIELD(12, 4) },
	{ "struct rb_node", "rb_left", FIELD(16, 8) },
	{ "struct rb_node", "rb_right", FIELD(8, 8) },
	{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct sk_buff", 48 }, { "struct skb_frag", 16 }, { "struct udp_prod_queue", 8 }, { 0 }
};

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
	stub = (struct stub){ .memory = memory, .members = members, .sizes = sizes };
	stub_open(&stub);
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
	stub_close(&stub);
}

static enum status see_packet(void *arg, const struct skb *skb)
{
	(void)arg;
	(void)skb;
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
	stub_close(&stub);
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
	stub_close(&stub);
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
	stub_close(&stub);
}

TESTS({ "queues and charges of TCP", tcp }, { "queues of UDP", udp },
      { "names of unix sockets", unix_names }, { "the socket of an inode", inodes })
