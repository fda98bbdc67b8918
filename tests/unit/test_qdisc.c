// SPDX-License-Identifier: GPL-2.0-or-later
/* Packets that wait in queueing disciplines: of queues that share one, of CPUs, of classes below. */
#include "net/queued.h"
#include "stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define AT(i) (BASE + (uint64_t)(i)*0x80)
#define NETS AT(0)
#define NET AT(1)
#define DEVICE AT(2) /* two of them */
#define QUEUES AT(6) /* of the first: three of 32 bytes */
#define QUEUE AT(7)  /* of the second */
#define INGRESS AT(8)
#define HASH (DEVICE + 64)
#define QDISC(i) AT(10 + (i))
#define OPS(i) AT(20 + (i))
#define STATS AT(30) /* of CPU 0; of CPU 1 one further on */
#define OFFSETS AT(40)

static uint64_t words[1024];

static const struct stub_memory memory[] = { { BASE, words, sizeof(words) }, { 0 } };
static const struct stub_symbol symbols[] = {
	{ "net_namespace_list", NETS, FIELD(0, 16) },
	{ "__per_cpu_offset", OFFSETS, KINDED(KIND_ARRAY, 0, 16) },
	{ "nr_cpu_ids", OFFSETS + 16, FIELD(0, 4) },
	{ "__cpu_possible_mask", OFFSETS + 24, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct net", "list", FIELD(0, 16) },
	{ "struct net", "dev_base_head", FIELD(16, 16) },
	{ "struct net_device", "name", KINDED(KIND_ARRAY, 0, 16) },
	{ "struct net_device", "dev_list", FIELD(16, 16) },
	{ "struct net_device", "_tx", FIELD(32, 8) },
	{ "struct net_device", "num_tx_queues", FIELD(40, 4) },
	{ "struct net_device", "ingress_queue", FIELD(48, 8) },
	{ "struct net_device", "qdisc_hash", KINDED(KIND_ARRAY, 64, 16) },
	{ "struct netdev_queue", "qdisc_sleeping", FIELD(8, 8) },
	{ "struct Qdisc", "ops", FIELD(0, 8) },
	{ "struct Qdisc", "handle", FIELD(8, 4) },
	{ "struct Qdisc", "parent", FIELD(12, 4) },
	{ "struct Qdisc", "hash", FIELD(16, 16) },
	{ "struct Qdisc", "q.qlen", FIELD(32, 4) },
	{ "struct Qdisc", "qstats.qlen", FIELD(36, 4) },
	{ "struct Qdisc", "qstats.backlog", FIELD(40, 4) },
	{ "struct Qdisc", "cpu_qstats", FIELD(48, 8) },
	{ "struct Qdisc_ops", "id", KINDED(KIND_ARRAY, 16, 16) },
	{ "struct gnet_stats_queue", "qlen", FIELD(0, 4) },
	{ "struct gnet_stats_queue", "backlog", FIELD(4, 4) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct netdev_queue", 32 },
					    { "struct Qdisc", 128 },
					    { 0 } };

static void put(uint64_t at, uint64_t value)
{
	words[(at - BASE) / 8] = value;
}

static void put_qdisc(unsigned int i, const char *kind, uint32_t handle, uint32_t parent,
		      uint32_t packets, uint32_t bytes)
{
	put(QDISC(i), OPS(i));
	strcpy((char *)&words[(OPS(i) + 16 - BASE) / 8], kind);
	put(QDISC(i) + 8, handle | (uint64_t)parent << 32);
	put(QDISC(i) + 32, packets);
	put(QDISC(i) + 40, bytes);
}

static void list(uint64_t head, uint64_t node)
{
	put(head, node);
	put(head + 8, node);
	put(node, head);
	put(node + 8, head);
}

static void hash(unsigned int head, unsigned int qdisc)
{
	put(HASH + 8 * head, QDISC(qdisc) + 16);
	put(QDISC(qdisc) + 16, 0);
	put(QDISC(qdisc) + 24, HASH + 8 * head);
}

/* eth0: htb of three queues, with a prio and below that a pfifo; eth1: pfifo_fast, counted by CPU, and ingress. */
static void fill(void)
{
	const uint64_t second = DEVICE + 0x100;

	memset(words, 0, sizeof(words));
	list(NETS, NET);
	put(NET + 16, DEVICE + 16);
	put(NET + 24, second + 16);
	put(DEVICE + 16, second + 16);
	put(DEVICE + 24, NET + 16);
	put(second + 16, NET + 16);
	put(second + 24, DEVICE + 16);
	strcpy((char *)&words[(DEVICE - BASE) / 8], "eth0");
	strcpy((char *)&words[(second - BASE) / 8], "eth1");
	put(DEVICE + 32, QUEUES);
	put(DEVICE + 40, 3);
	put(second + 32, QUEUE);
	put(second + 40, 1);
	put(second + 48, INGRESS);
	for (unsigned int i = 0; i < 3; i++)
		put(QUEUES + 32 * i + 8, QDISC(0));
	put(QUEUE + 8, QDISC(3));
	put(INGRESS + 8, QDISC(4));
	put_qdisc(0, "htb", 1 << 16, 0xffffffff, 100, 150000);
	put_qdisc(1, "prio", 2 << 16, 1 << 16 | 0x10, 90, 140000);
	put_qdisc(2, "pfifo", 0xa << 16, 2 << 16 | 1, 80, 130000);
	hash(0, 1);
	hash(1, 2);
	/* What it lists itself is not what it counts. */
	put_qdisc(3, "pfifo_fast", 0, 0xffffffff, 7, 7);
	put(QDISC(3) + 48, STATS);
	put(STATS, (uint64_t)(uint32_t)-5 | (uint64_t)(uint32_t)-900 << 32);
	put(STATS + 0x80, 9 | 1500ULL << 32);
	put_qdisc(4, "ingress", 0xffff0000, 0xfffffff1, 0, 0);
	put(OFFSETS + 8, 0x80);
	put(OFFSETS + 16, 2);
	put(OFFSETS + 24, 3);
}

static struct device_qdisc found[4];
static unsigned int seen;

static enum status keep(void *arg NOT_USED, const struct device_qdisc *q)
{
	CHECK(seen < 4);
	found[seen++] = *q;
	return ST_OK;
}

static enum status walk(void)
{
	STUB(stub, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct qdiscs x;
	enum status st = qdiscs_open(&stub.dump, &x);

	seen = 0;
	return st ?: qdiscs_walk(&x, keep, NULL);
}

static void disciplines_are_found(void)
{
	fill();
	CHECK(walk() == ST_OK && seen == 2);
	CHECK_TEXT(found[0].device.name, "eth0");
	CHECK_TEXT(found[0].root.kind, "htb");
	CHECK(found[0].root.packets == 100 && found[0].root.bytes == 150000);
	/* That of prio is the same again. */
	CHECK_TEXT(found[0].below.kind, "pfifo");
	CHECK(found[0].below.packets == 80);
	CHECK_TEXT(found[1].root.kind, "pfifo_fast");
	CHECK(found[1].root.packets == 4 && found[1].root.bytes == 600);
	CHECK(!found[1].below.address);
	/* What waits to be received. */
	put(QDISC(4) + 32, 3);
	CHECK(walk() == ST_OK && seen == 3 && found[2].is_ingress && found[2].root.packets == 3);
}

static void damage_costs_itself(void)
{
	/* Of one CPU more was taken than all put in. */
	fill();
	put(STATS + 0x80, 1);
	CHECK(walk() == ST_CORRUPT && seen == 1);
	/* A device that is not in the dump ends no other. */
	fill();
	put(QUEUES + 8, BASE - 0x1000);
	CHECK(walk() == ST_UNREADABLE && seen == 1 && !strcmp(found[0].device.name, "eth1"));
	/* Queues of no number that a device has. */
	fill();
	put(DEVICE + 40, 0x10000000);
	CHECK(walk() == ST_CORRUPT && seen == 1);
	/* A list of those below that has no end that is known: the root is told all the same. */
	fill();
	put(QDISC(1) + 24, 8);
	CHECK(walk() == ST_CORRUPT && seen == 2 && found[0].root.packets == 100);
}

static void names(void)
{
	STUB(stub, .memory = memory);
	struct queued q = {
		.queues = 1, .of = { .root = { .kind = "htb", .handle = 1 << 16, .packets = 100 } }
	};

	CHECK_TEXT(queued_name(&stub.dump, &q), "htb 1:");
	q.of.below = (struct qdisc){ .address = 1,
				     .kind = "pfifo",
				     .handle = 0xa << 16,
				     .parent = 1 << 16 | 0x10,
				     .packets = 80 };
	CHECK_TEXT(queued_name(&stub.dump, &q), "htb 1:, 80 of these in pfifo a: of class 1:10");
	q.queues = 4;
	q.of.below = (struct qdisc){ 0 };
	CHECK_TEXT(queued_name(&stub.dump, &q), "htb of 4 queues");
}

TESTS({ "packets of devices", disciplines_are_found },
      { "what is damaged costs itself", damage_costs_itself }, { "names of disciplines", names })
