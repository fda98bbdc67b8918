/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fragments of IP packets that wait for the others (net/ipv4/inet_fragment.c), of a network namespace. */
#pragma once

#include "dump/structure.h"
#include "kernel/jiffies.h"

struct fragments_of {
	struct dump *dump;
	struct field ipv4, ipv6; /* of struct net: pointers to struct fqdir */
	struct structure dir;
	struct jiffies jiffies;
};

struct fragments {
	uint64_t bytes; /* as the kernel counts them: with what each packet takes beside its data */
	uint64_t queues;     /* packets of which a part is there */
	uint64_t most;	     /* ipfrag_high_thresh: bytes from which on others are dropped */
	uint64_t timeout_ns; /* 0: unknown */
};

/* ST_ABSENT: this kernel has no network; or is older than 5.3; ST_UNKNOWN: a layout that this build does not know. */
enum status fragments_open(struct dump *d, struct fragments_of *ret);

/* net: address of struct net.  ST_ABSENT: it has none of this version. */
enum status fragments_read(const struct fragments_of *f, uint64_t net, bool is_ipv6,
			   struct fragments *ret);
