// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/local_ports.h"

#include <string.h>

#include "util/hash_bytes.h"

#define PORTS 65536
#define LOOPBACK 127 /* first byte of an IPv4 address: ipv4_is_loopback() */

enum { REUSE_NEVER, REUSE_ALWAYS, REUSE_LOOPBACK }; /* net.ipv4.tcp_tw_reuse */

/* Of a network namespace. */
struct ports {
	bool is_read;
	uint32_t first, last, n; /* n: from the first on, that connect() tries */
	uint64_t limit, reuse;
	uint8_t reserved[PORTS / 8];
};

struct search {
	struct dump *dump;
	struct socks socks;
	struct field range, reserved, reuse;
	struct hash_u64 ports;	/* of struct ports by network namespace */
	struct hash_bytes uses; /* of struct port_use by struct sock_ends */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	/* 6.8: one word, the last port in its upper half; before, an int for each. */
	FINDS(struct search, range, "struct net", REQUIRED, "3.16", "ipv4.ip_local_ports.range"),
	FINDS(struct search, reserved, "struct net", OPTIONAL, "3.16",
	      "ipv4.sysctl_local_reserved_ports"),
	FINDS(struct search, reuse, "struct net", REQUIRED, "4.11", "ipv4.sysctl_tcp_tw_reuse"),
};

static enum status read_net(struct search *x, uint64_t net, struct ports *ret)
{
	struct dump *d = x->dump;
	uint8_t range[8] = { 0 }, reuse[8] = { 0 };
	uint64_t reserved = 0;
	enum status st =
		dump_read(d, net + x->range.offset, range, x->range.size, "net")
			?: dump_check(d, net + x->range.offset, range, x->range.size, "net")
			?: dump_read(d, net + x->reuse.offset, reuse, x->reuse.size, "net");

	if (st == ST_OK && x->reserved.present)
		st = dump_u64(d, net + x->reserved.offset, &reserved, "net");
	if (st == ST_OK && reserved)
		st = dump_read(d, reserved, ret->reserved, sizeof(ret->reserved),
			       "ip_local_reserved_ports");
	if (st != ST_OK)
		return st;
	ret->first = x->range.size == 8 ? le32(range) : le16(range);
	ret->last = x->range.size == 8 ? le32(range + 4) : le16(range + 2);
	ret->reuse = le_bytes(reuse, x->reuse.size);
	if (ret->first > ret->last || ret->last >= PORTS)
		return dump_corrupt(d, "net at %#lx: local ports from %u to %u", net, ret->first,
				    ret->last);
	/* Even and odd ones in turn: of an odd number the last one is left out. */
	ret->n = ret->last - ret->first + 1;
	if (ret->n > 1)
		ret->n &= ~1U;
	for (uint32_t i = ret->first; i < ret->first + ret->n; i++)
		ret->limit += !(ret->reserved[i / 8] >> i % 8 & 1);
	ret->is_read = true;
	return ST_OK;
}

/* NULL: it cannot be read. */
static const struct ports *ports_of(struct search *x, uint64_t net)
{
	bool is_new;
	struct ports *p = hash_u64_get(&x->ports, net, &is_new);
	uint64_t at = net;
	enum status st = ST_OK;

	if (!is_new)
		return p->is_read ? p : NULL;
	/* A kernel without CONFIG_NET_NS has but one. */
	if (!net)
		st = dump_symbol(x->dump, "init_net", &at);
	first_problem_keep(x->dump, &x->problem, st ?: read_net(x, at, p));
	return p->is_read ? p : NULL;
}

static bool is_given(const struct ports *p, uint16_t port)
{
	return port >= p->first && port < p->first + p->n &&
	       !(p->reserved[port / 8] >> port % 8 & 1);
}

/* connect() takes the port of a connection in TIME_WAIT: tcp_twsk_unique(). */
static bool is_reused(const struct ports *p, const struct sock *sock)
{
	static const uint8_t six[16] = { [15] = 1 };

	if (p->reuse == REUSE_LOOPBACK && sock->family == FAMILY_INET6 && sock->has_address6)
		return !memcmp(sock->peer_address6, six, sizeof(six)) ||
		       !memcmp(sock->address6, six, sizeof(six));
	return p->reuse == REUSE_LOOPBACK
		       ? sock->address4[0] == LOOPBACK || sock->peer_address4[0] == LOOPBACK
		       : p->reuse == REUSE_ALWAYS;
}

static struct sock_ends key_of(const struct sock *sock)
{
	struct sock_ends e = sock_ends_of(sock);

	e.port = 0;
	return e;
}

static enum status add(void *arg, uint64_t address, unsigned int state)
{
	struct search *x = arg;
	const struct sock *known = sock_known(&x->socks, address);
	struct sock sock;
	struct sock_ends key;
	struct port_use *u;
	const struct ports *p;
	bool is_new;
	enum status st = known ? ST_OK : sock_read_ends(&x->socks, address, &sock);

	if (st != ST_OK)
		return first_problem_keep(x->dump, &x->problem, st);
	known = known ?: &sock;
	p = ports_of(x, known->net);
	if (!p || !is_given(p, known->port) || (state == STATE_TIME_WAIT && is_reused(p, known)))
		return ST_OK;
	key = key_of(known);
	u = hash_bytes_get(&x->uses, &key, sizeof(key), &is_new)->value;
	if (is_new) {
		u->to = key;
		u->first = p->first;
		u->last = p->last;
		u->limit = p->limit;
		u->address = address;
	}
	u->used++;
	u->time_wait += state == STATE_TIME_WAIT;
	return ST_OK;
}

bool port_use_has(const struct port_use *u, const struct sock *sock)
{
	const struct sock_ends key = key_of(sock);

	return sock->kind == SOCK_TCP && !memcmp(&key, &u->to, sizeof(key)) &&
	       sock->port >= u->first && sock->port <= u->last;
}

enum status port_uses_walk(struct dump *d, uint64_t tenths,
			   void (*visit)(void *arg, const struct port_use *u), void *arg)
{
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	if (!dump_has_symbol(d, "tcp_hashinfo"))
		return dump_absent(d, "this kernel has no TCP");
	st = STRUCTS_OPEN(d, rows, x) ?: socks_open(d, &x->socks);
	if (st == ST_OK && ((x->range.size != 4 && x->range.size != 8) || x->reuse.size > 8))
		st = dump_unknown(d, "struct net");
	if (st != ST_OK)
		return st;
	x->dump = d;
	hash_u64_init(&x->ports, d->arena, sizeof(struct ports));
	hash_bytes_init(&x->uses, d->arena, sizeof(struct port_use));
	st = tcp_hash_walk(&x->socks, add, x);
	if (st == ST_STOPPED)
		return st;
	first_problem_keep(d, &x->problem, st);
	hash_bytes_for_each(struct port_use, u, &x->uses) {
		struct sock sock;

		if (u->used * 1000 < u->limit * tenths ||
		    sock_read_ends(&x->socks, u->address, &sock) != ST_OK)
			continue;
		sock_peer_text(&x->socks, &sock, u->remote);
		visit(arg, u);
	}
	return first_problem_end(d, &x->problem);
}
