// SPDX-License-Identifier: GPL-2.0-or-later
/* Hash tables of TCP connections, and the list of protocols. */
#include <string.h>

#include "net/sock_protocols.h"
#include "net/sock.h"
#include "stub.h"
#include "test.h"

/* Two tables of four buckets, the second of a namespace of its own; sockets with a node and a state. */
#define INFO(i) (0x400000ULL + (i)*0x100)
#define BUCKETS(i) (0x401000ULL + (i)*0x100)
#define SOCK(i) (0x402000ULL + (i)*16)
#define NETS 0x403000ULL
#define NET(i) (0x403100ULL + (i)*0x100)
#define CONNECTIONS 6

static struct {
	uint64_t ehash;
	uint32_t mask;
} infos[2];
static uint64_t buckets[2][4];
static struct {
	uint64_t next;
	uint8_t state, pad[7];
} socks[CONNECTIONS];
static uint64_t nets[2], net[2][3]; /* list, hashinfo */

static const struct stub_member hash_members[] = {
	{ "struct inet_hashinfo", "ehash", FIELD(0, 8) },
	{ "struct inet_hashinfo", "ehash_mask", FIELD(8, 4) },
	{ "struct net", "list", FIELD(0, 8) },
	{ "struct net", "ipv4.tcp_death_row.hashinfo", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_symbol hash_symbols[] = { { "tcp_hashinfo", INFO(0), FIELD(0, 16) },
						   { "net_namespace_list", NETS, FIELD(0, 16) },
						   { 0 } };
static const struct stub_memory hash_memory[] = { { INFO(0), &infos[0], 16 },
						  { INFO(1), &infos[1], 16 },
						  { BUCKETS(0), buckets[0], 32 },
						  { BUCKETS(1), buckets[1], 32 },
						  { SOCK(0), socks, sizeof(socks) },
						  { NETS, nets, 16 },
						  { NET(0), net[0], 24 },
						  { NET(1), net[1], 24 },
						  { 0 } };

/* Table 0: 0 and 1 in a bucket, 2 in TIME_WAIT and 3 in another; table 1: 4, and 5 as a request. */
static void make_tables(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		infos[i].ehash = BUCKETS(i);
		infos[i].mask = 3;
		for (unsigned int k = 0; k < 4; k++)
			buckets[i][k] = 2 * k + 1;
		net[i][0] = i ? NETS : NET(1);
		net[i][1] = i ? NET(0) : NETS;
		net[i][2] = INFO(i);
	}
	nets[0] = NET(0);
	nets[1] = NET(1);
	for (unsigned int i = 0; i < CONNECTIONS; i++) {
		socks[i].next = i % 2 ? 1 : SOCK(i + 1);
		socks[i].state = 1;
	}
	socks[2].state = STATE_TIME_WAIT;
	socks[5].state = STATE_NEW_SYN_RECV;
	buckets[0][0] = SOCK(0);
	buckets[0][3] = SOCK(2);
	buckets[1][1] = SOCK(4);
}

/* A bit for each. */
static enum status see_sock(void *arg, uint64_t sock, unsigned int state)
{
	if (state == STATE_TIME_WAIT)
		return ST_OK;
	*(unsigned int *)arg |= 1U << (sock - SOCK(0)) / 16;
	return ST_OK;
}

static enum status walk_hash(unsigned int *seen)
{
	STUB(s, .memory = hash_memory, .members = hash_members, .symbols = hash_symbols);
	static const struct layout_row state_row[] = { READS(struct sock, state, REQUIRED, "all",
							     "state") };
	struct field state = FIELD(8, 1);
	struct socks with = { .dump = &s.dump, .ends = { .rows = state_row, .f = &state, .n = 1 } };
	enum status st;

	*seen = 0;
	st = tcp_hash_walk(&with, see_sock, seen);
	CHECK(s.reads < 1000);
	if (s.dump.tcp_hash) {
		const unsigned int first = *seen;
		const unsigned long reads = s.reads;

		/* Who asks again is told the same, with what is damaged, and nothing is read again. */
		*seen = 0;
		CHECK(tcp_hash_walk(&with, see_sock, seen) == st && *seen == first &&
		      s.reads == reads);
	}
	return st;
}

static enum status stop(void *arg, uint64_t sock NOT_USED, unsigned int state NOT_USED)
{
	++*(unsigned int *)arg;
	return ST_STOPPED;
}

/* Of a walk that was interrupted nothing is kept. */
static void an_interrupted_walk(void)
{
	STUB(s, .memory = hash_memory, .members = hash_members, .symbols = hash_symbols);
	static const struct layout_row state_row[] = { READS(struct sock, state, REQUIRED, "all",
							     "state") };
	struct field state = FIELD(8, 1);
	struct socks with = { .dump = &s.dump, .ends = { .rows = state_row, .f = &state, .n = 1 } };
	unsigned int seen = 0;

	make_tables();
	CHECK(tcp_hash_walk(&with, stop, &seen) == ST_STOPPED && seen == 1 && !s.dump.tcp_hash);
	CHECK(tcp_hash_walk(&with, see_sock, &seen) == ST_OK && s.dump.tcp_hash);
	seen = 0;
	CHECK(tcp_hash_walk(&with, stop, &seen) == ST_STOPPED && seen == 1);
}

static void connections(void)
{
	unsigned int seen;

	make_tables();
	CHECK(walk_hash(&seen) == ST_OK && seen == 0x1b);
	/* Both namespaces have the same table: it is read once. */
	net[1][2] = INFO(0);
	CHECK(walk_hash(&seen) == ST_OK && seen == 0xb);
	/* A chain is a loop, ends in NULL, or leaves the dump: the others are read. */
	make_tables();
	socks[1].next = SOCK(0);
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x1b);
	socks[1].next = 0;
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x1b);
	socks[1].next = 0x999000;
	CHECK(walk_hash(&seen) == ST_UNREADABLE && seen == 0x1b);
	/* So is one that loops behind its first socket. */
	socks[1].next = SOCK(1);
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x1b);
	/* A chain that leads into another one, whose sockets are seen once. */
	socks[1].next = SOCK(2);
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x1b);
	/* A table that cannot be, and one that is not in this dump. */
	make_tables();
	infos[0].mask = 4;
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x10);
	infos[0].mask = UINT32_MAX;
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x10);
	make_tables();
	infos[0].ehash = 0x999000;
	CHECK(walk_hash(&seen) == ST_UNREADABLE && seen == 0x10);
	infos[0].ehash = 0;
	CHECK(walk_hash(&seen) == ST_OK && seen == 0x10);
	/* The list of namespaces breaks off, or is a loop: the other is found from its end. */
	make_tables();
	net[0][0] = 0x999000;
	CHECK(walk_hash(&seen) == ST_UNREADABLE && seen == 0x1b);
	net[0][0] = NET(0);
	CHECK(walk_hash(&seen) == ST_CORRUPT && seen == 0x1b);
}

