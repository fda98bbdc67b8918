// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of forwarding tables: of bridges, and of no other device. */
#include "net/bridge.h"
#include "stub.h"
#include "test.h"

#define BASE 0xffff888000100000ULL
#define AT(i) (BASE + (uint64_t)(i)*0x80)
#define NETS AT(0)
#define NET AT(1)
#define DEVICE(i) AT(2 + 2 * (i)) /* of 100 bytes: what is its own is 128 behind */
#define OPS(i) AT(8 + (i))
#define KIND(i) (OPS(i) + 64)
#define CACHE AT(12)
#define ENTRY(i) AT(20 + (i))

static uint64_t words[1024];

static const struct stub_memory memory[] = { { BASE, words, sizeof(words) }, { 0 } };
static const struct stub_symbol symbols[] = { { "net_namespace_list", NETS, FIELD(0, 16) },
					      { "br_fdb_cache", CACHE, FIELD(0, 8) },
					      { 0 } };
static const struct stub_member members[] = {
	{ "struct net", "list", FIELD(0, 16) },
	{ "struct net", "dev_base_head", FIELD(16, 16) },
	{ "struct net_device", "name", KINDED(KIND_ARRAY, 0, 16) },
	{ "struct net_device", "dev_list", FIELD(16, 16) },
	{ "struct net_device", "rtnl_link_ops", FIELD(32, 8) },
	{ "struct rtnl_link_ops", "kind", FIELD(8, 8) },
	{ "struct net_bridge", "dev", FIELD(0, 8) },
	{ "struct net_bridge", "fdb_list", FIELD(8, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct net_device", 100 },
					    { "struct net_bridge", 64 },
					    { 0 } };

static void put(uint64_t at, uint64_t value)
{
	words[(at - BASE) / 8] = value;
}

static void put_text(uint64_t at, const char *text)
{
	strcpy((char *)&words[(at - BASE) / 8], text);
}

static void put_device(unsigned int i, const char *name, const char *kind)
{
	put_text(DEVICE(i), name);
	put(DEVICE(i) + 16, i < 2 ? DEVICE(i + 1) + 16 : NET + 16);
	put(DEVICE(i) + 24, i ? DEVICE(i - 1) + 16 : NET + 16);
	put(DEVICE(i) + 32, kind ? OPS(i) : 0);
	put(OPS(i) + 8, KIND(i));
	put_text(KIND(i), kind ?: "");
	put(DEVICE(i) + 128, DEVICE(i));
}

static void add_entry(unsigned int device, unsigned int i)
{
	const uint64_t head = DEVICE(device) + 136, first = words[(head - BASE) / 8];

	put(ENTRY(i), first);
	put(ENTRY(i) + 8, head);
	if (first)
		put(first + 8, ENTRY(i));
	put(head, ENTRY(i));
}

static void fill(void)
{
	memset(words, 0, sizeof(words));
	put(NETS, NET);
	put(NETS + 8, NET);
	put(NET, NETS);
	put(NET + 8, NETS);
	put(NET + 16, DEVICE(0) + 16);
	put(NET + 24, DEVICE(2) + 16);
	put_device(0, "lo", NULL);
	put_device(1, "br0", "bridge");
	put_device(2, "v0", "bridge_slave");
	put(CACHE, AT(13));
	for (unsigned int i = 0; i < 5; i++)
		add_entry(1, i);
	add_entry(2, 5);
}

static struct bridge found;
static unsigned int seen;

static enum status keep(void *arg NOT_USED, const struct bridge *b)
{
	found = *b;
	seen++;
	return ST_OK;
}

static enum status walk(void)
{
	STUB(stub, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);

	seen = 0;
	return bridges_walk(&stub.dump, keep, NULL);
}

static void entries_are_counted(void)
{
	fill();
	CHECK(walk() == ST_OK && seen == 1 && found.entries == 5 && found.cache == AT(13));
	CHECK_TEXT(found.device.name, "br0");
	/* Another structure, and a list that is cut. */
	put(DEVICE(1) + 128, DEVICE(0));
	CHECK(walk() == ST_CORRUPT && !seen);
	fill();
	put(ENTRY(2), 0xffff888000900000ULL);
	CHECK(walk() == ST_UNREADABLE && !seen);
}

TESTS({ "entries of bridges", entries_are_counted })
