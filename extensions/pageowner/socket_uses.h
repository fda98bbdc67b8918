/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sockets, the processes that have them open, and the memory of the packets in their queues. */
#ifndef MEMOWNER_PAGEOWNER_SOCKET_USES_H
#define MEMOWNER_PAGEOWNER_SOCKET_USES_H

#include "files/open_files.h"
#include "net/sock.h"
#include "net/sock_protocols.h"
#include "pages/page_to_pfn.h"
#include "util/pfn_set.h"
#include "view.h"

struct socket_use {
	struct socket_use *next; /* in the order in which they were found */
	struct sock sock;
	uint64_t inode;			/* address; 0: no file is known */
	const struct file_users *users; /* NULL: no process is known that has it open */
	bool walked;			/* all of its queues were read: the following are true */
	uint64_t packets;
	uint64_t bytes[SOCK_QUEUES]; /* truesize of the packets of each queue */
	/*
	 * Pages with data of its packets that are not of slab caches; a page that two sockets
	 * share is of the one that was found first.
	 */
	uint64_t pages, pool_pages;
};

/* Protocols that share a counter of their memory. */
struct protocol_use {
	const char *names; /* "TCP, TCPv6" */
	struct sock_protocol protocol;
	uint64_t sockets;
	int64_t bytes; /* that the sockets found are charged with */
};

struct socket_uses {
	struct owner_view *v;
	struct socks socks;
	struct open_files open;
	struct page_to_pfn to_pfn;
	struct pfnset pages;	    /* that were counted */
	struct hash_u64 found;	    /* of struct socket_use * by address of struct sock */
	struct hash_u64 by_counter; /* of struct protocol_use */
	struct hash_u64 names;	    /* of struct sock_protocol by address of struct proto */
	struct socket_use *first, **last;
	struct socket_use *use;	       /* whose queues are read */
	enum sock_queue queue;	       /* of it */
	struct hash_u64 pools;	       /* of struct pool_use by address of struct page_pool */
	uint64_t nunread, nunwalked;   /* sockets */
	const char *unread, *unwalked; /* why, of the first of them */
	const char *hash_problem;      /* NULL, or why TCP connections without a file are missing */
	const char *protocol_problem;
	bool is_partial;
};

/* Pages of a page_pool that queues of sockets have. */
struct pool_use {
	uint64_t pages;
	struct file_users users;
};

/*
 * Finds the sockets and reads their queues; *ret must stay where it is.  v: owner_view_open_memmap()
 * and states.  ST_ABSENT: a kernel without network; ST_UNKNOWN.
 */
enum status socket_uses_read(struct owner_view *v, struct socket_uses *ret);

/* The first reason why a socket or a packet may be missing; NULL: none is. */
const char *socket_uses_problem(const struct socket_uses *x);

/* Bytes of all queues; use->walked. */
uint64_t socket_use_bytes(const struct socket_use *use);

#endif
