/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * UMEMs of AF_XDP sockets (XDP_UMEM_REG; net/xdp/xdp_umem.c) of all network namespaces: pages of a process that are
 * pinned, and stay when it unmaps them.  A holder is a UMEM, with the struct sock that it is of; of those that several
 * sockets share no one's is known.
 */
#pragma once

#include "dump/memory_parts.h"

/* ST_ABSENT: built without CONFIG_XDP_SOCKETS; ST_UNREADABLE, ST_CORRUPT: some, or parts of them, are missing. */
enum status xdp_umems_walk(struct dump *d, const struct memory_parts *v);
