/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks that sleep in a call of a socket, as to receive: they are in the queue of its struct socket_wq by an entry on
 * their stack (unix_stream_data_wait() in net/unix/af_unix.c, sk_wait_data() in net/core/sock.c). Who polls has none.
 */
#pragma once

#include "dump/structure.h"
#include "kernel/wait_queue.h"

struct sock_waits {
	struct dump *dump;
	struct field queue; /* of struct sock: struct socket_wq * */
	struct field wait;
	struct field
		senders; /* struct unix_sock: those for whom its queue is full (unix_wait_for_peer()) */
	struct wait_queues queues;
};

enum status sock_waits_open(struct dump *d, struct sock_waits *ret);

/* ST_OK: the task waits; ST_ABSENT: it does not; another: unknown.  base, size: of its stack. */
enum status sock_wait_find(const struct sock_waits *w, uint64_t sock, uint64_t task, uint64_t base,
			   uint64_t size);

/* Of a unix socket: fn gets the task_struct of each that waits to send to it, or to connect. As list_end(). */
enum status sock_senders_walk(const struct sock_waits *w, uint64_t sock,
			      void (*fn)(void *arg, uint64_t task), void *arg);
