/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Connections that a server leaves: those that wait until it accepts them, and those that their clients have closed. */
#pragma once

#include "collect/sockets.h"
#include "util/maybe.h"

struct accept_queue {
	const struct file_users *servers; /* processes that have the socket open that listens */
	const struct text_list *used_by;  /* the same in words */
	const char *local;		  /* the address of it; NULL: unknown */
	uint64_t net;
	uint16_t port;
	uint64_t waiting;      /* not accepted, as the socket counts them (sk_ack_backlog) */
	struct maybe_u64 most; /* that it lets wait at once: one more is the last */
	uint64_t left;	 /* of those found: not accepted, and the client has closed (CLOSE_WAIT) */
	uint64_t closed; /* accepted, in CLOSE_WAIT: the server has not closed its end */
	unsigned int listens; /* sockets that do, of these processes at that port */
	struct accept_queue *next;
};

/* Nothing more is accepted: sk_acceptq_is_full(). */
static inline bool accept_queue_is_full(const struct accept_queue *q)
{
	return q->most.known && q->waiting > q->most.n;
}

/* All ports at which processes that are known listen for TCP connections. */
struct accept_queue *accept_queues_find(struct dump *d, const struct sockets *s);

struct used_limits;
/*
 * "; while fs.file-max is used up accept() fails without CAP_SYS_ADMIN": accept() needs a file, of which alloc_empty_file()
 * gives more to an administrator, and a descriptor; empty: there are some.
 */
const char *accept_limit_text(struct dump *d, const struct used_limits *used, int32_t tgid);
