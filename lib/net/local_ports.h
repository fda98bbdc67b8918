/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TCP destinations for which a network namespace has hardly a local port left: __inet_hash_connect() gives a
 * connection a port of net.ipv4.ip_local_port_range that no other one has from the same address to the same
 * address and port, or fails with EADDRNOTAVAIL.
 */
#pragma once

#include "net/sock_ends.h"

struct port_use {
	struct sock_ends to; /* port is 0: it is of all of them */
	uint64_t address;    /* of the first of them */
	char remote[SOCK_NAME];
	uint32_t first, last; /* the range */
	uint64_t used, limit; /* limit: without net.ipv4.ip_local_reserved_ports */
	uint64_t time_wait;   /* of used: in TIME_WAIT, not freed by net.ipv4.tcp_tw_reuse */
};

/* Whether a connection is one of those. */
bool port_use_has(const struct port_use *u, const struct sock *sock);

/*
 * Destinations that have used at least tenths of a percent of their range. ST_ABSENT: no TCP; ST_UNKNOWN. Where
 * some cannot be read, visit is called for the others, and the status is that of the first.
 */
enum status port_uses_walk(struct dump *d, uint64_t tenths,
			   void (*visit)(void *arg, const struct port_use *u), void *arg);
