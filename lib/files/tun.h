/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets that wait in the ring of a queue of a tun or tap device until whoever has /dev/net/tun open reads them
 * (drivers/net/tun.c): no socket is charged with them. tun is a module, with types of its own.
 */
#pragma once

#include "net/sk_buff.h"

#define TUN_DEVICE 16 /* IFNAMSIZ */

struct tun_queues {
	struct dump *dump;
	uint64_t operations; /* f_op of files of queues */
	struct structure file, tun, device, ring;
	struct field file_queue; /* of struct file */
	struct skbs skbs;
};

struct tun_queue {
	char device[TUN_DEVICE + 1]; /* "": it was detached from its device */
	uint64_t packets, bytes;     /* of those that are no frames of XDP; their truesize */
	uint64_t frames;
	uint64_t first, head; /* addresses of one packet and of its data; 0: it has none */
};

/* f_op of files of queues.  ST_ABSENT as below. */
enum status tun_operations(struct dump *d, uint64_t *ret);

/* ST_ABSENT: built without, or the module is not loaded; ST_UNKNOWN: its types are not. */
enum status tun_queues_find(struct dump *d, struct tun_queues *ret);

/* Of an open file with that f_op, the address of the struct tun_file. */
enum status tun_queue_of_file(const struct tun_queues *t, uint64_t file, uint64_t *ret);

enum status tun_queue_read(struct tun_queues *t, uint64_t queue, struct tun_queue *ret);
