// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets in the ring of a queue of a tap device: those that were taken, and frames of XDP, are none. */
#include "files/tun.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define FILE_AT AT(0)
#define QUEUE AT(1)
#define TUN AT(2)
#define DEVICE AT(3)
#define ENTRIES AT(4)
#define PACKET(i) AT(10 + (i))
#define SIZE 6

static uint64_t file[1] = { QUEUE };
static struct {
	struct {
		uint32_t tail, head, size, unused;
		uint64_t queue;
	} ring;
	uint64_t tun;
} queue;
static uint64_t tun[1] = { DEVICE };
static char device[16] = "tapvm0";
static uint64_t entries[SIZE];
static struct {
	uint64_t next, head;
	uint32_t end, len, truesize, unused;
} packets[2];

static const struct stub_memory memory[] = {
	{ FILE_AT, file, sizeof(file) },
	{ QUEUE, &queue, sizeof(queue) },
	{ TUN, tun, sizeof(tun) },
	{ DEVICE, device, sizeof(device) },
	{ ENTRIES, entries, sizeof(entries) },
	{ PACKET(0), &packets[0], sizeof(packets[0]) },
	{ PACKET(1), &packets[1], sizeof(packets[1]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "tun_fops", AT(90), FIELD(0, 8) }, { 0 } };
static const struct stub_member members[] = {
	{ "struct file", "private_data", KINDED(KIND_POINTER, 0, 8) },
	{ "struct tun_file", "tx_ring", KINDED(KIND_STRUCT, 0, 24) },
	{ "struct tun_file", "tun", KINDED(KIND_POINTER, 24, 8) },
	{ "struct tun_struct", "dev", KINDED(KIND_POINTER, 0, 8) },
	{ "struct net_device", "name", KINDED(KIND_ARRAY, 0, 16) },
	{ "struct ptr_ring", "consumer_tail", FIELD(0, 4) },
	{ "struct ptr_ring", "consumer_head", FIELD(4, 4) },
	{ "struct ptr_ring", "size", FIELD(8, 4) },
	{ "struct ptr_ring", "queue", KINDED(KIND_POINTER, 16, 8) },
	{ "struct sk_buff", "next", KINDED(KIND_POINTER, 0, 8) },
	{ "struct sk_buff", "head", KINDED(KIND_POINTER, 8, 8) },
	{ "struct sk_buff", "end", FIELD(16, 4) },
	{ "struct sk_buff", "len", FIELD(20, 4) },
	{ "struct sk_buff", "truesize", FIELD(24, 4) },
	{ "struct sk_buff", "rbnode", KINDED(KIND_STRUCT, 0, 24) },
	{ "struct sk_buff_head", "next", KINDED(KIND_POINTER, 0, 8) },
	{ "struct sk_buff_head", "qlen", FIELD(16, 4) },
	{ "struct skb_shared_info", "nr_frags", FIELD(0, 1) },
	{ "struct skb_shared_info", "frag_list", KINDED(KIND_POINTER, 8, 8) },
	{ "struct skb_shared_info", "frags", KINDED(KIND_ARRAY, 16, 272) },
	{ "struct skb_frag", "netmem", FIELD(0, 8) },
	{ "struct skb_frag", "len", FIELD(8, 4) },
	{ "struct skb_frag", "offset", FIELD(12, 4) },
	{ "struct rb_node", "__rb_parent_color", FIELD(0, 8) },
	{ "struct rb_node", "rb_right", KINDED(KIND_POINTER, 8, 8) },
	{ "struct rb_node", "rb_left", KINDED(KIND_POINTER, 16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = {
	{ "struct tun_file", 4096 }, { "struct sk_buff", 32 }, { "struct skb_frag", 16 }, { 0 }
};

static enum status read_queue(struct tun_queue *ret)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct tun_queues t;
	uint64_t at;
	enum status st;

	st = tun_queues_find(&s.dump, &t);
	CHECK(st == ST_OK && t.operations == AT(90));
	if (st != ST_OK)
		printf("# %s\n", s.dump.error);
	st = st ?: tun_queue_of_file(&t, FILE_AT, &at);
	CHECK(st == ST_OK && at == QUEUE);
	st = st ?: tun_queue_read(&t, at, ret);
	return st;
}

/* Entries 1 and 2 were taken, and are not cleared yet; 3 is a frame of XDP. */
static void fill(void)
{
	memset(&queue, 0, sizeof(queue));
	queue.ring.tail = 1;
	queue.ring.head = 3;
	queue.ring.size = SIZE;
	queue.ring.queue = ENTRIES;
	queue.tun = TUN;
	memset(entries, 0, sizeof(entries));
	entries[0] = PACKET(1);
	entries[1] = entries[2] = AT(80); /* may be used again: is in no dump */
	entries[3] = AT(81) | 1;
	entries[4] = PACKET(0);
	packets[0].truesize = 2304;
	packets[0].head = AT(30);
	packets[1].truesize = 768;
	packets[1].head = AT(31);
}

static void packets_of_a_ring(void)
{
	struct tun_queue q;

	fill();
	CHECK(read_queue(&q) == ST_OK && q.packets == 2 && q.bytes == 2304 + 768);
	CHECK(q.frames == 1 && !strcmp(q.device, "tapvm0"));
	CHECK(q.first == PACKET(0) && q.head == AT(30));
	queue.tun = 0; /* the device was deleted */
	CHECK(read_queue(&q) == ST_OK && q.packets == 2 && !q.device[0]);
	queue.ring.queue = 0;
	CHECK(read_queue(&q) == ST_OK && !q.packets);
}

static void what_is_damaged(void)
{
	struct tun_queue q;

	fill();
	entries[5] = AT(80);
	CHECK(read_queue(&q) == ST_UNREADABLE && q.packets == 2);
	fill();
	queue.ring.size = 0x7fffffff;
	CHECK(read_queue(&q) == ST_CORRUPT && !q.packets);
}

TESTS({ "packets of a ring", packets_of_a_ring }, { "what is damaged", what_is_damaged })
