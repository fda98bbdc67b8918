// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_servers.h"

static enum status find_fuse(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			     uint64_t end, struct stuck_task *s)
{
	enum status st;

	if (!x->fuse) {
		x->fuse = dump_alloc(d, sizeof(*x->fuse));
		if (fuse_open(d, x->fuse) != ST_OK)
			x->why = dump_why(d);
	}
	if (x->why)
		return dump_fail(d, ST_UNKNOWN, "%s", x->why);
	st = fuse_wait_find(x->fuse, s->task.address, &at->stack, at->frames.f[0].sp, end,
			    &s->fuse);
	return RESULT(st, &s->lock_name,
		      arena_text(d->arena, "FUSE connection %u", s->fuse.conn->dev));
}

static enum status find_rpc(struct dump *d, const struct task_frames *at, uint64_t end,
			    struct stuck_task *s)
{
	struct rpc_waits rpc;
	struct rpc_wait wait;
	enum status st = rpc_waits_open(d, &rpc)
				 ?: rpc_wait_find(&rpc, s->task.address, &at->stack,
						  at->frames.f[0].sp, end, &wait);

	return RESULT(st, &s->lock_name,
		      arena_text(d->arena, "RPC server %s (%s)", wait.server, wait.program));
}

enum status stuck_server_find(struct stuck_servers *x, struct dump *d, const struct task_frames *at,
			      enum wait_kind kind, uint64_t end, struct stuck_task *s)
{
	return kind == WAIT_FUSE ? find_fuse(x, d, at, end, s) : find_rpc(d, at, end, s);
}

const struct fuse *stuck_servers_read(struct stuck_servers *x)
{
	if (!x->fuse || x->why)
		return NULL;
	fuse_read_users(x->fuse);
	return x->fuse;
}

struct stuck_task *stuck_server_of(const struct stuck_servers *x, struct stuck_task *all,
				   const struct fuse_conn *conn)
{
	struct stuck_task *s = all;

	if (!x->fuse->users_complete || conn->users.n != 1)
		return NULL;
	while (s && (s->task.tgid != conn->users.all[0]->tgid || !s->task.mm))
		s = s->next;
	return s;
}
