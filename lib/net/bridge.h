/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bridges (net/bridge/br_private.h, built in or a module), and how many entries their forwarding tables have. */
#pragma once

#include "dump/structure.h"
#include "net/net_devices.h"

struct bridge {
	struct net_device device;
	uint64_t entries; /* of its forwarding table, what "bridge fdb show br NAME" lists */
	uint64_t cache;	  /* address of the kmem_cache that all entries are of; 0: unknown */
};

/* Of what kind a network device is (struct rtnl_link_ops), and what lies before its own part. */
struct link_kinds {
	struct structure device, ops;
	uint64_t device_bytes;
};

enum status link_kinds_open(struct dump *d, struct link_kinds *ret);

/*
 * Each bridge of all network namespaces.  ST_ABSENT: the kernel has no bridges, or its module is not loaded; ST_UNKNOWN; another
 * status comes after all that could be read.
 */
enum status bridges_walk(struct dump *d, enum status (*visit)(void *arg, const struct bridge *b),
			 void *arg);
