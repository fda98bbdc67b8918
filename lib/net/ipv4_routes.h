/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * IPv4 routes as objects of their cache (net/ipv4/fib_trie.c): a struct fib_alias for each, in the list of a leaf of the
 * trie, with a struct fib_info that routes to the same place share.
 */
#pragma once

#include "dump/structure.h"

struct ipv4_routes {
	struct dump *dump;
	struct structure alias, info;
};

struct ipv4_route {
	uint64_t info;	  /* address of its struct fib_info */
	uint64_t net;	  /* address of the network namespace */
	uint64_t leaf;	  /* where the pointer to it is: a leaf, or the route before it */
	uint32_t table;	  /* 254: main, 255: local */
	uint32_t routes;  /* that have this info; 0: unknown */
	uint8_t protocol; /* who installed it: RTPROT_* of rtnetlink(7) */
};

/* ST_ABSENT: built without CONFIG_INET; ST_UNKNOWN. */
enum status ipv4_routes_find(struct dump *d, struct ipv4_routes *ret);

/* ST_CORRUPT: what is there is none. */
enum status ipv4_route_read(const struct ipv4_routes *r, uint64_t alias, struct ipv4_route *ret);

/* "bgp", or NULL. */
const char *ipv4_protocol(uint8_t protocol);
