/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Protocols that sockets are of (struct proto), and the memory that each accounts. */
#pragma once

#include "dump/dump.h"

enum proto_field { PROTO_NODE, PROTO_NAME, PROTO_ALLOCATED, PROTO_RESERVE, PROTO_FIELDS };

#define SOCK_PROTOCOL_NAME 32

struct sock_protocol {
	uint64_t address;
	char name[SOCK_PROTOCOL_NAME]; /* "TCPv6" */
	/*
	 * Address of the counter of its memory, which protocols share: TCP and TCPv6; 0: it has
	 * none.
	 */
	uint64_t counter;
	bool has_memory;	 /* the following are filled */
	int64_t allocated_bytes; /* as sockstat and protocols show it, there in pages, 0 for less */
	int64_t reserve_bytes;	 /* what CPUs have not added, from 6.1 on; may be negative */
};

/*
 * Calls visit with each protocol of proto_list, as /proc/net/protocols has them.  ST_ABSENT: no
 * network; any status of visit but ST_OK ends the walk.
 */
enum status sock_protocols_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct sock_protocol *p),
				void *arg);
