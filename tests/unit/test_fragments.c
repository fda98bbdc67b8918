// SPDX-License-Identifier: GPL-2.0-or-later
/* Fragments of IP packets that wait for the others: counters of a network namespace, damaged ones, older kernels. */
#include <string.h>

#include "net/fragments.h"
#include "stub.h"
#include "test.h"

#define NET 0xffff888000100000ULL
#define DIR 0xffff888000200000ULL

static uint64_t net[2];
static struct {
	int64_t high;
	int32_t timeout, queues;
	int64_t bytes;
} dir;

static const struct stub_memory memory[] = { { NET, net, sizeof(net) },
					     { DIR, &dir, sizeof(dir) },
					     { 0 } };
static const struct stub_symbol symbols[] = { { "init_net", NET, { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct net", "ipv4.fqdir", FIELD(0, 8) },
	{ "struct net", "ipv6.fqdir", FIELD(8, 8) },
	{ "struct fqdir", "high_thresh", FIELD(0, 8) },
	{ "struct fqdir", "timeout", FIELD(8, 4) },
	{ "struct fqdir", "rhashtable.nelems.counter", FIELD(12, 4) },
	{ "struct fqdir", "mem.counter", FIELD(16, 8) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct fqdir", 192 }, { 0 } };
static struct stub s;

static enum status read_both(bool is_ipv6, struct fragments *ret)
{
	struct fragments_of f;
	enum status st;

	STUB_OPEN(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);
	st = fragments_open(&s.dump, &f);
	return st != ST_OK ? st : fragments_read(&f, NET, is_ipv6, ret);
}

static void counters(void)
{
	struct fragments f;

	net[0] = DIR;
	net[1] = 0;
	memset(&dir, 0, sizeof(dir));
	dir.high = 200000000;
	dir.queues = 9000;
	dir.bytes = 77832000;
	CHECK(read_both(false, &f) == ST_OK && f.bytes == 77832000 && f.queues == 9000 &&
	      f.most == 200000000);
	/* IPv6 is not there. */
	CHECK(read_both(true, &f) == ST_ABSENT);
	dir.bytes = -1;
	CHECK(read_both(false, &f) == ST_CORRUPT);
	net[0] = 0xffff888000300000ULL;
	CHECK(read_both(false, &f) == ST_UNREADABLE);
}

static void other_kernels(void)
{
	static const struct stub_member none[] = { { "struct net", "ipv4.frags", FIELD(0, 8) },
						   { 0 } };
	struct fragments_of f;

	STUB_OPEN(s, .memory = memory, .members = none, .symbols = symbols);
	CHECK(fragments_open(&s.dump, &f) == ST_ABSENT);
	STUB_OPEN(s, .memory = memory, .members = none, .symbols = symbols, .sizes = sizes);
	CHECK(fragments_open(&s.dump, &f) == ST_UNKNOWN);
	STUB_OPEN(s, .memory = memory, .members = none);
	CHECK(fragments_open(&s.dump, &f) == ST_ABSENT);
}

TESTS({ "counters of a namespace", counters }, { "kernels without them", other_kernels })
