/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets, the processes that have them open, and the memory of the packets in their queues. */
#pragma once

#include "collect/session.h"
#include "dump/gap.h"
#include "files/open_files.h"
#include "net/sock.h"

struct socket {
	struct sock sock;
	uint64_t inode;			/* address; 0: no file is known */
	const struct file_users *users; /* NULL: no process is known that has it open */
	bool walked;			/* all of its queues were read: the following are true */
	uint64_t packets;
	uint64_t
		bytes; /* truesize of the packets of all queues; of these, and packets, the next two say so as well */
	bool has_bytes, has_packets;
	/*
	 * Pages with data of its packets that are not of slab caches; a page that two sockets
	 * share is of the one that was found first.
	 */
	uint64_t pages, pool_pages;
	uint64_t file_pages; /* of them page cache lent by sendfile(): not reclaimed */
	bool has_rings;	     /* of a packet socket; all of them were found: */
	uint64_t ring_bytes; /* PACKET_RX_RING and PACKET_TX_RING, which no queue has */
	const char *family, *type, *state, *protocol, *local, *remote; /* NULL: unknown */
	bool not_accepted; /* its users are those of the listening socket */
	bool is_qdisc; /* no socket: packets that wait in a discipline of a device (net/queued.h), local */
	/* Its users; NULL: unknown. */
	const struct text_list *used_by;
	/* Of the other end: of a unix socket, or of a TCP connection that has both ends here. */
	const struct text_list *peer_used_by;
};

/* Protocols that share a counter of their memory. */
struct socket_protocol {
	const char *names; /* "TCP, TCPv6" */
	bool has_sockets;  /* none is missing: the following are true */
	uint64_t sockets;
	int64_t charged_bytes;	 /* what the sockets are charged with */
	bool has_memory;	 /* the following are true */
	int64_t accounted_bytes; /* with the reserve of CPUs */
	int64_t reserve_bytes;
	bool has_both;
	int64_t difference_bytes;
};

/* Pages of a page_pool that queues of sockets have. */
struct socket_pool {
	uint64_t pages;
	struct file_users users;
};

struct sockets {
	struct socket **all; /* in the order in which they were found */
	size_t n;
	struct hash_u64
		found; /* of struct socket * by address of struct sock; NULL: it cannot be read */
	struct socket_protocol *protocols;
	size_t nprotocols;
	uint64_t shared_pages; /* with packets of several sockets: counted with the first */
	struct hash_u64 pools; /* of struct socket_pool by address of struct page_pool */
	const char *problem;   /* the first reason why some may be missing; NULL: none */
	struct gaps gaps;
	bool is_partial; /* interrupted */
};

/* The one whose struct sock is at an address; NULL: it is none of them. */
static inline struct socket *sockets_find(const struct sockets *s, uint64_t address)
{
	struct socket *const *found = hash_u64_find(&s->found, address);

	return found ? *found : NULL;
}

/* s->types are known; once for all that ask during a command.  ST_ABSENT: a kernel without network; ST_UNKNOWN. */
enum status sockets_collect(const struct session *s, const struct sockets **ret);

/* With TCP connections in TIME_WAIT, which have no memory that a protocol counts. */
enum status sockets_collect_all(const struct session *s, struct sockets *ret);

/*
 * The same; visit is called for each page that is counted, with the address of the struct sock that it is of;
 * not for those of large kmalloc, which the counter of slabs has.
 */
enum status sockets_collect_pages(const struct session *s,
				  void (*visit)(void *arg, uint64_t sock, uint64_t pfn), void *arg,
				  struct sockets *ret);
