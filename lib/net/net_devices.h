/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Network devices (struct net_device) of all network namespaces. */
#pragma once

#include "dump/structure.h"

#define DEVICE_NAME 17 /* IFNAMSIZ, and an end of ours */

struct net_device {
	uint64_t address;
	uint64_t net; /* of struct net */
	char name[DEVICE_NAME];
	uint64_t hardware; /* address of its hardware address, six bytes of Ethernet; 0: unknown */
	uint64_t operations; /* struct net_device_ops, of its driver; 0: unknown */
};

/*
 * What cannot be read costs only itself: its status comes after all others were visited, as that of visit does, unless
 * that is ST_STOPPED.  ST_ABSENT: a kernel without network; ST_UNKNOWN: an unknown layout.
 */
enum status net_devices_walk(struct dump *d,
			     enum status (*visit)(void *arg, const struct net_device *device),
			     void *arg);
