/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sockets (struct sock, include/net/sock.h): what they are charged with, and the queues that have
 * their packets.  A struct tcp_sock, udp_sock, unix_sock begins with its struct sock.
 */
#pragma once

#include "net/sk_buff.h"
#include "util/hash_u64.h"

struct socks {
	struct dump *dump;
	struct structure ends, sock, common, tcp, udp, unix_sock;
	/* Of struct sock, tcp_sock, udp_sock and udp_prod_queue: queues. */
	struct field node, receive, errors, write, rtx, out_of_order, reader, prod_first;
	struct field name_length, name_text;	    /* of struct unix_address */
	struct field alloc_socket, alloc_inode, sk; /* of struct socket_alloc and socket */
	struct field accepted_first, request_next, request_sk; /* of connections not accepted yet */
	struct skbs skbs;
	uint64_t prod_queue_bytes; /* of a struct udp_prod_queue */
};

/* Families, types, protocols and states that decide what follows (include/linux/socket.h, in.h). */
enum {
	FAMILY_UNIX = 1,
	FAMILY_INET = 2,
	FAMILY_INET6 = 10,
	FAMILY_NETLINK = 16,
	FAMILY_PACKET = 17
};
enum { SOCKET_STREAM = 1, SOCKET_DGRAM = 2 };
enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PROTOCOL_UDPLITE = 136 };
enum {
	STATE_SYN_SENT = 2,
	STATE_TIME_WAIT = 6,
	STATE_CLOSE_WAIT = 8,
	STATE_LISTEN = 10,
	STATE_NEW_SYN_RECV = 12
};

enum sock_kind { SOCK_OTHER, SOCK_TCP, SOCK_UDP, SOCK_UNIX };

struct sock {
	uint64_t address;
	uint64_t socket; /* address of its struct socket; 0: an orphan, or never accepted */
	uint64_t prot;	 /* address of its struct proto */
	uint64_t net;	 /* address of its network namespace; 0: this kernel has but one */
	enum sock_kind kind;
	unsigned int family, type, protocol, state;
	uint64_t next; /* of its chain in a hash table of TCP, if has_next */
	bool has_next;
	bool bypasses; /* not charged to the memory of its protocol (skc_bypass_prot_mem) */
	uint16_t port, peer_port;
	uint8_t address4[4], peer_address4[4], address6[16], peer_address6[16];
	bool has_address6;
	/* Bytes; those of int may be negative for a moment. */
	int64_t rmem, backlog, forward, wmem_queued, wmem;
	/*
	 * As /proc/net/tcp and udp show them: bytes not read, not sent or not acknowledged; of a
	 * listening socket, connections that were not accepted.
	 */
	bool has_queues;
	int64_t rx_queue, tx_queue;
	/* Of a listening socket: connections that may wait until they are accepted, less one. */
	bool has_most_waiting;
	uint32_t most_waiting;
	/* Of a unix socket. */
	uint64_t peer;	     /* address of the struct sock that it is connected to, or 0 */
	uint64_t name;	     /* address of its struct unix_address, or 0 */
	int32_t deficit;     /* of a udp socket: bytes that were read and are still charged */
	uint64_t producers;  /* address of its array of struct udp_prod_queue, or 0 */
	uint64_t backlogged; /* address of the first packet of the backlog, or 0 */
};

/* ST_ABSENT: no network; ST_UNKNOWN. */
enum status socks_open(struct dump *d, struct socks *ret);

/* The struct sock of the inode of a socket file (sockfs); ST_ABSENT: it was released. */
enum status sock_of_inode(struct socks *s, uint64_t inode, uint64_t *ret);

/*
 * What who reads a struct socket for something else found there: each is on a page of inodes, which of a hundred thousand are
 * read once this way. sock_of_socket(): 0: no one did.
 */
void sock_is_of_socket(struct dump *d, uint64_t socket, uint64_t sock);
uint64_t sock_of_socket(const struct dump *d, uint64_t socket);

/* The inode of its socket file; sock->socket is not 0. */
uint64_t sock_inode(const struct socks *s, const struct sock *sock);

/* ST_CORRUPT: impossible numbers. */
enum status sock_read(struct socks *s, uint64_t address, struct sock *ret);

/*
 * What a connection in TIME_WAIT has too (struct inet_timewait_sock): family, state, addresses and ports, network
 * namespace; the rest of *ret is 0. A connection of a hash table is one of TCP.
 */
enum status sock_read_ends(struct socks *s, uint64_t address, struct sock *ret);

/* As sockets_collect() has read it, with all that it has; NULL: it has not. */
const struct sock *sock_known(const struct socks *s, uint64_t address);

/* The queues of packets that a socket may have. */
enum sock_queue {
	SOCK_QUEUE_RECEIVE, /* with those that the reader of a udp_sock has taken */
	SOCK_QUEUE_OUT_OF_ORDER,
	SOCK_QUEUE_BACKLOG,
	SOCK_QUEUE_ERROR, /* MSG_ERRQUEUE */
	SOCK_QUEUE_WRITE,
	SOCK_QUEUE_RTX, /* sent, not acknowledged */
	SOCK_QUEUES
};

/* Any status but ST_OK of visit ends the walk of that queue. */
enum status sock_queue_walk(struct socks *s, const struct sock *sock, enum sock_queue queue,
			    skb_visit *visit, void *arg);

/*
 * Connections of a listening TCP socket that were not accepted (struct request_sock_queue, 4.3): calls visit with
 * the address of each struct sock.  ST_ABSENT: it does not listen; ST_UNKNOWN: unknown layout.
 */
enum status sock_accept_walk(struct socks *s, const struct sock *sock,
			     enum status (*visit)(void *arg, uint64_t sock), void *arg);

#define SOCK_NAME 128
/*
 * "127.0.0.1:80", "[::1]:80", a path, "@abstract"; empty: it is not bound.  false: it is not in this
 * dump, or its family has none that is known here.
 */
bool sock_local_text(struct socks *s, const struct sock *sock, char buf[SOCK_NAME]);
bool sock_peer_text(struct socks *s, const struct sock *sock, char buf[SOCK_NAME]);

/* "inet6"; NULL: no name is known. */
const char *sock_family_name(unsigned int family);
const char *sock_type_name(unsigned int type);
/* As ss(8) and the kernel's source have it: "established"; NULL: none. */
const char *sock_state_name(unsigned int state);

/*
 * The hash tables of TCP connections (struct inet_hashinfo.ehash): they also have those that no process
 * has open.  Listening sockets are in other tables.
 */

/*
 * Calls visit with the address of each struct sock, and its state.  Those that are not established yet
 * (struct request_sock) are left out; those in TIME_WAIT have no queues, and no more than sock_read_ends()
 * reads.  ST_ABSENT: a kernel without TCP.  Where a chain breaks off, the others are read, and the status
 * is that of the first.
 */
enum status tcp_hash_walk(struct socks *s,
			  enum status (*visit)(void *arg, uint64_t sock, unsigned int state),
			  void *arg);
