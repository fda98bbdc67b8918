// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters of users: elements of 4 and of 8 bytes, both ends of a list, and lists that are damaged. */
#include "stub.h"
#include "tasks/user_counts.h"
#include "test.h"

#define TABLE 0xffff888000100000ULL
#define USER(i) (0xffff888000200000ULL + (i)*0x100)
#define NS 0xffff888000300000ULL
#define BUCKETS 1024

static struct ucounts {
	uint64_t next, before, ns;
	uint32_t uid, pad;
	uint64_t count[2];
} users[2];
static uint64_t table[BUCKETS];
static struct {
	uint64_t max[2];
} ns;
static const struct stub_memory memory[] = {
	{ TABLE, table, sizeof(table) },
	{ USER(0), &users[0], sizeof(users[0]) },
	{ USER(1), &users[1], sizeof(users[1]) },
	{ NS, &ns, sizeof(ns) },
	{ 0 },
};
static const struct stub_symbol symbols[] = { { "ucounts_hashtable", TABLE, { 0 } },
					      { "init_user_ns", NS, { 0 } },
					      { 0 } };
#define COMMON                                                           \
	{ "struct ucounts", "node.next", FIELD(0, 8) },                  \
		{ "struct ucounts", "node.pprev", FIELD(8, 8) },         \
		{ "struct ucounts", "ns", KINDED(KIND_POINTER, 16, 8) }, \
	{                                                                \
		"struct ucounts", "uid.val", FIELD(24, 4)                \
	}
static const struct stub_member of_8[] = {
	COMMON,
	{ "struct ucounts", "ucount", FIELD(32, 16) },
	{ "struct user_namespace", "ucount_max", FIELD(0, 16) },
	{ 0 },
};
static const struct stub_member of_4[] = {
	COMMON,
	{ "struct ucounts", "ucount", FIELD(32, 8) },
	{ "struct user_namespace", "ucount_max", FIELD(0, 8) },
	{ 0 },
};
static const struct stub_number kinds[] = { { "UCOUNT_INOTIFY_INSTANCES", 1 },
					    { "UCOUNT_COUNTS", 2 },
					    { 0 } };
static const struct stub_number no_kinds[] = { { "UCOUNT_COUNTS", 2 }, { 0 } };

struct seen {
	unsigned int n, initial;
	struct user_count last;
};

static void visit(void *arg, const struct user_count *c)
{
	struct seen *x = arg;

	x->n++;
	x->initial += c->is_initial;
	x->last = *c;
}

static void set_up(uint64_t end)
{
	memset(table, 0, sizeof(table));
	for (unsigned int i = 0; i < BUCKETS; i++)
		table[i] = end;
	table[7] = USER(0);
	users[0] = (struct ucounts){ USER(1), TABLE + 56, NS, 5, 0, { 1, 128 } };
	users[1] = (struct ucounts){ end, USER(0), NS, 33, 0, { 2, 7 } };
	ns.max[0] = 10;
	ns.max[1] = 128;
}

static enum status walk(const struct stub_member *members, const struct stub_number *enumerators,
			struct seen *ret)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members,
	     .enumerators = enumerators);

	struct user_counts u;

	*ret = (struct seen){ 0 };
	return user_counts_open(&s.dump, &u)
		       ?: user_counts_walk(&u, "UCOUNT_INOTIFY_INSTANCES", visit, ret);
}

static void each_user(void)
{
	struct seen x;

	set_up(0);
	CHECK(walk(of_8, kinds, &x) == ST_OK && x.n == 2 && x.initial == 2);
	CHECK(x.last.uid == 33 && x.last.used == 7 && x.last.limit == 128);
	/* Of 6.15 a list ends with an odd number. */
	set_up(15);
	users[1].ns = USER(0); /* of another namespace */
	CHECK(walk(of_8, kinds, &x) == ST_OK && x.n == 2 && x.initial == 1);
	/* Up to 5.13 each has 4 bytes. */
	set_up(0);
	users[1].count[0] = 9ULL << 32;
	ns.max[0] = 64ULL << 32;
	CHECK(walk(of_4, kinds, &x) == ST_OK && x.last.used == 9 && x.last.limit == 64);
	CHECK(walk(of_8, no_kinds, &x) == ST_ABSENT && !x.n);
}

static void damaged_lists(void)
{
	struct seen x;

	/* A number that is no list of these: what it leads to does not lead back. */
	set_up(0);
	users[0].before = TABLE;
	CHECK(walk(of_8, kinds, &x) == ST_CORRUPT && !x.n);
	set_up(0);
	users[1].next = USER(0);
	CHECK(walk(of_8, kinds, &x) == ST_CORRUPT && x.n == 2);
	set_up(0);
	table[9] = USER(50);
	CHECK(walk(of_8, kinds, &x) == ST_UNREADABLE && x.n == 2);
}

TESTS({ "each user", each_user }, { "damaged lists", damaged_lists })
