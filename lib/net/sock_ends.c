// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock_ends.h"

#include <string.h>

static void put_address(uint8_t to[16], const struct sock *sock, const uint8_t four[4],
			const uint8_t six[16])
{
	if (sock->family == FAMILY_INET6 && sock->has_address6) {
		memcpy(to, six, 16);
		return;
	}
	memset(to + 10, 0xff, 2);
	memcpy(to + 12, four, 4);
}

struct sock_ends sock_ends_of(const struct sock *sock)
{
	struct sock_ends e = { .net = sock->net, .port = sock->port, .peer_port = sock->peer_port };

	put_address(e.local, sock, sock->address4, sock->address6);
	put_address(e.remote, sock, sock->peer_address4, sock->peer_address6);
	return e;
}

struct sock_ends sock_ends_turned(const struct sock_ends *e)
{
	struct sock_ends other = *e;

	memcpy(other.local, e->remote, sizeof(other.local));
	memcpy(other.remote, e->local, sizeof(other.remote));
	other.port = e->peer_port;
	other.peer_port = e->port;
	return other;
}
