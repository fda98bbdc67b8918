// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock.h"

#include <arpa/inet.h>

#define MAX_NODES 1024 /* of NUMA; CONFIG_NODES_SHIFT is at most 10 */

struct tcp {
	uint32_t rcv_nxt, copied_seq, write_seq, snd_una;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct socks, ends, "struct sock"),
	READS(struct sock, family, REQUIRED, "all", "__sk_common.skc_family"),
	READS(struct sock, state, REQUIRED, "all", "__sk_common.skc_state"),
	READS(struct sock, port, REQUIRED, "3.8", "__sk_common.skc_num"),
	READS(struct sock, peer_port, REQUIRED, "3.8", "__sk_common.skc_dport"),
	READS(struct sock, address4, REQUIRED, "all", "__sk_common.skc_rcv_saddr"),
	READS(struct sock, peer_address4, REQUIRED, "all", "__sk_common.skc_daddr"),
	READS_IF(struct sock, address6, has_address6, OPTIONAL, "3.13",
		 "__sk_common.skc_v6_rcv_saddr"),
	READS(struct sock, peer_address6, OPTIONAL, "3.13", "__sk_common.skc_v6_daddr"),
	POINTS(struct sock, prot, REQUIRED, "all", "__sk_common.skc_prot"),
	POINTS(struct sock, net, OPTIONAL, "CONFIG_NET_NS", "__sk_common.skc_net.net"),
	READS_IF(struct sock, next, has_next, OPTIONAL, "all", "__sk_common.skc_nulls_node.next"),
	FINDS(struct socks, node, "struct sock", REQUIRED, "all", "__sk_common.skc_nulls_node"),
	STRUCTURE(struct socks, sock, "struct sock"),
	/* Up to 5.5 they are bits of one word. */
	READS(struct sock, type, REQUIRED_BITS, "all", "sk_type"),
	READS(struct sock, protocol, REQUIRED_BITS, "all", "sk_protocol"),
	READS(struct sock, rmem, REQUIRED, "all", "sk_backlog.rmem_alloc"),
	READS(struct sock, backlog, REQUIRED, "all", "sk_backlog.len"),
	READS(struct sock, backlogged, REQUIRED, "all", "sk_backlog.head"),
	READS(struct sock, forward, REQUIRED, "all", "sk_forward_alloc"),
	READS(struct sock, wmem_queued, REQUIRED, "all", "sk_wmem_queued"),
	READS(struct sock, wmem, REQUIRED, "all", "sk_wmem_alloc"),
	READS(struct sock, socket, REQUIRED, "all", "sk_socket"),
	READS(struct sock, rx_queue, REQUIRED, "all", "sk_ack_backlog"),
	READS_IF(struct sock, most_waiting, has_most_waiting, OPTIONAL, "all",
		 "sk_max_ack_backlog"),
	FINDS(struct socks, receive, "struct sock", REQUIRED, "all", "sk_receive_queue"),
	FINDS(struct socks, errors, "struct sock", REQUIRED, "all", "sk_error_queue"),
	FINDS(struct socks, write, "struct sock", REQUIRED, "all", "sk_write_queue"),
	FINDS(struct socks, rtx, "struct sock", OPTIONAL, "4.15", "tcp_rtx_queue"),
	STRUCTURE(struct socks, tcp, "struct tcp_sock"),
	READS(struct tcp, rcv_nxt, OPTIONAL, "all", "rcv_nxt"),
	READS(struct tcp, copied_seq, OPTIONAL, "all", "copied_seq"),
	READS(struct tcp, write_seq, OPTIONAL, "all", "write_seq"),
	READS(struct tcp, snd_una, OPTIONAL, "all", "snd_una"),
	FINDS(struct socks, out_of_order, "struct tcp_sock", OPTIONAL, "4.9: a tree",
	      "out_of_order_queue"),
	STRUCTURE(struct socks, udp, "struct udp_sock"),
	FINDS(struct socks, reader, "struct udp_sock", OPTIONAL, "4.13", "reader_queue"),
	READS(struct sock, deficit, OPTIONAL, "4.10", "forward_deficit"),
	READS(struct sock, producers, OPTIONAL, "7.3; not in 6.12", "udp_prod_queue"),
	FINDS(struct socks, prod_first, "struct udp_prod_queue", OPTIONAL, "7.3; not in 6.12",
	      "ll_root"),
	STRUCTURE(struct socks, unix_sock, "struct unix_sock"),
	READS(struct sock, name, OPTIONAL, "all", "addr"),
	READS(struct sock, peer, OPTIONAL, "all", "peer"),
	FINDS(struct socks, name_length, "struct unix_address", OPTIONAL, "all", "len"),
	FINDS(struct socks, name_text, "struct unix_address", OPTIONAL, "all", "name"),
	FINDS(struct socks, alloc_socket, "struct socket_alloc", REQUIRED, "all", "socket"),
	FINDS(struct socks, alloc_inode, "struct socket_alloc", REQUIRED, "all", "vfs_inode"),
	FINDS(struct socks, sk, "struct socket", REQUIRED, "all", "sk"),
	FINDS(struct socks, accepted_first, "struct inet_connection_sock", OPTIONAL, "4.3",
	      "icsk_accept_queue.rskq_accept_head"),
	FINDS(struct socks, request_next, "struct request_sock", OPTIONAL, "all", "dl_next"),
	FINDS(struct socks, request_sk, "struct request_sock", OPTIONAL, "all", "sk"),
	STRUCTURE(struct socks, common, "struct sock_common"),
	READS(struct sock, bypasses, OPTIONAL_BITS, "7.3; not in 6.12", "skc_bypass_prot_mem"),
};

