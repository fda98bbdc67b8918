/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a process holds beside its memory and its files: memory that is free when it is gone, and in no RSS. What
 * others have open as well, or something else keeps, is counted for no process.
 */
#pragma once

#include "collect/io_users.h"
#include "collect/key_users.h"
#include "collect/mount_namespaces.h"
#include "files/signal_users.h"
#include "collect/sockets.h"
#include "collect/tun_users.h"
#include "collect/watchers.h"

enum held_kind {
	HELD_SOCKETS,
	HELD_PACKET_RINGS,
	HELD_UMEMS, /* of AF_XDP */
	HELD_PERF,
	HELD_PIPES, /* pages of data */
	HELD_PIPE_RINGS,
	HELD_BPF,
	HELD_IO_RINGS,
	HELD_IO_BUFFERS,
	HELD_DMA_BUFS,
	HELD_FILE_LOCKS,
	HELD_TIMERS,
	HELD_WATCHES,
	HELD_MOUNTS,
	HELD_IO_REQUESTS,
	HELD_COMPLETIONS,
	HELD_TUN,
	HELD_KEYS,
	HELD_SIGNALS,
	HELD_SECCOMP,
	HELD_KINDS
};

struct held_process {
	int32_t tgid;
	const char *comm;
	uint64_t bytes[HELD_KINDS];
	uint64_t n[HELD_KINDS];		 /* objects */
	uint64_t all;			 /* the sum of bytes */
	const char *of_kind[HELD_KINDS]; /* behind their noun: " of its 12 threads"; NULL */
};

struct held {
	struct hash_u64 processes; /* of struct held_process by tgid */
	const char *problem; /* NULL; or why there may be more: each figure is a lower bound */
	struct gaps gaps;    /* the same of each kind */
	const char *problems[HELD_KINDS];
	struct hash_u64 unread; /* of struct unread by tgid */
	/* What was read for it, whoever holds it; NULL: the kernel has none, or it could not be read. */
	const struct sockets *sockets;
	const struct watchers *watchers;
	const struct mount_namespaces *mounts;
	const struct io_users *io_users;
	const struct tun_users *tun_users;
	const struct key_users *keys;
	const struct signal_users *signals;
};

/* s->types are known.  ST_STOPPED, or ST_OK: what is missing is told. */
enum status held_collect(const struct session *s, struct held *ret);

static inline const struct held_process *held_by(const struct held *h, int32_t tgid)
{
	return hash_u64_find(&h->processes, (uint64_t)tgid);
}

#define HELD_FEW 100u /* a kind that is less than that part of all is no matter on a screen */

/* "sockets 16.4M, 1,200 file locks 225.0K" of what is not 0 nor less than least, the largest first. */
const char *held_text(struct dump *d, const struct held_process *p, uint64_t least);
