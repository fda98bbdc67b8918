// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/ipv4_routes.h"

struct alias {
	uint64_t info, before;
	uint32_t table;
};

struct info {
	uint64_t net;
	uint32_t routes;
	uint8_t protocol;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct ipv4_routes, alias, "struct fib_alias"),
	POINTS(struct alias, info, REQUIRED, "all", "fa_info"),
	POINTS(struct alias, before, REQUIRED, "all", "fa_list.pprev"),
	READS(struct alias, table, REQUIRED, "all", "tb_id"),
	STRUCTURE(struct ipv4_routes, info, "struct fib_info"),
	POINTS(struct info, net, REQUIRED, "all", "fib_net"),
	READS(struct info, routes, REQUIRED, "all", "fib_treeref"),
	READS(struct info, protocol, REQUIRED, "all", "fib_protocol"),
};

enum status ipv4_routes_find(struct dump *d, struct ipv4_routes *ret)
{
	struct ipv4_routes r = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_INET", "fn_alias_kmem", "struct fib_alias");

	return RESULT(st ?: STRUCTS_OPEN(d, rows, &r), ret, r);
}

enum status ipv4_route_read(const struct ipv4_routes *r, uint64_t address, struct ipv4_route *ret)
{
	struct alias alias = { 0 };
	struct info info = { 0 };
	enum status st = struct_read(&r->alias, address, &alias);

	if (st == ST_OK && alias.info)
		st = struct_read(&r->info, alias.info, &info);
	if (st == ST_OK && (!alias.info || !alias.before || !info.net))
		st = dump_corrupt(r->dump, "no route of IPv4 is at %#lx", address);
	return RESULT(st, ret,
		      (struct ipv4_route){ .info = alias.info,
					   .net = info.net,
					   .leaf = alias.before,
					   .table = alias.table,
					   .routes = info.routes,
					   .protocol = info.protocol });
}

/* include/uapi/linux/rtnetlink.h */
const char *ipv4_protocol(uint8_t protocol)
{
	static const struct {
		uint8_t number;
		const char *name;
	} names[] = { { 1, "redirect" },    { 2, "kernel" }, { 3, "boot" },   { 4, "static" },
		      { 8, "gated" },	    { 9, "ra" },     { 10, "mrt" },   { 11, "zebra" },
		      { 12, "bird" },	    { 14, "xorp" },  { 16, "dhcp" },  { 17, "mrouted" },
		      { 18, "keepalived" }, { 42, "babel" }, { 186, "bgp" },  { 187, "isis" },
		      { 188, "ospf" },	    { 189, "rip" },  { 192, "eigrp" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].number == protocol)
			return names[i].name;
	return NULL;
}