enum status socks_open(struct dump *d, struct socks *ret)
{
	struct socks s = { .dump = d };
	enum status st = skbs_open(d, &s.skbs) ?: STRUCTS_OPEN(d, rows, &s);

	if (st != ST_OK)
		return st;
	if (s.sk.size != 8)
		return dump_unknown(d, "struct sock");
	s.prod_queue_bytes = dump_type_bytes(d, "struct udp_prod_queue");
	*ret = s;
	return ST_OK;
}

uint64_t sock_inode(const struct socks *s, const struct sock *sock)
{
	return sock->socket - s->alloc_socket.offset + s->alloc_inode.offset;
}

void sock_is_of_socket(struct dump *d, uint64_t socket, uint64_t sock)
{
	if (!d->sock_of_socket) {
		d->sock_of_socket = dump_alloc(d, sizeof(*d->sock_of_socket));
		hash_u64_init(d->sock_of_socket, d->arena, sizeof(uint64_t));
	}
	*(uint64_t *)hash_u64_get(d->sock_of_socket, socket, NULL) = sock;
}

uint64_t sock_of_socket(const struct dump *d, uint64_t socket)
{
	const uint64_t *found = d->sock_of_socket ? hash_u64_find(d->sock_of_socket, socket) : NULL;

	return found ? *found : 0;
}

enum status sock_of_inode(struct socks *s, uint64_t inode, uint64_t *ret)
{
	uint64_t at = inode - s->alloc_inode.offset + s->alloc_socket.offset;
	uint64_t sock = sock_of_socket(s->dump, at);
	enum status st = sock ? ST_OK : dump_u64(s->dump, at + s->sk.offset, &sock, "socket");

	if (st == ST_OK && !sock)
		st = dump_absent(s->dump, "the socket has no struct sock");
	return RESULT(st, ret, sock);
}

static enum sock_kind kind_of(const struct socks *s, const struct sock *sock)
{
	bool inet = sock->family == FAMILY_INET || sock->family == FAMILY_INET6;

	if (sock->family == FAMILY_UNIX && STRUCT_HAS(&s->unix_sock, struct sock, peer))
		return SOCK_UNIX;
	if (inet && sock->type == SOCKET_STREAM && sock->protocol == PROTOCOL_TCP &&
	    struct_has_all(&s->tcp))
		return SOCK_TCP;
	if (inet && sock->type == SOCKET_DGRAM &&
	    (sock->protocol == PROTOCOL_UDP || sock->protocol == PROTOCOL_UDPLITE))
		return SOCK_UDP;
	return SOCK_OTHER;
}

static enum status read_tcp(struct socks *s, struct sock *sock)
{
	struct tcp tcp;
	enum status st = struct_read(&s->tcp, sock->address, &tcp);

	if (st != ST_OK)
		return st;
	sock->has_queues = true;
	sock->tx_queue = tcp.write_seq - tcp.snd_una;
	/* sk_ack_backlog was read with the struct sock. */
	if (sock->state != STATE_LISTEN)
		sock->rx_queue = (int32_t)(tcp.rcv_nxt - tcp.copied_seq) > 0
					 ? (int32_t)(tcp.rcv_nxt - tcp.copied_seq)
					 : 0;
	return ST_OK;
}

static enum status read_udp(struct socks *s, struct sock *sock)
{
	enum status st = struct_read(&s->udp, sock->address, sock);

	sock->has_queues = true;
	sock->rx_queue = sock->rmem - sock->deficit;
	sock->tx_queue = sock->wmem;
	return st;
}

static enum status read_kind(struct socks *s, struct sock *sock)
{
	switch (sock->kind) {
	case SOCK_TCP:
		return read_tcp(s, sock);
	case SOCK_UDP:
		return read_udp(s, sock);
	case SOCK_UNIX:
		return struct_read(&s->unix_sock, sock->address, sock);
	default:
		return ST_OK;
	}
}

