/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hash tables of TCP connections (struct inet_hashinfo.ehash): they also have those that no process
 * has open.  Listening sockets are in other tables.
 */
#pragma once

#include "net/sock.h"
#include "util/hash_u64.h"

/*
 * Calls visit with the address of each struct sock.  Connections in TIME_WAIT and those that are not
 * established yet (struct request_sock) have no queues, and are left out.  ST_ABSENT: a kernel
 * without TCP.  Where a chain breaks off, the others are read, and the status is that of the first.
 */
enum status tcp_hash_walk(struct socks *s, enum status (*visit)(void *arg, uint64_t sock),
			  void *arg);
