// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of connection tracking: what one is, and whose they are in the row of their caches. */
#include "kept/cache_owners.h"
#include "net/conntrack.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (uint64_t)(i)*0x1000)
#define CACHEP AT(0)
#define MAX AT(1)
#define CONN AT(2)
#define EXT AT(3)
#define JIFFIES AT(4)
#define CLOCK AT(5)
#define NET AT(6)

#define SEEN_REPLY 2u
#define CONFIRMED 8u
#define DYING 0x200u

static const uint64_t cachep[1] = { AT(9) };
static const uint32_t max[1] = { 65536 };
static uint64_t now[1];
static const uint32_t clocksource[2] = { 4000000u << 8, 8 };
static uint8_t ext[12] = { 11 };
static uint32_t net[18]; /* timeouts in ticks of 4 ms: two of UDP, those of TCP by state */
static struct {
	uint32_t use, timeout;
	struct {
		uint64_t next, pprev;
		uint16_t from, to;
		uint8_t protocol, dir, unused[2];
	} tuple[2];
	uint64_t status, net, ext;
	uint8_t tcp_state, unused[7];
} conn;

#define MEMORY(at, of)             \
	{                          \
		at, of, sizeof(of) \
	}
static const struct stub_memory memory[] = {
	MEMORY(CACHEP, cachep),	    MEMORY(MAX, max),
	MEMORY(EXT, ext),	    { CONN, &conn, sizeof(conn) },
	MEMORY(NET, net),	    MEMORY(JIFFIES, now),
	MEMORY(CLOCK, clocksource), { 0 },
};
static const struct stub_symbol symbols[] = {
	{ "nf_conntrack_cachep", CACHEP, FIELD(0, 8) },
	{ "nf_conntrack_max", MAX, FIELD(0, 4) },
	{ "jiffies", JIFFIES, FIELD(0, 8) },
	{ "clocksource_jiffies", CLOCK, FIELD(0, 8) },
	{ 0 },
};
static const struct stub_member members[] = {
	{ "struct clocksource", "mult", FIELD(0, 4) },
	{ "struct clocksource", "shift", FIELD(4, 4) },
	{ "struct nf_conn", "timeout", FIELD(4, 4) },
	{ "struct nf_conn", "tuplehash", KINDED(KIND_ARRAY, 8, 48) },
	{ "struct nf_conn", "status", FIELD(56, 8) },
	{ "struct nf_conn", "ct_net.net", FIELD(64, 8) },
	{ "struct nf_conn", "ext", FIELD(72, 8) },
	{ "struct nf_conn", "proto.tcp.state", FIELD(80, 1) },
	{ "struct nf_conntrack_tuple_hash", "tuple.dst.u.all", FIELD(18, 2) },
	{ "struct nf_conntrack_tuple_hash", "tuple.dst.protonum", FIELD(20, 1) },
	{ "struct nf_conntrack_tuple_hash", "tuple.src.u.all", FIELD(16, 2) },
	{ "struct net", "ct.nf_ct_proto.udp.timeouts", FIELD(8, 8) },
	{ "struct net", "ct.nf_ct_proto.tcp.timeouts", FIELD(16, 56) },
	{ "struct nf_ct_ext", "len", FIELD(0, 1) },
	{ 0 },
};

static void fill(uint8_t protocol, uint16_t port)
{
	memset(&conn, 0, sizeof(conn));
	conn.tuple[0].protocol = conn.tuple[1].protocol = protocol;
	conn.tuple[0].to = (uint16_t)(port << 8 | port >> 8);
	conn.tuple[1].to = 0x1234;
	conn.tuple[0].from = 0x88cb; /* 52104 */
	conn.status = CONFIRMED | SEEN_REPLY;
	conn.net = NET;
	conn.ext = EXT;
	conn.tcp_state = 3;
	now[0] = 0x1fffffff0ULL;
	conn.timeout = 234; /* 250 ticks behind it: it has wrapped */
}

static struct conntrack read_it(void)
{
	STUB(s, memory, symbols, members, NULL, NULL);
	struct conntracks x;
	struct conntrack c = { 0 };

	CHECK(conntracks_open(&s.dump, &x) == ST_OK);
	CHECK(x.cache == AT(9) && x.max == 65536);
	CHECK(conntrack_read(&x, CONN, &c) == (conn.ext > EXT ? ST_UNREADABLE : ST_OK));
	return c;
}

static void entries(void)
{
	struct conntrack c;

	fill(6, 443);
	c = read_it();
	CHECK(c.net == NET && c.ext == EXT && c.ext_bytes == 11);
	CHECK(c.protocol == 6 && c.port == 443 && c.from == 52104 && c.is_connected &&
	      c.is_replied && c.is_in_table);
	CHECK(c.left_ns == 250 * 4000000ULL);
	CHECK_TEXT(conntrack_protocol(c.protocol), "TCP");
	/* Another state; one that is over; one of a packet that is not through. */
	conn.tcp_state = 1;
	conn.timeout = 0xffffff00;
	c = read_it();
	CHECK(!c.is_connected && !c.left_ns && c.is_in_table);
	conn.status = CONFIRMED | DYING;
	c = read_it();
	CHECK(!c.is_in_table && !c.is_replied);
	conn.status = 0;
	conn.timeout = 234;
	c = read_it();
	CHECK(!c.is_in_table && !c.left_ns);
	/* A protocol without ports, whose state is none of TCP. */
	fill(1, 8);
	c = read_it();
	CHECK(c.protocol == 1 && !c.port && !c.is_connected);
	CHECK(!conntrack_protocol(200));
	conn.ext = 0;
	c = read_it();
	CHECK(!c.ext && !c.ext_bytes);
	conn.ext = EXT + 0x1000000;
	c = read_it();
	CHECK(!c.protocol);
}

/* The sysctl that an entry has its timeout of, in seconds; "": none. */
static const char *setting(uint8_t protocol, bool is_replied, uint64_t *seconds)
{
	STUB(s, memory, symbols, members, NULL, NULL);
	struct conntracks x;
	const struct conntrack c = { .net = NET,
				     .protocol = protocol,
				     .is_replied = is_replied,
				     .is_connected = protocol == 6 && is_replied };

	CHECK(conntracks_open(&s.dump, &x) == ST_OK);
	return conntrack_setting(&x, &c, seconds) ?: "";
}

static void settings(void)
{
	uint64_t seconds = 0;

	net[2] = 250 * 7200;
	net[3] = 250 * 120;
	net[4 + 3] = 250 * 432000;
	CHECK_TEXT(setting(17, false, &seconds), "net.netfilter.nf_conntrack_udp_timeout");
	CHECK(seconds == 7200);
	CHECK_TEXT(setting(17, true, &seconds), "net.netfilter.nf_conntrack_udp_timeout_stream");
	CHECK(seconds == 120);
	CHECK_TEXT(setting(6, true, &seconds),
		   "net.netfilter.nf_conntrack_tcp_timeout_established");
	CHECK(seconds == 432000);
	/* A connection that is being made has another. */
	CHECK_TEXT(setting(6, false, &seconds), "");
}

static void none(void)
{
	static const struct stub_symbol no_symbols[] = { { 0 } };
	STUB(s, memory, no_symbols, members, NULL, NULL);
	struct conntracks x;

	CHECK(conntracks_open(&s.dump, &x) != ST_OK);
}

TESTS({ "entries", entries }, { "settings", settings }, { "none", none })
