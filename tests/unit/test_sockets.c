// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets of sockets: queues, trees and chains that are damaged, the parts of a packet, addresses. */
#include <string.h>

#include "net/sock.h"
#include "stub.h"
#include "test.h"

#define PACKETS 6
#define SKB(i) (0x100000ULL + (i)*0x1000)
#define HEAD(i) (0x200000ULL + (i)*0x1000)
#define QUEUE 0x300000ULL
#define ROOT 0x300100ULL
#define PAGE(i) (0xea0000ULL + (i)*64)

/* next and the rb_node overlay, as in struct sk_buff. */
struct packet {
	uint64_t next_or_parent, right, left;
	uint64_t head;
	uint32_t len, truesize, end;
};

struct shared {
	uint8_t nr_frags, pad[7];
	uint64_t frag_list;
	struct {
		uint64_t page;
		uint32_t len, offset;
	} frags[3];
};

static struct packet packets[PACKETS];
static struct {
	uint8_t data[64];
	struct shared shared;
} heads[PACKETS];
#define DEEP(i) (0x400000ULL + (i) * sizeof(struct packet))
static struct packet deep[80];
static struct {
	uint64_t next;
	uint32_t qlen;
} queue;
static uint64_t root;

#define PACKET_MEMBERS                                                                           \
	{ "struct sk_buff", "next", FIELD(0, 8) }, { "struct sk_buff", "rbnode", FIELD(0, 24) }, \
		{ "struct sk_buff", "head", FIELD(24, 8) },                                      \
		{ "struct sk_buff", "len", FIELD(32, 4) },                                       \
		{ "struct sk_buff", "truesize", FIELD(36, 4) },                                  \
		{ "struct sk_buff", "end", FIELD(40, 4) },                                       \
		{ "struct skb_shared_info", "nr_frags", FIELD(0, 1) },                           \
		{ "struct skb_shared_info", "frag_list", FIELD(8, 8) },                          \
		{ "struct skb_shared_info", "frags", FIELD(16, 48) },                            \
		{ "struct sk_buff_head", "next", FIELD(0, 8) },                                  \
		{ "struct sk_buff_head", "qlen", FIELD(8, 4) },                                  \
		{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },                          \
		{ "struct rb_node", "rb_right", FIELD(8, 8) },                                   \
	{                                                                                        \
		"struct rb_node", "rb_left", FIELD(16, 8)                                        \
	}

