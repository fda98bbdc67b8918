// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock.h"

#include <string.h>

#include "dump/layout.h"

#define MAX_NODES 1024 /* of NUMA; CONFIG_NODES_SHIFT is at most 10 */

static const struct layout_row rows[SOCK_FIELDS] = {
	[SOCK_FAMILY] = { "struct sock", { "__sk_common.skc_family" }, REQUIRED, "all" },
	[SOCK_STATE] = { "struct sock", { "__sk_common.skc_state" }, REQUIRED, "all" },
	[SOCK_NUM] = { "struct sock", { "__sk_common.skc_num" }, REQUIRED, "3.8" },
	[SOCK_PEER_PORT] = { "struct sock", { "__sk_common.skc_dport" }, REQUIRED, "3.8" },
	[SOCK_ADDRESS] = { "struct sock", { "__sk_common.skc_rcv_saddr" }, REQUIRED, "all" },
	[SOCK_PEER_ADDRESS] = { "struct sock", { "__sk_common.skc_daddr" }, REQUIRED, "all" },
	[SOCK_ADDRESS6] = { "struct sock", { "__sk_common.skc_v6_rcv_saddr" }, OPTIONAL, "3.13" },
	[SOCK_PEER_ADDRESS6] = { "struct sock", { "__sk_common.skc_v6_daddr" }, OPTIONAL, "3.13" },
	[SOCK_PROT] = { "struct sock", { "__sk_common.skc_prot" }, REQUIRED, "all" },
	[SOCK_NODE] = { "struct sock", { "__sk_common.skc_nulls_node" }, REQUIRED, "all" },
	/* Up to 5.5 they are bits of one word. */
	[SOCK_TYPE] = { "struct sock", { "sk_type" }, REQUIRED_BITS, "all" },
	[SOCK_PROTOCOL] = { "struct sock", { "sk_protocol" }, REQUIRED_BITS, "all" },
	[SOCK_RMEM] = { "struct sock", { "sk_backlog.rmem_alloc" }, REQUIRED, "all" },
	[SOCK_BACKLOG_LEN] = { "struct sock", { "sk_backlog.len" }, REQUIRED, "all" },
	[SOCK_BACKLOG_HEAD] = { "struct sock", { "sk_backlog.head" }, REQUIRED, "all" },
	[SOCK_FORWARD] = { "struct sock", { "sk_forward_alloc" }, REQUIRED, "all" },
	[SOCK_WMEM_QUEUED] = { "struct sock", { "sk_wmem_queued" }, REQUIRED, "all" },
	[SOCK_WMEM_ALLOC] = { "struct sock", { "sk_wmem_alloc" }, REQUIRED, "all" },
	[SOCK_SOCKET] = { "struct sock", { "sk_socket" }, REQUIRED, "all" },
	[SOCK_ACK_BACKLOG] = { "struct sock", { "sk_ack_backlog" }, REQUIRED, "all" },
	[SOCK_RECEIVE] = { "struct sock", { "sk_receive_queue" }, REQUIRED, "all" },
	[SOCK_ERRORS] = { "struct sock", { "sk_error_queue" }, REQUIRED, "all" },
	[SOCK_WRITE] = { "struct sock", { "sk_write_queue" }, REQUIRED, "all" },
	[SOCK_RTX] = { "struct sock", { "tcp_rtx_queue" }, OPTIONAL, "4.15" },
};

