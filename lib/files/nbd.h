/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network block devices (drivers/block/nbd.c): the sockets to the server of one, which may be a process of this
 * machine.
 */
#pragma once

#include "files/disks.h"

#define NBD_SOCKETS 16

struct nbd {
	uint64_t socks[NBD_SOCKETS]; /* addresses of struct sock: the first ones */
	unsigned int n;
	bool complete; /* there are no others */
};

struct nbds {
	struct dump *dump;
	struct structure device, config, socket;
	struct field sk; /* of struct socket */
	uint64_t operations;
};

/* ST_ABSENT: it is not loaded; ST_UNKNOWN: an unknown layout. */
enum status nbds_open(struct dump *d, struct nbds *ret);

bool disk_is_nbd(const struct nbds *x, const struct disk *disk);

/* ST_ABSENT: it has no sockets; ST_CORRUPT: its structure is of another disk. */
enum status nbd_read(const struct nbds *x, const struct disk *disk, struct nbd *ret);
