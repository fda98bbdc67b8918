/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which server of FUSE or NFS a thread waits for. */
#pragma once

#include "collect/stuck.h"
#include "collect/waits.h"

/* Zero before the first thread that waits for one. */
struct stuck_servers {
	struct fuse *fuse; /* NULL: no thread was seen that waits for one of FUSE */
	const char *why;   /* NULL, or why its connections are unknown */
};

/* Of a task with these frames, whose entry in a queue is in those up to end; kind: WAIT_FUSE or WAIT_RPC. */
enum status stuck_server_find(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      enum wait_kind kind, uint64_t end, struct stuck_task *s);

/* The connections with their users; NULL: no thread waits for one, or they are unknown. */
const struct fuse *stuck_servers_read(struct stuck_servers *x);

/*
 * The process that alone has the server's end of a connection, by the first of its threads that has not exited; NULL:
 * several have it, or some are unknown.
 */
struct stuck_task *stuck_server_of(const struct stuck_servers *x, struct stuck_task *all,
				   const struct fuse_conn *conn);
