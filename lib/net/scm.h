/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files in flight: those of messages (SCM_RIGHTS) that wait in the queue of a unix socket. */
#pragma once

#include "net/sock.h"

struct scm {
	struct socks socks;
	struct structure list;	      /* struct scm_fp_list */
	struct field cb, sk, fp, all; /* of struct sk_buff, unix_skb_parms and scm_fp_list */
	struct field ops;	      /* of struct socket */
	uint64_t of_inet[4];	      /* those of TCP and UDP; 0: unknown */
};

/* ST_ABSENT: no network; ST_UNKNOWN. */
enum status scm_open(struct dump *d, struct scm *ret);

/* Of a packet in the queue of a unix socket, the inode of the socket that sent it; 0: it was closed, or is unknown. */
uint64_t scm_sender(struct scm *s, uint64_t skb);

/* A struct file, and the inode of the socket that sent it; 0: that was closed, or is unknown. */
typedef enum status scm_visit(void *arg, uint64_t file, uint64_t sender);

/*
 * Visits the address of each struct file in the receive queue of the socket with this inode, if it is a unix
 * socket, and of those that wait for its accept().  ST_UNKNOWN: a message waits, and what is of af_unix has no
 * types.  A status but ST_OK of visit ends the walk.
 */
enum status scm_walk(struct scm *s, uint64_t inode, scm_visit *visit, void *arg);