static const struct layout_row kind_rows[SOCK_KIND_FIELDS] = {
	[TCP_RCV_NXT] = { "struct tcp_sock", { "rcv_nxt" }, OPTIONAL, "all" },
	[TCP_COPIED] = { "struct tcp_sock", { "copied_seq" }, OPTIONAL, "all" },
	[TCP_WRITE_SEQ] = { "struct tcp_sock", { "write_seq" }, OPTIONAL, "all" },
	[TCP_SND_UNA] = { "struct tcp_sock", { "snd_una" }, OPTIONAL, "all" },
	[TCP_OUT_OF_ORDER] = { "struct tcp_sock",
			       { "out_of_order_queue" },
			       OPTIONAL,
			       "4.9: a tree" },
	[UDP_READER] = { "struct udp_sock", { "reader_queue" }, OPTIONAL, "4.13" },
	[UDP_DEFICIT] = { "struct udp_sock", { "forward_deficit" }, OPTIONAL, "4.10" },
	[UDP_PROD_QUEUE] = { "struct udp_sock",
			     { "udp_prod_queue" },
			     OPTIONAL,
			     "7.3; not in 6.12" },
	[UDP_PROD_FIRST] = { "struct udp_prod_queue", { "ll_root" }, OPTIONAL, "7.3; not in 6.12" },
	[UNIX_ADDRESS] = { "struct unix_sock", { "addr" }, OPTIONAL, "all" },
	[UNIX_PEER] = { "struct unix_sock", { "peer" }, OPTIONAL, "all" },
	[UNIX_LENGTH] = { "struct unix_address", { "len" }, OPTIONAL, "all" },
	[UNIX_NAME] = { "struct unix_address", { "name" }, OPTIONAL, "all" },
	[ALLOC_SOCKET] = { "struct socket_alloc", { "socket" }, REQUIRED, "all" },
	[ALLOC_INODE] = { "struct socket_alloc", { "vfs_inode" }, REQUIRED, "all" },
	[SOCKET_SK] = { "struct socket", { "sk" }, REQUIRED, "all" },
};

/* Sockets of it are not charged to the memory of their protocol. */
static const struct layout_row bypass_row = {
	"struct sock_common", { "skc_bypass_prot_mem" }, OPTIONAL_BITS, "7.3; not in 6.12"
};

enum status socks_open(struct dump *d, struct socks *ret)
{
	struct socks s = { .dump = d };
	size_t span;
	enum status st = skbs_open(d, &s.skbs);

	if (st == ST_OK)
		st = layout_resolve(d, rows, SOCK_FIELDS, s.f);
	if (st == ST_OK)
		st = layout_resolve(d, kind_rows, SOCK_KIND_FIELDS, s.k);
	if (st == ST_OK)
		st = layout_resolve(d, &bypass_row, 1, &s.bypass);
	if (st != ST_OK)
		return st;
	span = layout_span(s.f, SOCK_RECEIVE);
	if (s.bypass.present && layout_span(&s.bypass, 1) > span)
		s.bypass.present = false;
	if (s.f[SOCK_PROT].size != 8 || s.k[SOCKET_SK].size != 8)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct sock");
	st = layout_buffer(d, "struct sock", span, &s.buffer);
	if (st != ST_OK)
		return st;
	if (d->ops->type_size(d->priv, "struct udp_prod_queue", &s.prod_queue_bytes) != ST_OK)
		s.prod_queue_bytes = 0;
	*ret = s;
	return ST_OK;
}

enum status sock_of_inode(struct socks *s, uint64_t inode, uint64_t *ret)
{
	uint64_t at = inode - s->k[ALLOC_INODE].offset + s->k[ALLOC_SOCKET].offset +
		      s->k[SOCKET_SK].offset;
	uint64_t sock;
	enum status st = dump_u64(s->dump, at, &sock, "socket");

	if (st == ST_OK && !sock)
		st = dump_fail(s->dump, ST_ABSENT, "the socket has no struct sock");
	if (st == ST_OK)
		*ret = sock;
	return st;
}

static enum sock_kind kind_of(const struct socks *s, const struct sock *sock)
{
	bool inet = sock->family == FAMILY_INET || sock->family == FAMILY_INET6, is_tcp = true;

	for (unsigned int i = TCP_RCV_NXT; i <= TCP_OUT_OF_ORDER; i++)
		is_tcp = is_tcp && s->k[i].present;

	if (sock->family == FAMILY_UNIX && s->k[UNIX_PEER].present)
		return SOCK_UNIX;
	if (inet && sock->type == SOCKET_STREAM && sock->protocol == PROTOCOL_TCP && is_tcp)
		return SOCK_TCP;
	if (inet && sock->type == SOCKET_DGRAM &&
	    (sock->protocol == PROTOCOL_UDP || sock->protocol == PROTOCOL_UDPLITE))
		return SOCK_UDP;
	return SOCK_OTHER;
}

/* A number of 32 bits behind the struct sock; 0 where this kernel has no such member. */
static enum status kind_u32(struct socks *s, const struct sock *sock, enum sock_kind_field field,
			    uint32_t *ret)
{
	*ret = 0;
	if (!s->k[field].present)
		return ST_OK;
	return dump_u32(s->dump, sock->address + s->k[field].offset, ret, "sock");
}

