/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both ends of a TCP connection, as a key without padding that differs. */
#pragma once

#include "net/sock.h"

struct sock_ends {
	uint64_t net;
	uint8_t local[16],
		remote[16]; /* of IPv4 "::ffff:10.0.0.1": one end may be of either family */
	uint16_t port, peer_port;
	uint32_t unused;
};

struct sock_ends sock_ends_of(const struct sock *sock);

/* As the other end has them. */
struct sock_ends sock_ends_turned(const struct sock_ends *e);
