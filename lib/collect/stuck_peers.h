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

/* ", which is stopped", ", its client": what is to be said of the other end; "": nothing. */
static inline const char *stuck_peer_words(const struct stuck_task *s)
{
	return s->peer_is_stopped   ? ", which is stopped"
	       : s->peer_is_frozen  ? ", which is frozen"
	       : s->is_not_accepted ? ", which has not accepted its connection"
	       : s->is_server_end   ? ", its client"
				    : "";
}