/* A protocol with a counter, of which two CPUs have not added a part; one without a counter. */
#define LIST 0x500000ULL
#define PROTO(i) (0x500100ULL + (i)*0x100)
#define COUNTER 0x500400ULL
#define RESERVE 0x10000ULL /* of CPU 0; of CPU 1 0x1000 behind */

static struct {
	uint64_t next, prev;
	char name[32];
	uint64_t counter, reserve;
} protos[2];
static uint64_t proto_list[2], counter, cpu_offsets[2] = { 0, 0x1000 };
static int32_t reserves[2];
static const unsigned long possible[1] = { 3 };

static const struct stub_member proto_members[] = {
	{ "struct proto", "node", FIELD(0, 8) },
	{ "struct proto", "name", KINDED(KIND_ARRAY, 16, 32) },
	{ "struct proto", "memory_allocated", FIELD(48, 8) },
	{ "struct proto", "per_cpu_fw_alloc", FIELD(56, 8) },
	{ 0 },
};
static const struct stub_memory proto_memory[] = { { LIST, proto_list, 16 },
						   { PROTO(0), &protos[0], sizeof(protos[0]) },
						   { PROTO(1), &protos[1], sizeof(protos[1]) },
						   { COUNTER, &counter, 8 },
						   { RESERVE, &reserves[0], 4 },
						   { RESERVE + 0x1000, &reserves[1], 4 },
						   { 0x600000, cpu_offsets, sizeof(cpu_offsets) },
						   { 0x600100, possible, sizeof(possible) },
						   { 0 } };
static const struct stub_symbol proto_symbols[] = {
	{ "proto_list", LIST, FIELD(0, 16) },
	{ "__per_cpu_offset", 0x600000, KINDED(KIND_ARRAY, 0, 16) },
	{ "__cpu_possible_mask", 0x600100, FIELD(0, 8) },
	{ 0 }
};

static enum status see_proto(void *arg, const struct sock_protocol *p)
{
	struct sock_protocol *seen = arg;

	seen[p->address == PROTO(1)] = *p;
	return ST_OK;
}

static enum status walk_protocols(struct sock_protocol seen[2])
{
	STUB(s, .memory = proto_memory, .members = proto_members, .symbols = proto_symbols);

	memset(seen, 0, 2 * sizeof(seen[0]));
	return sock_protocols_walk(&s.dump, see_proto, seen);
}

static void protocols(void)
{
	struct sock_protocol seen[2];

	proto_list[0] = protos[1].prev = PROTO(0);
	proto_list[1] = protos[0].next = PROTO(1);
	protos[0].prev = protos[1].next = LIST;
	strcpy(protos[0].name, "TCP");
	strcpy(protos[1].name, "a\033b");
	protos[0].counter = COUNTER;
	protos[0].reserve = RESERVE;
	counter = 100;
	reserves[0] = -30;
	reserves[1] = 7;
	CHECK(walk_protocols(seen) == ST_OK && seen[0].has_memory && !seen[1].has_memory);
	CHECK(seen[0].allocated_bytes == 100 * 4096 && seen[0].reserve_bytes == -23 * 4096);
	CHECK_TEXT(seen[0].name, "TCP");
	CHECK_TEXT(seen[1].name, "a?b");
	/* A CPU that frees what another has not added yet leaves less than nothing. */
	counter = -5;
	CHECK(walk_protocols(seen) == ST_OK && seen[0].has_memory &&
	      seen[0].allocated_bytes == -5 * 4096);
	/* No machine has as much; the counter or a part of it is not in this dump. */
	counter = 1ULL << 41;
	CHECK(walk_protocols(seen) == ST_OK && seen[0].counter && !seen[0].has_memory);
	counter = -(1ULL << 41);
	CHECK(walk_protocols(seen) == ST_OK && !seen[0].has_memory);
	counter = 100;
	cpu_offsets[1] = 0x2000;
	CHECK(walk_protocols(seen) == ST_OK && !seen[0].has_memory);
	cpu_offsets[1] = 0x1000;
	protos[0].counter = 0x999000;
	CHECK(walk_protocols(seen) == ST_OK && !seen[0].has_memory);
	protos[1].next = PROTO(0);
	CHECK(walk_protocols(seen) == ST_CORRUPT);
	protos[1].next = 0x999000;
	CHECK(walk_protocols(seen) == ST_UNREADABLE);
}

TESTS({ "an interrupted walk", an_interrupted_walk },
      { "TCP connections by their hash tables", connections },
      { "memory that protocols account", protocols })
