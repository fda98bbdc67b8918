// SPDX-License-Identifier: GPL-2.0-or-later
/* Local ports that connections to one destination have used up. */
#include "net/local_ports.h"

#include <arpa/inet.h>

#include "sock_stub.h"
#include "test.h"

#define INFO 0x400000ULL
#define BUCKETS 0x401000ULL
#define NETS 0x402000ULL
#define NET 0x403000ULL
#define RESERVED 0x404000ULL
#define SOCK(i) (0x410000ULL + (i) * sizeof(struct sock_bytes))
#define CONNECTIONS 8
#define FIRST 61001
#define TENTHS 950

static struct {
	uint64_t ehash;
	uint32_t mask;
} info;
static uint64_t buckets[1], nets[2];
static struct net_bytes {
	uint64_t next, prev, hashinfo, reserved;
	uint32_t range[2];
	uint8_t reuse, pad[7];
} net;
static uint8_t reserved[8192];
static struct sock_bytes socks[CONNECTIONS];

#define NET_MEMBER(name, member, bytes)                                                \
	{                                                                              \
		"struct net", name, FIELD(offsetof(struct net_bytes, member), (bytes)) \
	}

static struct stub_member members[] = {
	SOCK_MEMBERS,
	{ "struct tcp_sock", "copied_seq", SOCK_OF(numbers[1]) },
	{ "struct inet_hashinfo", "ehash", FIELD(0, 8) },
	{ "struct inet_hashinfo", "ehash_mask", FIELD(8, 4) },
	{ "struct sock", "__sk_common.skc_net.net", SOCK_OF(producers) },
	NET_MEMBER("list", next, 8),
	NET_MEMBER("ipv4.tcp_death_row.hashinfo", hashinfo, 8),
	NET_MEMBER("ipv4.sysctl_local_reserved_ports", reserved, 8),
	NET_MEMBER("ipv4.sysctl_tcp_tw_reuse", reuse, 1),
	NET_MEMBER("ipv4.ip_local_ports.range", range, 4),
	{ 0 },
};
static struct stub_member *const range = &members[ARRAY_SIZE(members) - 2];
static const struct stub_symbol symbols[] = { { "tcp_hashinfo", INFO, FIELD(0, 16) },
					      { "net_namespace_list", NETS, FIELD(0, 16) },
					      { "init_net", NET, { 0 } },
					      { 0 } };
static const struct stub_number sizes[] = { SOCK_SIZES, { 0 } };
static struct stub_memory memory[] = { { INFO, &info, 16 },
				       { BUCKETS, buckets, 8 },
				       { NETS, nets, 16 },
				       { NET, &net, sizeof(net) },
				       { RESERVED, reserved, sizeof(reserved) },
				       { SOCK(0), socks, sizeof(socks) },
				       { 0 } };

/* Connections from six ports of seven to 10.0.0.5:8583, one of them in TIME_WAIT; a server's, and one to another port. */
static void set_up(void)
{
	info.ehash = BUCKETS;
	info.mask = 0;
	buckets[0] = SOCK(0) + SOCK_AT(prot);
	nets[0] = nets[1] = NET;
	net = (struct net_bytes){ NETS, NETS, INFO, 0, { FIRST | (FIRST + 6U) << 16 }, 2, { 0 } };
	*range = (struct stub_member)NET_MEMBER("ipv4.ip_local_ports.range", range, 4);
	memset(reserved, 0, sizeof(reserved));
	for (unsigned int i = 0; i < CONNECTIONS; i++)
		socks[i] = (struct sock_bytes){ .family = FAMILY_INET,
						.state = i == 5 ? STATE_TIME_WAIT : 1,
						.num = (uint16_t)(FIRST + i),
						.peer_port = htons(8583),
						.prot = i + 1 < CONNECTIONS
								? SOCK(i + 1) + SOCK_AT(prot)
								: 1,
						.producers = NET,
						.address4 = htonl(0x0a000005) };
	socks[6].num = 8583;
	socks[7].num = FIRST;
	socks[7].peer_port = htons(80);
}

struct told {
	unsigned int n;
	struct port_use last;
};

static void visit(void *arg, const struct port_use *u)
{
	struct told *told = arg;

	told->n++;
	told->last = *u;
}

