// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_peers.h"

#include "files/open_files.h"
#include "net/sock.h"
#include "net/sock_wait.h"
#include "tasks/task_stack.h"

struct peers {
	struct dump *dump;
	struct hash_u64 tgids; /* of processes that others wait for */
	struct socks socks;
	struct sock_waits waits;
	struct open_files open; /* sockets: of struct file_users by inode */
	struct hash_u64 inodes; /* of uint64_t by address of the struct sock */
	uint64_t stack_bytes;
};

static void want(struct peers *p, const struct file_users *u)
{
	for (unsigned int i = 0; i < u->kept; i++)
		hash_u64_add(&p->tgids, (uint64_t)u->all[i]->tgid);
}

static void want_all(struct peers *p, const struct frozen *frozen, const struct stuck_task *all)
{
	hash_u64_init(&p->tgids, p->dump->arena, 0);
	for (const struct stuck_task *s = all; s; s = s->next)
		if (s->server)
			want(p, s->server->users);
	for (const struct frozen_super *f = frozen ? frozen->first : NULL; f; f = f->next)
		if (f->users)
			want(p, f->users);
}

static bool has(const struct file_users *u, int32_t tgid)
{
	return ANY_OF(i, u->kept, u->all[i]->tgid == tgid);
}

static bool open_peers(struct peers *p)
{
	struct dump *d = p->dump;
	uint64_t operations;

	p->stack_bytes = thread_size(d);
	if (!p->stack_bytes || socks_open(d, &p->socks) != ST_OK ||
	    sock_waits_open(d, &p->waits) != ST_OK ||
	    dump_ask(d, symbol, "socket_file_ops", &operations) != ST_OK ||
	    open_files_open(d, &p->open) != ST_OK || !p->open.has_operations)
		return false;
	p->open.operations = operations;
	if (open_files_read(&p->open, NULL) != ST_OK)
		return false;
	hash_u64_init(&p->inodes, d->arena, sizeof(uint64_t));
	for (const struct hash_u64_entry *e = p->open.inodes.first; e; e = e->next) {
		uint64_t sock;

		if (sock_of_inode(&p->socks, e->key, &sock) == ST_OK)
			*(uint64_t *)hash_u64_get(&p->inodes, sock, NULL) = e->key;
	}
	return true;
}

/* The other end of a socket that the thread sleeps on; NULL: it is not known who has it, or it has none. */
static const struct file_users *users_of_peer(struct peers *p, uint64_t sock,
					      const struct stuck_task *s)
{
	struct sock read;
	const uint64_t *inode;

	if (sock_wait_find(&p->waits, sock, s->task.address, s->task.stack, p->stack_bytes) !=
		    ST_OK ||
	    sock_read(&p->socks, sock, &read) != ST_OK || read.kind != SOCK_UNIX || !read.peer)
		return NULL;
	inode = hash_u64_find(&p->inodes, read.peer);
	return inode ? open_files_find(&p->open, *inode) : NULL;
}

static void find_peer(struct peers *p, struct stuck_task *s)
{
	for (const struct hash_u64_entry *e = p->inodes.first; s->task.stack && !s->peer && e;
	     e = e->next) {
		const struct file_users *u = open_files_find(&p->open, *(const uint64_t *)e->value);
		const struct file_users *peer = u && has(u, s->task.tgid)
							? users_of_peer(p, e->key, s)
							: NULL;

		for (unsigned int i = 0; peer && i < peer->kept; i++)
			if (peer->all[i]->tgid != s->task.tgid && !s->peer)
				s->peer = peer->all[i];
	}
}

static bool is_stopped(const struct stuck_task *all, int32_t tgid)
{
	size_t threads = 0, stopped = 0;

	for (const struct stuck_task *s = all; s; s = s->next) {
		threads += s->task.tgid == tgid && s->task.mm;
		stopped += s->task.tgid == tgid && s->task.mm && s->task.state == 'T';
	}
	return threads && stopped == threads;
}

void stuck_find_peers(struct dump *d, const struct frozen *frozen, struct stuck_task *all)
{
	struct peers *p = dump_alloc(d, sizeof(*p));

	p->dump = d;
	want_all(p, frozen, all);
	if (!p->tgids.n || !open_peers(p))
		return;
	for (struct stuck_task *s = all; s && !dump_stopped(d); s = s->next)
		if (s->task.mm && s->task.state != 'R' &&
		    hash_u64_has(&p->tgids, (uint64_t)s->task.tgid))
			find_peer(p, s);
	for (struct stuck_task *s = all; s; s = s->next)
		s->peer_is_stopped = s->peer && is_stopped(all, s->peer->tgid);
}