static enum status read_tcp(struct socks *s, struct sock *sock)
{
	uint32_t nxt, copied = 0, write_seq = 0, una = 0;
	enum status st = kind_u32(s, sock, TCP_RCV_NXT, &nxt);

	if (st == ST_OK)
		st = kind_u32(s, sock, TCP_COPIED, &copied);
	if (st == ST_OK)
		st = kind_u32(s, sock, TCP_WRITE_SEQ, &write_seq);
	if (st == ST_OK)
		st = kind_u32(s, sock, TCP_SND_UNA, &una);
	if (st != ST_OK)
		return st;
	sock->has_queues = true;
	sock->tx_queue = write_seq - una;
	/* sk_ack_backlog was read with the struct sock. */
	if (sock->state != STATE_LISTEN)
		sock->rx_queue = (int32_t)(nxt - copied) > 0 ? (int32_t)(nxt - copied) : 0;
	return ST_OK;
}

static enum status read_udp(struct socks *s, struct sock *sock)
{
	uint32_t deficit;
	enum status st = kind_u32(s, sock, UDP_DEFICIT, &deficit);

	if (st != ST_OK)
		return st;
	sock->has_queues = true;
	sock->rx_queue = sock->rmem - (int32_t)deficit;
	sock->tx_queue = sock->wmem;
	return ST_OK;
}

static enum status read_kind(struct socks *s, struct sock *sock)
{
	enum status st = ST_OK;

	if (sock->kind == SOCK_TCP)
		return read_tcp(s, sock);
	if (sock->kind == SOCK_UDP)
		return read_udp(s, sock);
	if (sock->kind != SOCK_UNIX)
		return ST_OK;
	st = dump_u64(s->dump, sock->address + s->k[UNIX_PEER].offset, &sock->peer, "unix_sock");
	if (st == ST_OK && s->k[UNIX_ADDRESS].present)
		st = dump_u64(s->dump, sock->address + s->k[UNIX_ADDRESS].offset, &sock->name,
			      "unix_sock");
	return st;
}

static int64_t number(const struct socks *s, enum sock_field field, const uint8_t *raw)
{
	return field_get_signed(&s->f[field], raw);
}

static void bytes_of(const struct field *f, const uint8_t *raw, uint8_t *ret, size_t size)
{
	if (f->present && f->size == size)
		memcpy(ret, raw + f->offset, size);
}

/* In network byte order. */
static uint16_t port_of(const struct field *f, const uint8_t *raw)
{
	return (uint16_t)(raw[f->offset] << 8 | raw[f->offset + 1]);
}

enum status sock_read(struct socks *s, uint64_t address, struct sock *ret)
{
	struct sock sock = { .address = address };
	const uint8_t *raw = s->buffer.raw;
	enum status st = layout_read(s->dump, address, &s->buffer, "sock");

	if (st != ST_OK)
		return st;
	sock.family = (unsigned int)field_get(&s->f[SOCK_FAMILY], raw);
	sock.state = (unsigned int)field_get(&s->f[SOCK_STATE], raw);
	sock.type = (unsigned int)field_get(&s->f[SOCK_TYPE], raw);
	sock.protocol = (unsigned int)field_get(&s->f[SOCK_PROTOCOL], raw);
	sock.prot = field_get(&s->f[SOCK_PROT], raw);
	sock.socket = field_get(&s->f[SOCK_SOCKET], raw);
	sock.is_charged = !field_get(&s->bypass, raw);
	sock.port = (uint16_t)field_get(&s->f[SOCK_NUM], raw);
	sock.peer_port = port_of(&s->f[SOCK_PEER_PORT], raw);
	bytes_of(&s->f[SOCK_ADDRESS], raw, sock.address4, 4);
	bytes_of(&s->f[SOCK_PEER_ADDRESS], raw, sock.peer_address4, 4);
	sock.has_address6 = s->f[SOCK_ADDRESS6].present && s->f[SOCK_PEER_ADDRESS6].present;
	bytes_of(&s->f[SOCK_ADDRESS6], raw, sock.address6, 16);
	bytes_of(&s->f[SOCK_PEER_ADDRESS6], raw, sock.peer_address6, 16);
	sock.rmem = number(s, SOCK_RMEM, raw);
	sock.backlog = number(s, SOCK_BACKLOG_LEN, raw);
	sock.backlogged = field_get(&s->f[SOCK_BACKLOG_HEAD], raw);
	sock.forward = number(s, SOCK_FORWARD, raw);
	sock.wmem_queued = number(s, SOCK_WMEM_QUEUED, raw);
	/* The socket has a count of its own (sk_wmem_alloc_get()). */
	sock.wmem = number(s, SOCK_WMEM_ALLOC, raw) - 1;
	sock.rx_queue = number(s, SOCK_ACK_BACKLOG, raw);
	if (!sock.prot || !sock.family || sock.family > 255 || sock.state >= 32)
		return dump_fail(s->dump, ST_CORRUPT, "sock at %#llx: family %u, state %u",
				 (unsigned long long)address, sock.family, sock.state);
	sock.kind = kind_of(s, &sock);
	st = read_kind(s, &sock);
	if (st == ST_OK)
		*ret = sock;
	return st;
}