static enum status walk(struct told *ret)
{
	STUB(s, .memory = memory, .members = members, .symbols = symbols, .sizes = sizes);

	*ret = (struct told){ 0 };
	return port_uses_walk(&s.dump, TENTHS, visit, ret);
}

static void used_up(void)
{
	struct told told;

	set_up();
	CHECK(walk(&told) == ST_OK && told.n == 1);
	CHECK_TEXT(told.last.remote, "10.0.0.5:8583");
	/* Of seven the last is never tried. */
	CHECK(told.last.used == 6 && told.last.limit == 6 && told.last.time_wait == 1);
	CHECK(told.last.first == FIRST && told.last.last == FIRST + 6);
	/* A kernel up to 6.7. */
	*range = (struct stub_member)NET_MEMBER("ipv4.ip_local_ports.range", range, 8);
	net.range[0] = FIRST;
	net.range[1] = FIRST + 6;
	CHECK(walk(&told) == ST_OK && told.n == 1 && told.last.used == 6);
	/* There is room, or would be, if one were not reserved. */
	net.range[1] = FIRST + 7;
	CHECK(walk(&told) == ST_OK && told.n == 0);
	net.reserved = RESERVED;
	reserved[(FIRST + 6) / 8] |= 1U << (FIRST + 6) % 8;
	reserved[(FIRST + 7) / 8] |= 1U << (FIRST + 7) % 8;
	CHECK(walk(&told) == ST_OK && told.n == 1 && told.last.limit == 6);
	/* Of all, and of none on a kernel without namespaces. */
	for (unsigned int i = 0; i < CONNECTIONS; i++)
		socks[i].producers = 0;
	CHECK(walk(&told) == ST_OK && told.n == 1);
}

static void time_wait(void)
{
	struct told told;

	set_up();
	net.reuse = 0;
	CHECK(walk(&told) == ST_OK && told.n == 1 && told.last.used == 6);
	net.reuse = 1;
	CHECK(walk(&told) == ST_OK && told.n == 0);
	/* Of loopback they are free. */
	net.reuse = 2;
	for (unsigned int i = 0; i < CONNECTIONS; i++)
		socks[i].address4 = htonl(0x7f000001);
	CHECK(walk(&told) == ST_OK && told.n == 0);
	net.reuse = 0;
	CHECK(walk(&told) == ST_OK && told.n == 1 && told.last.time_wait == 1);
}

static void damage(void)
{
	struct told told;

	set_up();
	net.range[0] = (uint32_t)FIRST << 16 | (FIRST + 6);
	CHECK(walk(&told) == ST_CORRUPT && told.n == 0);
	set_up();
	net.reserved = 0x999000;
	CHECK(walk(&told) == ST_UNREADABLE && told.n == 0);
	set_up();
	socks[5].prot = 0x999000;
	CHECK(walk(&told) == ST_UNREADABLE && told.n == 1 && told.last.used == 6);
	set_up();
	for (unsigned int i = 0; i < CONNECTIONS; i++)
		socks[i].producers = 0x999000;
	CHECK(walk(&told) == ST_UNREADABLE && told.n == 0);
	set_up();
	*range = (struct stub_member){ 0 };
	CHECK(walk(&told) == ST_UNKNOWN);
}

static void whose(void)
{
	struct told told;
	struct sock sock = { .kind = SOCK_TCP,
			     .family = FAMILY_INET,
			     .net = NET,
			     .port = FIRST,
			     .peer_port = 8583,
			     .address4 = { 10, 0, 0, 5 },
			     .peer_address4 = { 10, 0, 0, 5 } };

	set_up();
	CHECK(walk(&told) == ST_OK && port_use_has(&told.last, &sock));
	sock.port = 80;
	CHECK(!port_use_has(&told.last, &sock));
	sock.port = FIRST;
	sock.peer_port = 80;
	CHECK(!port_use_has(&told.last, &sock));
	sock.peer_port = 8583;
	sock.kind = SOCK_UDP;
	CHECK(!port_use_has(&told.last, &sock));
}

TESTS({ "all local ports to a destination", used_up }, { "connections in TIME_WAIT", time_wait },
      { "damage", damage }, { "whose connections they are", whose })
