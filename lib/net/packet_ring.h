/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings of packet sockets (PACKET_RX_RING, PACKET_TX_RING; net/packet/af_packet.c) of all network
 * namespaces.  A holder is a ring, with the struct sock that it is of, by the direction and the number of the
 * interface: "rx, ifindex 2", "rx" of a socket that takes packets of all.
 */
#pragma once

#include "dump/memory_parts.h"

/*
 * ST_ABSENT: no packet sockets (CONFIG_PACKET), and no loaded module of them; ST_UNKNOWN: types of the module are not loaded;
 * ST_UNREADABLE, ST_CORRUPT: some rings, or parts of them, are missing.
 */
enum status packet_rings_walk(struct dump *d, const struct memory_parts *v);