/* What is there is another CPU's way to the receive queue, and seldom has a packet. */
static enum status check_prod_queues(struct socks *s, const struct sock *sock)
{
	uint64_t queues, first, nodes = 1;
	enum status st = ST_OK;

	if (!s->k[UDP_PROD_QUEUE].present || !s->k[UDP_PROD_FIRST].present || !s->prod_queue_bytes)
		return ST_OK;
	st = dump_u64(s->dump, sock->address + s->k[UDP_PROD_QUEUE].offset, &queues, "udp_sock");
	if (dump_has_symbol(s->dump, "nr_node_ids") &&
	    dump_value(s->dump, "nr_node_ids", &nodes) != ST_OK)
		return ST_UNREADABLE;
	for (uint64_t i = 0; st == ST_OK && queues && i < nodes && i < MAX_NODES; i++) {
		st = dump_u64(s->dump,
			      queues + i * s->prod_queue_bytes + s->k[UDP_PROD_FIRST].offset,
			      &first, "udp_prod_queue");
		if (st == ST_OK && first)
			st = dump_fail(s->dump, ST_UNKNOWN,
				       "udp_sock at %#llx: packets between two queues",
				       (unsigned long long)sock->address);
	}
	return st;
}

static enum status walk_received(struct socks *s, const struct sock *sock, skb_visit *visit,
				 void *arg)
{
	enum status st = skb_queue_walk(&s->skbs, sock->address + s->f[SOCK_RECEIVE].offset, visit,
					arg);

	if (sock->kind != SOCK_UDP || st != ST_OK)
		return st;
	if (s->k[UDP_READER].present)
		st = skb_queue_walk(&s->skbs, sock->address + s->k[UDP_READER].offset, visit, arg);
	return st == ST_OK ? check_prod_queues(s, sock) : st;
}

enum status sock_queue_walk(struct socks *s, const struct sock *sock, enum sock_queue queue,
			    skb_visit *visit, void *arg)
{
	switch (queue) {
	case SOCK_QUEUE_RECEIVE:
		return walk_received(s, sock, visit, arg);
	case SOCK_QUEUE_OUT_OF_ORDER:
		if (sock->kind != SOCK_TCP)
			return ST_OK;
		return skb_tree_walk(&s->skbs, sock->address + s->k[TCP_OUT_OF_ORDER].offset, visit,
				     arg);
	case SOCK_QUEUE_BACKLOG:
		return skb_chain_walk(&s->skbs, sock->backlogged, visit, arg);
	case SOCK_QUEUE_ERROR:
		return skb_queue_walk(&s->skbs, sock->address + s->f[SOCK_ERRORS].offset, visit,
				      arg);
	case SOCK_QUEUE_WRITE:
		return skb_queue_walk(&s->skbs, sock->address + s->f[SOCK_WRITE].offset, visit,
				      arg);
	case SOCK_QUEUE_RTX:
		if (sock->kind != SOCK_TCP || !s->f[SOCK_RTX].present)
			return ST_OK;
		return skb_tree_walk(&s->skbs, sock->address + s->f[SOCK_RTX].offset, visit, arg);
	default:
		return ST_OK;
	}
}
