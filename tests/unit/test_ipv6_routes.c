// SPDX-License-Identifier: GPL-2.0-or-later
/* IPv6 routes of a network namespace: as the kernel counts them, and each with the number of its table. */
#include "net/ipv6_routes.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)
#define NET AT(0)
#define STATS AT(1)
#define HASH AT(2)
#define TABLE AT(3)
#define ROOT (TABLE + 24)
#define NODE(i) AT(4 + (i))
#define NODES 2
#define NONE AT(8)
#define ROUTE(i) AT(10 + (i))
#define ROUTES 3
#define NUMBER 180

static struct {
	uint64_t stats, tables, none;
} net;
static struct {
	uint32_t nodes, route_nodes, entries, cache;
} stats;
static uint64_t heads[256];
static struct {
	uint64_t next, pprev;
	uint32_t id, lock;
	struct node {
		uint64_t left, right, subtree, leaf;
	} root;
} table;
static struct node nodes[NODES];
static struct {
	uint64_t next, node;
} routes[ROUTES];

static const struct stub_memory memory[] = {
	{ NET, &net, sizeof(net) },
	{ STATS, &stats, sizeof(stats) },
	{ HASH, heads, sizeof(heads) },
	{ TABLE, &table, sizeof(table) },
	{ NODE(0), &nodes[0], sizeof(nodes[0]) },
	{ NODE(1), &nodes[1], sizeof(nodes[1]) },
	{ ROUTE(0), &routes[0], sizeof(routes[0]) },
	{ ROUTE(1), &routes[1], sizeof(routes[1]) },
	{ ROUTE(2), &routes[2], sizeof(routes[2]) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "fib6_node_kmem", AT(90), { 0 } }, { 0 } };
#define COMMON                                                                         \
	{ "struct net", "ipv6.rt6_stats", KINDED(KIND_POINTER, 0, 8) },                \
		{ "struct net", "ipv6.fib_table_hash", KINDED(KIND_POINTER, 8, 8) },   \
		{ "struct net", "ipv6.fib6_null_entry", KINDED(KIND_POINTER, 16, 8) }, \
		{ "struct rt6_statistics", "fib_nodes", FIELD(0, 4) },                 \
		{ "struct rt6_statistics", "fib_route_nodes", FIELD(4, 4) },           \
		{ "struct rt6_statistics", "fib_rt_entries", FIELD(8, 4) },            \
		{ "struct fib6_table", "tb6_hlist", KINDED(KIND_STRUCT, 0, 16) },      \
		{ "struct fib6_table", "tb6_id", FIELD(16, 4) },                       \
		{ "struct fib6_table", "tb6_root", KINDED(KIND_STRUCT, 24, 32) },      \
		{ "struct fib6_node", "left", KINDED(KIND_POINTER, 0, 8) },            \
		{ "struct fib6_node", "right", KINDED(KIND_POINTER, 8, 8) },           \
		{ "struct fib6_node", "subtree", KINDED(KIND_POINTER, 16, 8) },        \
	{                                                                              \
		"struct fib6_node", "leaf", KINDED(KIND_POINTER, 24, 8)                \
	}
#define MULTIPLE                                                                 \
	{                                                                        \
		"struct net", "ipv6.fib6_local_tbl", KINDED(KIND_POINTER, 24, 8) \
	}
#define ROUTE_MEMBERS                                                       \
	{ "struct fib6_info", "fib6_next", KINDED(KIND_POINTER, 0, 8) },    \
	{                                                                   \
		"struct fib6_info", "fib6_node", KINDED(KIND_POINTER, 8, 8) \
	}
static const struct stub_member many[] = { COMMON, MULTIPLE, ROUTE_MEMBERS, { 0 } };
static const struct stub_member one[] = { COMMON, ROUTE_MEMBERS, { 0 } };
static const struct stub_member old[] = { COMMON, MULTIPLE, { 0 } }; /* struct rt6_info, to 4.17 */
static const struct stub_number sizes[] = { { "struct rt6_statistics", 24 }, { 0 } };

struct found {
	uint64_t sum;
	unsigned int n;
	bool of_others;
};

