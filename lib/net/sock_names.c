// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of sockets as text, and the names of families, types and states. */
#include <ctype.h>

#include "net/sock.h"
#include "util/strbuf.h"

#define SUN_PATH 108 /* bytes of sockaddr_un.sun_path, behind a family of two */
#define FAMILIES 46

/* AF_* of include/linux/socket.h, in lower case. */
static const char *const families[FAMILIES] = {
	[FAMILY_UNIX] = "unix",
	[FAMILY_INET] = "inet",
	[FAMILY_INET6] = "inet6",
	[15] = "key",
	[FAMILY_NETLINK] = "netlink",
	[FAMILY_PACKET] = "packet",
	[21] = "rds",
	[24] = "pppox",
	[29] = "can",
	[30] = "tipc",
	[31] = "bluetooth",
	[33] = "rxrpc",
	[38] = "alg",
	[40] = "vsock",
	[41] = "kcm",
	[42] = "qipcrtr",
	[43] = "smc",
	[44] = "xdp",
	[45] = "mctp",
};

/* enum sock_type of include/linux/net.h. */
static const char *const types[] = { NULL,   "stream", "dgram", "raw", "rdm",	"seqpacket",
				     "dccp", NULL,     NULL,	NULL,  "packet" };

/* include/net/tcp_states.h; other protocols use some of them. */
static const char *const states[] = { NULL,	      "established",   "syn_sent",  "syn_recv",
				      "fin_wait1",    "fin_wait2",     "time_wait", "close",
				      "close_wait",   "last_ack",      "listen",    "closing",
				      "new_syn_recv", "bound_inactive" };

#define NAME_OF(table, i) ((i) < sizeof(table) / sizeof((table)[0]) ? (table)[i] : NULL)

const char *sock_family_name(unsigned int family)
{
	return NAME_OF(families, family);
}

const char *sock_type_name(unsigned int type)
{
	return NAME_OF(types, type);
}

const char *sock_state_name(unsigned int state)
{
	return NAME_OF(states, state);
}

static void put_inet(struct strbuf *b, const uint8_t a[4], uint16_t port)
{
	strbuf_add(b, "%u.%u.%u.%u:%u", a[0], a[1], a[2], a[3], port);
}

/* The longest run of two or more groups of zero; n is 0 if there is none (RFC 5952, 4.2). */
static unsigned int longest_zeros(const uint8_t a[16], unsigned int *n)
{
	unsigned int best = 0;

	*n = 0;
	for (unsigned int i = 0; i < 8; i++) {
		unsigned int end = i;

		while (end < 8 && !a[2 * end] && !a[2 * end + 1])
			end++;
		if (end - i > *n && end - i > 1) {
			best = i;
			*n = end - i;
		}
		i = end > i ? end - 1 : i;
	}
	return best;
}

static void put_inet6(struct strbuf *b, const uint8_t a[16], uint16_t port)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	unsigned int n, at = longest_zeros(a, &n);

	strbuf_add(b, "[");
	if (!memcmp(a, mapped, sizeof(mapped))) {
		strbuf_add(b, "::ffff:%u.%u.%u.%u", a[12], a[13], a[14], a[15]);
	} else {
		for (unsigned int i = 0; i < 8; i++) {
			if (n && i == at) {
				strbuf_add(b, "::");
				i += n - 1;
				continue;
			}
			strbuf_add(b, "%s%x", i && !(n && i == at + n) ? ":" : "",
				   a[2 * i] << 8 | a[2 * i + 1]);
		}
	}
	strbuf_add(b, "]:%u", port);
}

static bool put_unix(struct socks *s, uint64_t name, struct strbuf *b)
{
	uint8_t raw[2 + SUN_PATH];
	uint32_t len;

	if (!name)
		return true;
	if (!s->name_length.present || !s->name_text.present ||
	    dump_u32(s->dump, name + s->name_length.offset, &len, "unix_address") != ST_OK ||
	    len < 3 || len > sizeof(raw) ||
	    dump_read(s->dump, name + s->name_text.offset, raw, len, "unix_address") != ST_OK)
		return false;
	/* An abstract name begins with NUL, and may have others; a path ends with one. */
	for (uint32_t i = 2; i < len && (raw[i] || !raw[2]); i++)
		strbuf_add(b, "%c", !raw[i] ? '@' : isprint(raw[i]) ? raw[i] : '?');
	return true;
}

static bool put_address(struct socks *s, const struct sock *sock, bool local, struct strbuf *b)
{
	uint16_t port = local ? sock->port : sock->peer_port;

	if (sock->family == FAMILY_INET) {
		put_inet(b, local ? sock->address4 : sock->peer_address4, port);
		return true;
	}
	if (sock->family == FAMILY_INET6 && sock->has_address6) {
		put_inet6(b, local ? sock->address6 : sock->peer_address6, port);
		return true;
	}
	return local && sock->kind == SOCK_UNIX && put_unix(s, sock->name, b);
}

bool sock_local_text(struct socks *s, const struct sock *sock, char buf[SOCK_NAME])
{
	struct strbuf b = strbuf_in(buf, SOCK_NAME);

	return put_address(s, sock, true, &b);
}

bool sock_peer_text(struct socks *s, const struct sock *sock, char buf[SOCK_NAME])
{
	struct strbuf b = strbuf_in(buf, SOCK_NAME);
	struct sock peer;

	if (sock->kind != SOCK_UNIX)
		return put_address(s, sock, false, &b);
	if (!sock->peer)
		return true;
	return sock_read(s, sock->peer, &peer) == ST_OK && put_address(s, &peer, true, &b);
}