static const struct stub_member members[] = {
	PACKET_MEMBERS,
	{ "struct skb_frag", "netmem", FIELD(0, 8) },
	{ "struct skb_frag", "len", FIELD(8, 4) },
	{ "struct skb_frag", "offset", FIELD(12, 4) },
	{ 0 },
};
/* As of 5.10: skb_frag_t is a struct bio_vec, whose length is before its offset. */
static const struct stub_member old_members[] = {
	PACKET_MEMBERS,
	{ "struct bio_vec", "bv_page", FIELD(0, 8) },
	{ "struct bio_vec", "bv_len", FIELD(8, 4) },
	{ "struct bio_vec", "bv_offset", FIELD(12, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct sk_buff", sizeof(struct packet) },
	{ "struct skb_frag", 16 },
	{ "struct bio_vec", 16 },
	{ 0 },
};

#define MEMORY(i)                                    \
	{ SKB(i), &packets[i], sizeof(packets[i]) }, \
	{                                            \
		HEAD(i), &heads[i], sizeof(heads[i]) \
	}
static const struct stub_memory memory[] = {
	MEMORY(0),
	MEMORY(1),
	MEMORY(2),
	MEMORY(3),
	MEMORY(4),
	/* Of the last one the buffer is not in the dump. */
	{ SKB(5), &packets[5], sizeof(packets[5]) },
	{ DEEP(0), deep, sizeof(deep) },
	{ QUEUE, &queue, sizeof(queue) },
	{ ROOT, &root, sizeof(root) },
	{ 0 },
};

struct seen {
	struct skbs skbs;
	unsigned int packets, fragments;
	uint64_t truesize, order[PACKETS + 2], page, offset, bytes;
};

static enum status see_head(void *arg NOT_USED, uint64_t address, uint64_t bytes, bool is_kmalloc)
{
	CHECK(address >= HEAD(0) && bytes == 64 + 64 && !is_kmalloc);
	return ST_OK;
}

static enum status see_fragment(void *arg, uint64_t page, uint64_t offset, uint64_t bytes)
{
	struct seen *seen = arg;

	seen->fragments++;
	seen->page = page;
	seen->offset = offset;
	seen->bytes += bytes;
	return ST_OK;
}

static enum status see_packet(void *arg, const struct skb *skb)
{
	struct seen *seen = arg;
	const struct skb_memory m = { see_head, see_fragment, seen };

	if (seen->packets < PACKETS + 2)
		seen->order[seen->packets] = skb->address;
	seen->packets++;
	seen->truesize += skb->truesize;
	return skb_memory_walk(&seen->skbs, skb, &m);
}

typedef enum status walk(struct skbs *s, uint64_t at, skb_visit *visit, void *arg);

static enum status walk_with(const struct stub_member *with, walk *walk, uint64_t at,
			     struct seen *seen)
{
	STUB(s, .memory = memory, .members = with, .sizes = sizes);
	enum status st;

	memset(seen, 0, sizeof(*seen));
	st = skbs_open(&s.dump, &seen->skbs);
	CHECK(st == ST_OK);
	if (st == ST_OK)
		st = walk(&seen->skbs, at, see_packet, seen);
	return st;
}

static enum status walk_all(walk *w, uint64_t at, struct seen *seen)
{
	return walk_with(members, w, at, seen);
}

/* A queue of three packets, the second with a fragment. */
static void make_queue(void)
{
	memset(heads, 0, sizeof(heads));
	for (unsigned int i = 0; i < PACKETS; i++)
		packets[i] = (struct packet){ SKB(i + 1), 0, 0, HEAD(i), 100, 1000 + i, 64 };
	packets[2].next_or_parent = QUEUE;
	heads[1].shared.nr_frags = 1;
	heads[1].shared.frags[0].page = PAGE(7);
	heads[1].shared.frags[0].len = 3000;
	heads[1].shared.frags[0].offset = 4096;
	queue.next = SKB(0);
	queue.qlen = 3;
}

static void queues(void)
{
	struct seen seen;

	make_queue();
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_OK && seen.packets == 3);
	CHECK(seen.truesize == 3003 && seen.fragments == 1);
	CHECK(seen.page == PAGE(7) && seen.offset == 4096 && seen.bytes == 3000);
	/* Another form of the fragment. */
	CHECK(walk_with(old_members, skb_queue_walk, QUEUE, &seen) == ST_OK);
	CHECK(seen.page == PAGE(7) && seen.offset == 4096 && seen.bytes == 3000);
	/* An empty one, and one that was never used. */
	queue.next = QUEUE;
	queue.qlen = 0;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_OK && !seen.packets);
	queue.next = 0;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_OK && !seen.packets);
}

static void damaged_queues(void)
{
	struct seen seen;

	/* It turns back to its own packet, is longer, or shorter, than it counts. */
	make_queue();
	packets[2].next_or_parent = SKB(1);
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && seen.packets == 3);
	make_queue();
	queue.qlen = 2;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && seen.packets == 2);
	queue.qlen = 4;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && seen.packets == 3);
	queue.qlen = 1U << 31;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && !seen.packets);
	/* A packet is missing, another has a buffer that cannot be. */
	make_queue();
	packets[0].next_or_parent = 0x999000;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_UNREADABLE && seen.packets == 1);
	make_queue();
	packets[1].end = 1U << 30;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && seen.packets == 1);
	packets[1].end = 64;
	packets[1].truesize = 0;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && seen.packets == 1);
	CHECK(walk_all(skb_queue_walk, 0x999000, &seen) == ST_UNREADABLE);
}

static void parts(void)
{
	struct seen seen;

	/* More fragments than there is room for. */
	make_queue();
	heads[1].shared.nr_frags = 4;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT && !seen.fragments);
	/* Memory of a device is not of a page. */
	make_queue();
	heads[1].shared.frags[0].page = PAGE(7) | 1;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_OK && !seen.fragments);
	/* Packets of a packet are part of it: their truesize is in that of the first. */
	make_queue();
	heads[0].shared.frag_list = SKB(3);
	packets[4].next_or_parent = 0;
	heads[4].shared.nr_frags = 2;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_OK && seen.packets == 3);
	CHECK(seen.truesize == 3003 && seen.fragments == 3);
	/* They form a circle, or have packets of their own; a buffer is missing. */
	packets[4].next_or_parent = SKB(3);
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT);
	packets[4].next_or_parent = 0;
	heads[3].shared.frag_list = SKB(4);
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_CORRUPT);
	make_queue();
	heads[0].shared.frag_list = SKB(5);
	packets[5].next_or_parent = 0;
	CHECK(walk_all(skb_queue_walk, QUEUE, &seen) == ST_UNREADABLE && seen.packets == 1);
}

