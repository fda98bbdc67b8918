/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries of connection tracking: struct nf_conn (net/netfilter/nf_conntrack_core.c), which is built in or a module. */
#pragma once

#include "dump/structure.h"
#include "kernel/jiffies.h"

struct conntracks {
	struct dump *dump;
	struct structure conn, tuple, ext;
	struct field
		tuples; /* of struct nf_conn: both directions, that of its first packet before the other */
	struct field udp_timeouts, tcp_timeouts; /* of struct net: sysctls, in jiffies, by state */
	struct jiffies jiffies;
	uint64_t cache; /* address of the struct kmem_cache */
	uint64_t max;	/* nf_conntrack_max, of each network namespace; 0: unknown */
};

struct conntrack {
	uint64_t net; /* address of its network namespace; 0: this kernel has but one */
	uint64_t ext; /* address of its extensions, an object of their own; 0: none */
	uint32_t ext_bytes;
	unsigned int protocol;
	uint16_t port;	   /* of the destination, of protocols that have any; else 0 */
	uint16_t from;	   /* the same of the source; 0: unknown, too */
	bool is_in_table;  /* it is hashed: others are of a packet that is not through, or end */
	bool is_replied;   /* packets of both directions were seen */
	bool is_connected; /* TCP: ESTABLISHED */
	uint64_t left_ns;  /* until it ends by its timeout; 0: that is over, or unknown */
};

/* ST_ABSENT: this kernel has no connection tracking, or its module is not loaded; ST_UNKNOWN. */
enum status conntracks_open(struct dump *d, struct conntracks *ret);

/* Of an object of the cache. */
enum status conntrack_read(const struct conntracks *x, uint64_t address, struct conntrack *ret);

/*
 * The sysctl of its network namespace that new entries like this one get their timeout of, and what it is; NULL: none that
 * is known.  They may have one of their own (nfnetlink_cttimeout, ctnetlink).
 */
const char *conntrack_setting(const struct conntracks *x, const struct conntrack *c,
			      uint64_t *seconds);

/* "TCP"; NULL: no name is known. */
const char *conntrack_protocol(unsigned int protocol);
