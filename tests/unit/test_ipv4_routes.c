// SPDX-License-Identifier: GPL-2.0-or-later
/* A route of IPv4: its table, where it leads to, who installed it. */
#include "net/ipv4_routes.h"
#include "stub.h"
#include "test.h"

#define AT(i) (0xffff888000100000ULL + (i)*0x1000)

static struct {
	uint64_t next, before, info;
	uint32_t table, pad;
} routes[3] = { { 0, AT(5) + 16, AT(3), 254, 0 },
		{ 0, AT(0), AT(4), 7, 0 },
		{ 0, AT(5), 0, 254, 0 } };
static struct {
	uint64_t net;
	uint32_t routes;
	uint8_t protocol, pad[3];
} infos[2] = { { AT(9), 3, 186, { 0 } }, { 0, 1, 2, { 0 } } };

static const struct stub_memory memory[] = {
	{ AT(0), &routes[0], 32 }, { AT(1), &routes[1], 32 }, { AT(2), &routes[2], 32 },
	{ AT(3), &infos[0], 16 },  { AT(4), &infos[1], 16 },  { 0 },
};
static const struct stub_symbol symbols[] = { { "fn_alias_kmem", AT(90), { 0 } }, { 0 } };
static const struct stub_member members[] = {
	{ "struct fib_alias", "fa_list.pprev", KINDED(KIND_POINTER, 8, 8) },
	{ "struct fib_alias", "fa_info", KINDED(KIND_POINTER, 16, 8) },
	{ "struct fib_alias", "tb_id", FIELD(24, 4) },
	{ "struct fib_info", "fib_net", KINDED(KIND_POINTER, 0, 8) },
	{ "struct fib_info", "fib_treeref", FIELD(8, 4) },
	{ "struct fib_info", "fib_protocol", FIELD(12, 1) },
	{ 0 },
};
static const struct stub_number sizes[] = { { "struct fib_alias", 32 }, { 0 } };

static void a_route(void)
{
	STUB(s, .memory = memory, .symbols = symbols, .members = members, .sizes = sizes);
	struct ipv4_routes r;
	struct ipv4_route route;

	CHECK(ipv4_routes_find(&s.dump, &r) == ST_OK);
	CHECK(ipv4_route_read(&r, AT(0), &route) == ST_OK && route.info == AT(3) &&
	      route.net == AT(9) && route.leaf == AT(5) + 16 && route.table == 254 &&
	      route.routes == 3 && route.protocol == 186);
	/* Without a namespace, without a target, and what cannot be read. */
	CHECK(ipv4_route_read(&r, AT(1), &route) == ST_CORRUPT);
	CHECK(ipv4_route_read(&r, AT(2), &route) == ST_CORRUPT);
	CHECK(ipv4_route_read(&r, AT(8), &route) == ST_UNREADABLE);
}

static void protocols(void)
{
	CHECK_TEXT(ipv4_protocol(186), "bgp");
	CHECK_TEXT(ipv4_protocol(2), "kernel");
	CHECK(!ipv4_protocol(0) && !ipv4_protocol(200));
}

static void a_kernel_without_them(void)
{
	STUB(s, .symbols = NULL);
	struct ipv4_routes r;

	CHECK(ipv4_routes_find(&s.dump, &r) == ST_ABSENT);
}

TESTS({ "a route", a_route }, { "names of protocols", protocols },
      { "a kernel without them", a_kernel_without_them })