/* Packet 1 with 0 and 3 below it, 2 left of 3; the low bit of the parent is the color. */
static void make_tree(void)
{
	make_queue();
	heads[1].shared.nr_frags = 0;
	root = SKB(1);
	packets[1].next_or_parent = 1;
	packets[1].left = SKB(0);
	packets[1].right = SKB(3);
	packets[0].next_or_parent = SKB(1) | 1;
	packets[3].next_or_parent = SKB(1) | 1;
	packets[3].left = SKB(2);
	packets[2].next_or_parent = SKB(3);
}

static void trees(void)
{
	struct seen seen;

	make_tree();
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_OK && seen.packets == 4);
	for (unsigned int i = 0; i < 4; i++)
		CHECK(seen.order[i] == SKB(i));
	root = 0;
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_OK && !seen.packets);
	/* A node is below two others, or below itself, or left and right of one. */
	make_tree();
	packets[3].right = SKB(2);
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_CORRUPT && seen.packets == 2);
	make_tree();
	packets[3].right = SKB(0);
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_CORRUPT);
	make_tree();
	packets[2].left = SKB(1);
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_CORRUPT);
	make_tree();
	/* The others are visited all the same. */
	packets[2].right = 0x999000;
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_UNREADABLE && seen.packets == 4);
}

/* No tree of the kernel is as deep, each node left of the one above it. */
static void deep_trees(void)
{
	struct seen seen;

	for (unsigned int i = 0; i < 80; i++) {
		deep[i] = packets[0];
		deep[i].next_or_parent = i ? DEEP(i - 1) : 0;
		deep[i].left = i < 79 ? DEEP(i + 1) : 0;
		deep[i].right = 0;
	}
	root = DEEP(0);
	CHECK(walk_all(skb_tree_walk, ROOT, &seen) == ST_CORRUPT && !seen.packets);
}

static void chains(void)
{
	struct seen seen;

	make_queue();
	packets[2].next_or_parent = 0;
	CHECK(walk_all(skb_chain_walk, SKB(0), &seen) == ST_OK && seen.packets == 3);
	CHECK(walk_all(skb_chain_walk, 0, &seen) == ST_OK && !seen.packets);
	packets[2].next_or_parent = SKB(0);
	CHECK(walk_all(skb_chain_walk, SKB(0), &seen) == ST_CORRUPT);
	packets[2].next_or_parent = 0x999000;
	CHECK(walk_all(skb_chain_walk, SKB(0), &seen) == ST_UNREADABLE && seen.packets == 3);
}

static bool inet6_is(const char *bytes, const char *expected)
{
	struct sock sock = { .family = FAMILY_INET6, .has_address6 = true, .port = 80 };
	char buf[SOCK_NAME];

	memcpy(sock.address6, bytes, 16);
	return sock_local_text(NULL, &sock, buf) && !strcmp(buf, expected);
}

static void addresses(void)
{
	struct sock sock = { .family = FAMILY_INET,
			     .port = 5140,
			     .peer_port = 65535,
			     .address4 = { 127, 0, 0, 1 },
			     .peer_address4 = { 10, 0, 2, 255 } };
	char buf[SOCK_NAME];

	CHECK(sock_local_text(NULL, &sock, buf) && !strcmp(buf, "127.0.0.1:5140"));
	CHECK(sock_peer_text(NULL, &sock, buf) && !strcmp(buf, "10.0.2.255:65535"));
	sock.family = FAMILY_PACKET;
	CHECK(!sock_local_text(NULL, &sock, buf));
	CHECK(inet6_is("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "[::]:80"));
	CHECK(inet6_is("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", "[::1]:80"));
	CHECK(inet6_is("\0\0\0\0\0\0\0\0\0\0\xff\xff\x7f\0\0\1", "[::ffff:127.0.0.1]:80"));
	CHECK(inet6_is("\xfe\x80\0\0\0\0\0\0\x50\x54\0\xff\xfe\x12\x34\x56",
		       "[fe80::5054:ff:fe12:3456]:80"));
	/* The first of two runs of the same length; one zero alone is no run. */
	CHECK(inet6_is("\x20\1\0\0\0\0\0\1\0\0\0\0\0\1\0\0", "[2001::1:0:0:1:0]:80"));
	CHECK(inet6_is("\x20\1\0\1\0\1\0\0\0\1\0\1\0\0\0\0", "[2001:1:1:0:1:1::]:80"));
	CHECK(inet6_is("\0\1\0\2\0\3\0\4\0\5\0\6\0\7\0\x8", "[1:2:3:4:5:6:7:8]:80"));
}

TESTS({ "queues of packets, two forms of a fragment", queues },
      { "queues that are damaged", damaged_queues }, { "parts of a packet", parts },
      { "trees of packets", trees }, { "trees that are too deep", deep_trees },
      { "chains of packets", chains }, { "addresses of sockets", addresses })
