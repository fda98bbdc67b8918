/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IPv6 routes of a network namespace: how many, as the kernel counts them, and each (net/ipv6/ip6_fib.c). */
#pragma once

#include "dump/structure.h"

struct ipv6_routes {
	struct dump *dump;
	struct structure net, stats, table, node, route;
	struct field list, local; /* of a table; a namespace has more than the table main */
};

struct ipv6_counts {
	uint64_t routes; /* entries of its tables: struct fib6_info */
	uint64_t nodes;	 /* of the trees that these are in: struct fib6_node */
};

/* ST_ABSENT: built without CONFIG_IPV6; ST_UNKNOWN. */
enum status ipv6_routes_find(struct dump *d, struct ipv6_routes *ret);

/* Of a struct net.  ST_UNREADABLE. */
enum status ipv6_routes_count(const struct ipv6_routes *r, uint64_t net, struct ipv6_counts *ret);

/*
 * Visits each route of its tables, as many as are counted and some that came meanwhile at most.  ST_UNKNOWN: where
 * its tables are; ST_UNREADABLE, ST_CORRUPT: not all were visited.
 */
enum status ipv6_routes_walk(const struct ipv6_routes *r, uint64_t net,
			     enum status (*visit)(void *arg, uint64_t route, uint32_t table),
			     void *arg);
