// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/conntrack.h"

#include "modules/module_sections.h"

/* Bits of nf_conn.status, and a state of TCP (include/uapi/linux/netfilter/nf_conntrack_common.h, _tcp.h). */
#define IPS_SEEN_REPLY (1u << 1)
#define IPS_CONFIRMED (1u << 3)
#define IPS_DYING (1u << 9)
#define TCP_CONNTRACK_ESTABLISHED 3

#define MODULE "nf_conntrack"

struct conn {
	uint64_t net, ext, status;
	uint32_t timeout;
	uint8_t tcp_state;
};

struct tuple {
	uint8_t protocol;
	uint16_t to, from;
};

struct extensions {
	uint32_t bytes;
};

static const struct layout_row rows[] = {
	FINDS(struct conntracks, tuples, "struct nf_conn", REQUIRED, "all", "tuplehash"),
	STRUCTURE(struct conntracks, conn, "struct nf_conn"),
	POINTS(struct conn, net, OPTIONAL, "all, CONFIG_NET_NS", "ct_net.net"),
	POINTS(struct conn, ext, REQUIRED, "all", "ext"),
	POINTS(struct conn, status, REQUIRED, "all", "status"),
	/* 4.9: netfilter: conntrack: get rid of conntrack timer. */
	READS(struct conn, timeout, REQUIRED, "4.9", "timeout"),
	READS(struct conn, tcp_state, OPTIONAL, "all", "proto.tcp.state"),
	STRUCTURE(struct conntracks, tuple, "struct nf_conntrack_tuple_hash"),
	READS(struct tuple, protocol, REQUIRED, "all", "tuple.dst.protonum"),
	READS(struct tuple, to, REQUIRED, "all", "tuple.dst.u.all"),
	READS(struct tuple, from, OPTIONAL, "all", "tuple.src.u.all"),
	STRUCTURE(struct conntracks, ext, "struct nf_ct_ext"),
	READS(struct extensions, bytes, REQUIRED, "all", "len"),
	FINDS(struct conntracks, udp_timeouts, "struct net", OPTIONAL, "all, CONFIG_NF_CONNTRACK",
	      "ct.nf_ct_proto.udp.timeouts"),
	FINDS(struct conntracks, tcp_timeouts, "struct net", OPTIONAL, "all, CONFIG_NF_CONNTRACK",
	      "ct.nf_ct_proto.tcp.timeouts"),
};

static const struct {
	unsigned int number;
	const char *name;
	bool has_ports;
} protocols[] = {
	{ 1, "ICMP", false },  { 6, "TCP", true },	  { 17, "UDP", true },
	{ 33, "DCCP", true },  { 47, "GRE", false },	  { 58, "ICMPv6", false },
	{ 132, "SCTP", true }, { 136, "UDP-Lite", true },
};

const char *conntrack_protocol(unsigned int protocol)
{
	for (size_t i = 0; i < ARRAY_SIZE(protocols); i++)
		if (protocols[i].number == protocol)
			return protocols[i].name;
	return NULL;
}

static bool has_ports(unsigned int protocol)
{
	return ANY_OF(i, ARRAY_SIZE(protocols),
		      protocols[i].number == protocol && protocols[i].has_ports);
}

enum status conntracks_open(struct dump *d, struct conntracks *ret)
{
	uint64_t at, max_at;
	uint32_t max;
	enum status st;

	*ret = (struct conntracks){ .dump = d };
	st = module_object_symbol(d, MODULE, "nf_conntrack_cachep", &at)
		     ?: dump_u64(d, at, &ret->cache, "nf_conntrack_cachep")
		     ?: STRUCTS_OPEN(d, rows, ret);
	if (st != ST_OK)
		return st;
	jiffies_open(d, &ret->jiffies);
	if (module_object_symbol(d, MODULE, "nf_conntrack_max", &max_at) == ST_OK &&
	    dump_u32(d, max_at, &max, "nf_conntrack_max") == ST_OK)
		ret->max = max;
	return ST_OK;
}

/* The low half of jiffies at which it ends. */
static uint64_t time_left(const struct conntracks *x, uint32_t timeout)
{
	const int32_t left = (int32_t)(timeout - (uint32_t)x->jiffies.now);

	return left > 0 ? (uint64_t)left * x->jiffies.tick_ns : 0;
}

static uint16_t port_of(const struct tuple *t, uint16_t of)
{
	return has_ports(t->protocol) ? (uint16_t)(of << 8 | of >> 8) : 0;
}

const char *conntrack_setting(const struct conntracks *x, const struct conntrack *c,
			      uint64_t *seconds)
{
	const bool is_udp = c->protocol == 17;
	const struct field *of = is_udp ? &x->udp_timeouts : &x->tcp_timeouts;
	/* enum udp_conntrack: UDP_CT_UNREPLIED, UDP_CT_REPLIED. */
	const unsigned int state = is_udp ? c->is_replied : TCP_CONNTRACK_ESTABLISHED;
	uint64_t net = c->net;
	uint32_t ticks;
	const bool is_read = (is_udp || c->is_connected) && of->present && x->jiffies.tick_ns &&
			     (net || dump_ask(x->dump, symbol, "init_net", &net) == ST_OK) &&
			     dump_u32(x->dump, net + of->offset + state * sizeof(ticks), &ticks,
				      "timeouts of connection tracking") == ST_OK;

	x->dump->error[0] = '\0';
	if (!is_read || !ticks)
		return NULL;
	*seconds = ticks * x->jiffies.tick_ns / 1000000000;
	return !is_udp	       ? "net.netfilter.nf_conntrack_tcp_timeout_established"
	       : c->is_replied ? "net.netfilter.nf_conntrack_udp_timeout_stream"
			       : "net.netfilter.nf_conntrack_udp_timeout";
}

enum status conntrack_read(const struct conntracks *x, uint64_t address, struct conntrack *ret)
{
	struct conn c = { 0 };
	struct tuple t = { 0 };
	struct extensions e = { 0 };
	enum status st = struct_read(&x->conn, address, &c)
				 ?: struct_read(&x->tuple, address + x->tuples.offset, &t);

	if (st == ST_OK && c.ext)
		st = struct_read(&x->ext, c.ext, &e);
	if (st != ST_OK)
		return st;
	*ret = (struct conntrack){
		.net = c.net,
		.ext = c.ext,
		.ext_bytes = e.bytes,
		.protocol = t.protocol,
		.port = port_of(&t, t.to),
		.from = port_of(&t, t.from),
		.is_in_table = c.status & IPS_CONFIRMED && !(c.status & IPS_DYING),
		.is_replied = c.status & IPS_SEEN_REPLY,
		.is_connected = t.protocol == 6 && c.tcp_state == TCP_CONNTRACK_ESTABLISHED,
	};
	ret->left_ns = ret->is_in_table ? time_left(x, c.timeout) : 0;
	return ST_OK;
}