const struct sock *sock_known(const struct socks *s, uint64_t address)
{
	const struct hash_u64 *all = s->dump->socks;
	const struct sock *const *found = all ? hash_u64_find(all, address) : NULL;

	return found ? *found : NULL;
}

enum status sock_read_ends(struct socks *s, uint64_t address, struct sock *ret)
{
	struct sock sock = { .address = address, .kind = SOCK_TCP };
	enum status st = struct_read(&s->ends, address, &sock);

	sock.peer_port = ntohs(sock.peer_port);
	return RESULT(st, ret, sock);
}

enum status sock_read(struct socks *s, uint64_t address, struct sock *ret)
{
	struct sock sock;
	enum status st = sock_read_ends(s, address, &sock) ?: struct_read(&s->sock, address, &sock)
				 ?: struct_read(&s->common, address, &sock);

	if (st != ST_OK)
		return st;
	/* The socket has a count of its own (sk_wmem_alloc_get()). */
	sock.wmem--;
	if (!sock.prot || !sock.family || sock.family > 255 || sock.state >= 32)
		return dump_corrupt(s->dump, "sock at %#lx: family %u, state %u", address,
				    sock.family, sock.state);
	sock.kind = kind_of(s, &sock);
	return RESULT(read_kind(s, &sock), ret, sock);
}

/* What is there is another CPU's way to the receive queue, and seldom has a packet. */
static enum status check_prod_queues(struct socks *s, const struct sock *sock)
{
	uint64_t first, nodes = 1;
	enum status st = ST_OK;

	if (!sock->producers || !s->prod_first.present || !s->prod_queue_bytes)
		return ST_OK;
	if (dump_has_symbol(s->dump, "nr_node_ids"))
		st = dump_value(s->dump, "nr_node_ids", &nodes);
	for (uint64_t i = 0; st == ST_OK && i < nodes && i < MAX_NODES; i++) {
		st = dump_u64(s->dump,
			      sock->producers + i * s->prod_queue_bytes + s->prod_first.offset,
			      &first, "udp_prod_queue");
		if (st == ST_OK && first)
			st = dump_fail(s->dump, ST_UNKNOWN,
				       "udp_sock at %#lx: packets between two queues",
				       sock->address);
	}
	return st;
}

static enum status walk_received(struct socks *s, const struct sock *sock, skb_visit *visit,
				 void *arg)
{
	enum status st = skb_queue_walk(&s->skbs, sock->address + s->receive.offset, visit, arg);

	if (sock->kind != SOCK_UDP || st != ST_OK)
		return st;
	if (s->reader.present)
		st = skb_queue_walk(&s->skbs, sock->address + s->reader.offset, visit, arg);
	return st ?: check_prod_queues(s, sock);
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
		return skb_tree_walk(&s->skbs, sock->address + s->out_of_order.offset, visit, arg);
	case SOCK_QUEUE_BACKLOG:
		return skb_chain_walk(&s->skbs, sock->backlogged, visit, arg);
	case SOCK_QUEUE_ERROR:
		return skb_queue_walk(&s->skbs, sock->address + s->errors.offset, visit, arg);
	case SOCK_QUEUE_WRITE:
		return skb_queue_walk(&s->skbs, sock->address + s->write.offset, visit, arg);
	case SOCK_QUEUE_RTX:
		if (sock->kind != SOCK_TCP || !s->rtx.present)
			return ST_OK;
		return skb_tree_walk(&s->skbs, sock->address + s->rtx.offset, visit, arg);
	default:
		return ST_OK;
	}
}

#define MAX_ACCEPTED \
	(1U << 22) /* somaxconn is an int; what waits for accept() has memory of a socket each */

enum status sock_accept_walk(struct socks *s, const struct sock *sock,
			     enum status (*visit)(void *arg, uint64_t sock), void *arg)
{
	struct dump *d = s->dump;
	uint64_t request, child;
	enum status st;

	if (sock->kind != SOCK_TCP || sock->state != STATE_LISTEN)
		return dump_absent(d, "the socket does not listen");
	if (!s->accepted_first.present || !s->request_next.present || !s->request_sk.present)
		return dump_unknown(d, "struct request_sock_queue");
	st = dump_u64(d, sock->address + s->accepted_first.offset, &request, "request_sock_queue");
	for (unsigned int n = 0; st == ST_OK && request; n++) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (n == MAX_ACCEPTED)
			return dump_corrupt(d, "the accept queue at %#lx has no end",
					    sock->address);
		st = dump_u64(d, request + s->request_sk.offset, &child, "request_sock")
			     ?: dump_u64(d, request + s->request_next.offset, &request,
					 "request_sock");
		if (st == ST_OK && child)
			st = visit(arg, child);
	}
	return st;
}
