/* SPDX-License-Identifier: GPL-2.0-or-later */
/* struct sock and what it leads to, for tests that have sockets and no packets. */
#pragma once

#include "stub.h"

struct sock_bytes {
	uint16_t family;
	uint8_t state, bypass;
	uint16_t num, peer_port;
	uint64_t prot, socket, backlogged;
	uint16_t type, protocol;
	int32_t rmem, backlog, forward, wmem_queued, wmem_alloc, ack_backlog;
	struct {
		uint64_t next;
		uint32_t qlen, unused;
	} receive, reader;
	/* rcv_nxt, copied_seq, write_seq and snd_una of TCP, the deficit of UDP. */
	uint32_t numbers[4];
	uint64_t address, peer, producers;
	uint32_t address4;
};

#define SOCK_AT(member) offsetof(struct sock_bytes, member)
#define SOCK_OF(member) FIELD(SOCK_AT(member), sizeof(((struct sock_bytes *)0)->member))

#define SOCK_COMMON(name, member)                                       \
	{                                                               \
		"struct sock", "__sk_common.skc_" name, SOCK_OF(member) \
	}

#define SOCK_MEMBERS                                                                             \
	SOCK_COMMON("family", family), SOCK_COMMON("state", state), SOCK_COMMON("num", num),     \
		SOCK_COMMON("dport", peer_port), SOCK_COMMON("rcv_saddr", address4),             \
		SOCK_COMMON("daddr", address4), SOCK_COMMON("prot", prot),                       \
		SOCK_COMMON("nulls_node", prot),                                                 \
		{ "struct sock_common", "skc_bypass_prot_mem", BITS(SOCK_AT(bypass), 1, 2, 1) }, \
		{ "struct sock", "sk_type", SOCK_OF(type) },                                     \
		{ "struct sock", "sk_protocol", SOCK_OF(protocol) },                             \
		{ "struct sock", "sk_backlog.rmem_alloc", SOCK_OF(rmem) },                       \
		{ "struct sock", "sk_backlog.len", SOCK_OF(backlog) },                           \
		{ "struct sock", "sk_backlog.head", SOCK_OF(backlogged) },                       \
		{ "struct sock", "sk_forward_alloc", SOCK_OF(forward) },                         \
		{ "struct sock", "sk_wmem_queued", SOCK_OF(wmem_queued) },                       \
		{ "struct sock", "sk_wmem_alloc", SOCK_OF(wmem_alloc) },                         \
		{ "struct sock", "sk_socket", SOCK_OF(socket) },                                 \
		{ "struct sock", "sk_ack_backlog", SOCK_OF(ack_backlog) },                       \
		{ "struct sock", "sk_max_ack_backlog", SOCK_OF(wmem_queued) },                   \
		{ "struct sock", "sk_receive_queue", SOCK_OF(receive) },                         \
		{ "struct sock", "sk_error_queue", SOCK_OF(receive) },                           \
		{ "struct sock", "sk_write_queue", SOCK_OF(receive) },                           \
		{ "struct tcp_sock", "rcv_nxt", SOCK_OF(numbers[0]) },                           \
		{ "struct tcp_sock", "write_seq", SOCK_OF(numbers[2]) },                         \
		{ "struct tcp_sock", "snd_una", SOCK_OF(numbers[3]) },                           \
		{ "struct tcp_sock", "out_of_order_queue", SOCK_OF(peer) },                      \
		{ "struct udp_sock", "reader_queue", SOCK_OF(reader) },                          \
		{ "struct udp_sock", "forward_deficit", SOCK_OF(numbers[0]) },                   \
		{ "struct udp_sock", "udp_prod_queue", SOCK_OF(producers) },                     \
		{ "struct udp_prod_queue", "ll_root", FIELD(0, 8) },                             \
		{ "struct unix_sock", "addr", SOCK_OF(address) },                                \
		{ "struct unix_sock", "peer", SOCK_OF(peer) },                                   \
		{ "struct unix_address", "len", FIELD(0, 4) },                                   \
		{ "struct unix_address", "name", FIELD(4, 110) },                                \
		{ "struct socket_alloc", "socket", FIELD(0, 8) },                                \
		{ "struct socket_alloc", "vfs_inode", FIELD(8, 8) },                             \
		{ "struct socket", "sk", FIELD(0, 8) },                                          \
		{ "struct sk_buff_head", "next", FIELD(0, 8) },                                  \
		{ "struct sk_buff_head", "qlen", FIELD(8, 4) },                                  \
		{ "struct sk_buff", "next", FIELD(0, 8) },                                       \
		{ "struct sk_buff", "rbnode", FIELD(0, 24) },                                    \
		{ "struct sk_buff", "len", FIELD(24, 4) },                                       \
		{ "struct sk_buff", "truesize", FIELD(28, 4) },                                  \
		{ "struct sk_buff", "head", FIELD(32, 8) },                                      \
		{ "struct sk_buff", "end", FIELD(40, 4) },                                       \
		{ "struct skb_shared_info", "nr_frags", FIELD(0, 1) },                           \
		{ "struct skb_shared_info", "frag_list", FIELD(8, 8) },                          \
		{ "struct skb_shared_info", "frags", FIELD(16, 272) },                           \
		{ "struct skb_frag", "netmem", FIELD(0, 8) },                                    \
		{ "struct skb_frag", "len", FIELD(8, 4) },                                       \
		{ "struct skb_frag", "offset", FIELD(12, 4) },                                   \
		{ "struct rb_node", "rb_left", FIELD(16, 8) },                                   \
		{ "struct rb_node", "rb_right", FIELD(8, 8) },                                   \
	{                                                                                        \
		"struct rb_node", "__rb_parent_color", FIELD(0, 8)                               \
	}

#define SOCK_SIZES                                           \
	{ "struct sk_buff", 48 }, { "struct skb_frag", 16 }, \
	{                                                    \
		"struct udp_prod_queue", 8                   \
	}