static enum status add(void *arg, uint64_t route, uint32_t number)
{
	struct found *f = arg;

	f->n++;
	f->sum += route;
	f->of_others |= number != NUMBER;
	return ST_OK;
}

static enum status walk(const struct stub_member *members, struct found *f)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct ipv6_routes r;
	enum status st;

	*f = (struct found){ 0 };
	st = ipv6_routes_find(&s.dump, &r);
	CHECK(st == ST_OK);
	st = st ?: ipv6_routes_walk(&r, NET, add, f);
	return st;
}

static enum status count(struct ipv6_counts *counts)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = many, .sizes = sizes);
	struct ipv6_routes r;

	return ipv6_routes_find(&s.dump, &r) ?: ipv6_routes_count(&r, NET, counts);
}

/* Below the root a node without a route of its own, which has that of the node below it: three, one behind the other. */
static void fill(void)
{
	net.stats = STATS;
	net.tables = HASH;
	net.none = NONE;
	stats.nodes = 240005;
	stats.route_nodes = 120006;
	stats.entries = 120007;
	memset(heads, 0, sizeof(heads));
	heads[NUMBER] = TABLE;
	memset(&table, 0, sizeof(table));
	table.pprev = HASH + NUMBER * sizeof(heads[0]);
	table.id = NUMBER;
	table.root = (struct node){ 0, NODE(0), 0, NONE };
	nodes[0] = (struct node){ NODE(1), 0, 0, ROUTE(0) };
	nodes[1] = (struct node){ 0, 0, 0, ROUTE(0) };
	for (unsigned int i = 0; i < ROUTES; i++) {
		routes[i].next = i + 1 < ROUTES ? ROUTE(i + 1) : 0;
		routes[i].node = NODE(1);
	}
}

static void as_counted(void)
{
	struct ipv6_counts c = { 0 };

	fill();
	CHECK(count(&c) == ST_OK && c.nodes == 240005 && c.routes == 120007);
	net.stats = 0; /* it is set up */
	CHECK(count(&c) == ST_OK && !c.nodes && !c.routes);
	net.stats = AT(80); /* in no dump */
	CHECK(count(&c) == ST_UNREADABLE);
}

static void each_of_a_table(void)
{
	struct found f;

	fill();
	CHECK(walk(many, &f) == ST_OK && f.n == 3 && !f.of_others);
	CHECK(f.sum == ROUTE(0) + ROUTE(1) + ROUTE(2));
	nodes[0].left = 0;
	table.root.subtree = NODE(1);
	CHECK(walk(many, &f) == ST_OK && f.n == 3);
	/* Without CONFIG_IPV6_MULTIPLE_TABLES there is one list. */
	fill();
	heads[0] = TABLE;
	heads[NUMBER] = 0;
	table.pprev = HASH;
	CHECK(walk(one, &f) == ST_OK && f.n == 3);
	CHECK(walk(many, &f) == ST_CORRUPT && !f.n);
}

static void what_is_damaged(void)
{
	struct found f;

	fill();
	nodes[1].right = NODE(0); /* in a circle */
	CHECK(walk(many, &f) == ST_CORRUPT);
	fill();
	routes[2].next = ROUTE(0);
	CHECK(walk(many, &f) == ST_CORRUPT);
	fill();
	nodes[0].left = AT(80);
	CHECK(walk(many, &f) == ST_UNREADABLE && !f.n);
	fill();
	net.none = 0; /* what stands for no route is not known */
	CHECK(walk(many, &f) == ST_UNKNOWN);
	fill();
	CHECK(walk(old, &f) == ST_UNKNOWN);
}

static void without_ipv6(void)
{
	STUB(s, .memory = memory, .members = (const struct stub_member[]){ { 0 } });
	struct ipv6_routes r;

	CHECK(ipv6_routes_find(&s.dump, &r) == ST_ABSENT);
}

TESTS({ "as counted", as_counted }, { "each of a table", each_of_a_table },
      { "what is damaged", what_is_damaged }, { "without IPv6", without_ipv6 })
