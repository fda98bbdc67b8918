/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose answer on a socket a thread waits for, where others wait for its process: who has a lock, a server of FUSE, who has the
 * directory of a frozen file system open, whom a wish names, and the server of a network block device, whose process it finds; or where it is one of many processes of its name that are asleep so.
 */
#pragma once

#include "collect/stuck.h"

/* Sets servers of disks, and peer of such threads of a list.  NULL, or why one may be missing. */
const char *stuck_find_peers(struct dump *d, const struct stuck_wish *wish,
			     const struct frozen *frozen, struct stuck_disk *disks,
			     struct stuck_task *all);

#define STUCK_CROWD 4u /* threads that wait for one process: of fewer each says it itself */

/* Whether a thread in that function may wait for data of a socket. */
bool stuck_is_socket_wait(const char *function);

/* How many wait for the answer of the peer of one; 0: it is not the first of them, or the peer is a root, which says it. */
size_t stuck_crowd(const struct stuck *x, const struct stuck_task *first);

/*
 * Whether a process does what keeps it from answering: all of its threads are asleep, and that neither for what it is to do
 * next, as in poll(), nor to read a socket of which it is not known who has the other end.
 */
bool stuck_peer_is_kept(const struct stuck *x, int32_t tgid);

/*
 * "6 processes job wait on a unix socket for partner (270); partner (270) is asleep in hrtimer_nanosleep": of the first of
 * STUCK_CROWD or more; false: it is none.
 */
bool stuck_crowd_words(const struct stuck *x, const struct stuck_task *first, struct strbuf *b);
