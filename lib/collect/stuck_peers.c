// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/stuck_peers.h"

#include "collect/sockets.h"
#include "collect/stuck_roots.h"
#include "collect/stuck_words.h"
#include "net/sock.h"
#include "net/sock_wait.h"

struct peers {
	struct dump *dump;
	struct hash_u64 tgids; /* of processes that others wait for */
	struct socks socks;
	struct sock_waits waits;
	struct open_files open;	 /* sockets: of struct file_users by inode */
	struct hash_u64 inodes;	 /* of uint64_t by address of the struct sock */
	struct hash_u64 waiting; /* inode of who listens, by struct sock: not accepted yet */
	struct hash_u64
		served; /* ports of TCP sockets that listen, each with its network namespace */
	struct field skb_sk;
	/* Of const struct sock *, by inode: what this command has read before; of open_peers() alone. */
	struct hash_u64 known_of;
	uint64_t stack_bytes;
	const char *why; /* NULL, or why a peer may be missing */
};

static const struct layout_row rows[] = {
	FINDS(struct peers, skb_sk, "struct sk_buff", OPTIONAL, "all", "sk"),
};

static void want(struct peers *p, const struct file_users *u)
{
	for (unsigned int i = 0; i < u->kept; i++)
		hash_u64_add(&p->tgids, (uint64_t)u->all[i]->tgid);
}

/* Of unix sockets, and in wait_woken() of connections, and of other things: who waits for none of these has no peer. */
bool stuck_is_socket_wait(const char *caller)
{
	return !strncmp(caller, "unix_", strlen("unix_")) || !strcmp(caller, "wait_woken") ||
	       !strcmp(caller, "sk_wait_data");
}

#define OF_ROOTS \
	256u /* processes that may wait for one that does not go on: each is a search of all sockets */

/* Who waits on a socket may wait for one that is stopped, or stands in a driver. */
static void want_of_roots(struct peers *p, const struct stuck_task *all)
{
	unsigned int n = 0;

	for (const struct stuck_task *s = all; s && n < OF_ROOTS; s = s->next)
		if (s->task.mm && !s->is_root && s->caller && s->caller->symbol &&
		    stuck_is_socket_wait(s->caller->symbol)) {
			hash_u64_add(&p->tgids, (uint64_t)s->task.tgid);
			n++;
		}
}

static void want_all(struct peers *p, const struct frozen *frozen, const struct stuck_task *all)
{
	hash_u64_init(&p->tgids, p->dump->arena, 0);
	for (const struct stuck_task *s = all; s; s = s->next) {
		if (s->server)
			want(p, s->server->users);
		if (s->holder)
			hash_u64_add(&p->tgids, (uint64_t)s->holder->task.tgid);
	}
	for (const struct frozen_super *f = frozen ? frozen->first : NULL; f; f = f->next)
		if (f->users)
			want(p, f->users);
}

static bool is_alike(const struct stuck_task *s)
{
	return s->task.mm && s->task.pid == s->task.tgid && s->caller && s->caller->symbol &&
	       stuck_is_socket_wait(s->caller->symbol);
}

/* Processes of one name that are asleep in calls of sockets. */
static void want_alike(struct peers *p, const struct stuck_task *all)
{
	struct hash_bytes names; /* of how many there are */
	unsigned int n = 0;

	hash_bytes_init(&names, p->dump->arena, sizeof(unsigned int));
	for (const struct stuck_task *s = all; s; s = s->next)
		if (is_alike(s))
			++*(unsigned int *)hash_bytes_get(&names, s->task.comm,
							  strlen(s->task.comm) + 1, NULL)
				   ->value;
	for (const struct stuck_task *s = all; s && n < OF_ROOTS; s = s->next) {
		const unsigned int *of = is_alike(s) ? hash_bytes_find(&names, s->task.comm,
								       strlen(s->task.comm) + 1)
						     : NULL;

		if (of && *of >= STUCK_CROWD) {
			hash_u64_add(&p->tgids, (uint64_t)s->task.tgid);
			n++;
		}
	}
}

static void note(struct peers *p, enum status st)
{
	if (st != ST_OK && st != ST_ABSENT && !p->why)
		p->why = dump_why(p->dump);
}

/* Where no socket is missing these are all that are open. */
static bool take_known(struct peers *p)
{
	const struct sockets *all = p->dump->sockets;

	if (!all || all->problem)
		return false;
	for (size_t i = 0; i < all->n; i++)
		if (all->all[i]->inode)
			*(uint64_t *)hash_u64_get(&p->inodes, all->all[i]->sock.address,
						  NULL) = all->all[i]->inode;
	return true;
}

static void open_known(struct peers *p, struct arena *arena)
{
	const struct sockets *all = p->dump->sockets;

	hash_u64_init(&p->known_of, arena, sizeof(const struct sock *));
	for (size_t i = 0; all && i < all->n; i++) {
		const struct socket *s = all->all[i];

		if (s->inode)
			*(const struct sock **)hash_u64_get(&p->known_of, s->inode,
							    NULL) = &s->sock;
	}
}

static enum status read_sock(struct peers *p, uint64_t address, struct sock *ret)
{
	const struct sockets *all = p->dump->sockets;
	const struct socket *known = all ? sockets_find(all, address) : NULL;

	if (!known)
		return sock_read(&p->socks, address, ret);
	*ret = known->sock;
	return ST_OK;
}

static enum status find_sock(struct peers *p, uint64_t inode, uint64_t *ret)
{
	const struct sock *const *known = hash_u64_find(&p->known_of, inode);

	if (!known)
		return sock_of_inode(&p->socks, inode, ret);
	*ret = (*known)->address;
	return ST_OK;
}

/* ST_ABSENT: this kernel has no sockets. */
static enum status open_peers(struct peers *p)
{
	struct dump *d = p->dump;
	struct arena *meanwhile = arena_within(d->arena);
	enum status st;

	if (!dump_has_symbol(d, "socket_file_ops"))
		return ST_ABSENT;
	p->stack_bytes = thread_size(d);
	if (!p->stack_bytes)
		return dump_fail(d, ST_UNKNOWN, "the size of stacks is unknown");
	st = socks_open(d, &p->socks)
		     ?: sock_waits_open(d, &p->waits)
		     ?: open_files_open_by(d, &p->open, "socket_file_ops")
		     ?: open_files_read(&p->open, NULL);
	if (st != ST_OK)
		return st;
	p->why = p->open.problem;
	hash_u64_init(&p->inodes, d->arena, sizeof(uint64_t));
	if (take_known(p))
		return ST_OK;
	open_known(p, meanwhile);
	for (const struct hash_u64_entry *e = p->open.inodes.first; e; e = e->next) {
		uint64_t sock;

		st = find_sock(p, e->key, &sock);
		note(p, st);
		if (st == ST_OK)
			*(uint64_t *)hash_u64_get(&p->inodes, sock, NULL) = e->key;
	}
	arena_reset(meanwhile);
	return ST_OK;
}

struct backlog {
	struct peers *peers;
	uint64_t inode; /* of the socket that listens */
};

static enum status add_connection(void *arg, uint64_t sock)
{
	const struct backlog *b = arg;

	*(uint64_t *)hash_u64_get(&b->peers->waiting, sock, NULL) = b->inode;
	return ST_OK;
}

/* sock_wmalloc() charges the packet that stands for a connection to the socket which accept() will hand out. */
static enum status add_packet(void *arg, const struct skb *skb)
{
	const struct peers *p = ((const struct backlog *)arg)->peers;
	uint64_t sock;
	enum status st = dump_u64(p->dump, skb->address + p->skb_sk.offset, &sock, "sk_buff");

	return st == ST_OK && sock ? add_connection(arg, sock) : st;
}

static uint64_t port_of(const struct sock *of)
{
	return of->net ^ (uint64_t)of->port << 48;
}

/* Connections that wait to be accepted are of who listens. */
static void find_waiting(struct peers *p)
{
	hash_u64_init(&p->waiting, p->dump->arena, sizeof(uint64_t));
	hash_u64_init(&p->served, p->dump->arena, 0);
	for (const struct hash_u64_entry *e = p->inodes.first; e; e = e->next) {
		struct backlog b = { p, *(const uint64_t *)e->value };
		struct sock sock;
		enum status st = read_sock(p, e->key, &sock);

		if (st != ST_OK || sock.state != STATE_LISTEN)
			continue;
		if (sock.kind == SOCK_TCP)
			hash_u64_add(&p->served, port_of(&sock));
		if (sock.kind == SOCK_UNIX && p->skb_sk.present)
			st = sock_queue_walk(&p->socks, &sock, SOCK_QUEUE_RECEIVE, add_packet, &b);
		else if (sock.kind == SOCK_TCP)
			st = sock_accept_walk(&p->socks, &sock, add_connection, &b);
		note(p, st);
	}
}

/* Of a connection that is not accepted who listens has it. */
static const struct file_users *users_of_sock(struct peers *p, uint64_t sock, bool *waits)
{
	const uint64_t *inode = hash_u64_find(&p->inodes, sock);
	const uint64_t *listens = inode ? NULL : hash_u64_find(&p->waiting, sock);

	*waits = listens != NULL;
	inode = inode ?: listens;
	return inode ? open_files_find(&p->open, *inode) : NULL;
}

/* Whether a TCP connection to this machine itself ends at a socket: its own address is the peer of the other, and the reverse. */
static bool is_end_of(struct peers *p, uint64_t address, const struct sock *of)
{
	struct sock sock;

	return read_sock(p, address, &sock) == ST_OK && sock.kind == SOCK_TCP &&
	       sock.address != of->address && sock.net == of->net && sock.port == of->peer_port &&
	       sock.peer_port == of->port &&
	       !memcmp(sock.address4, of->peer_address4, sizeof(sock.address4)) &&
	       !memcmp(sock.peer_address4, of->address4, sizeof(sock.address4)) &&
	       sock.has_address6 == of->has_address6 &&
	       (!sock.has_address6 ||
		!memcmp(sock.address6, of->peer_address6, sizeof(sock.address6)));
}

static uint64_t tcp_peer(struct peers *p, const struct sock *of)
{
	const struct hash_u64 *const all[] = { &p->inodes, &p->waiting };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		for (const struct hash_u64_entry *e = all[i]->first; e; e = e->next)
			if (is_end_of(p, e->key, of))
				return e->key;
	return 0;
}

static enum status count_packet(void *arg, const struct skb *skb NOT_USED)
{
	++*(uint64_t *)arg;
	return ST_OK;
}

/* What lies in the socket of the peer: that it has the connection does not say that it reads. */
static void find_unread(struct peers *p, uint64_t peer, struct stuck_task *s)
{
	struct sock sock;
	enum status st = read_sock(p, peer, &sock);
	uint64_t packets = 0;

	if (st == ST_OK && sock.kind == SOCK_UNIX) {
		st = sock_queue_walk(&p->socks, &sock, SOCK_QUEUE_RECEIVE, count_packet, &packets);
		s->unread = st == ST_OK ? packets : 0;
	} else if (st == ST_OK && sock.has_queues && sock.rx_queue > 0) {
		/* The end of the data is a byte of it (tcp_ioctl(), SIOCINQ). */
		s->unread = (uint64_t)sock.rx_queue - (sock.state == STATE_CLOSE_WAIT);
	}
	note(p, st);
}

/* Who sends it none, if the socket is connected, else where it would come. */
static void note_datagram(struct peers *p, const struct sock *of, struct stuck_task *s)
{
	char text[SOCK_NAME];

	if (of->peer_port && sock_peer_text(&p->socks, of, text))
		s->datagram = dump_text(p->dump, "of %s", text);
	else if (!of->port)
		s->datagram = "at a UDP socket that is bound to no port";
	else if (sock_local_text(&p->socks, of, text))
		s->datagram = dump_text(p->dump, "at UDP %s", text);
}

/* The other end of a socket that the thread sleeps on; NULL: it is not known who has it, or it has none. */
static const struct file_users *users_of_peer(struct peers *p, uint64_t sock, struct stuck_task *s)
{
	char text[SOCK_NAME];
	struct sock read;
	uint64_t peer;
	enum status st = sock_wait_find(&p->waits, sock, s->task.address, s->task.stack,
					p->stack_bytes)
				 ?: read_sock(p, sock, &read);

	note(p, st);
	if (st == ST_OK && read.kind == SOCK_UDP) {
		note_datagram(p, &read, s);
		return NULL;
	}
	/* Who waits in accept() waits for no one that is known. */
	if (st != ST_OK || read.state == STATE_LISTEN ||
	    (read.kind != SOCK_UNIX && read.kind != SOCK_TCP))
		return NULL;
	peer = read.kind == SOCK_UNIX ? read.peer : tcp_peer(p, &read);
	s->peer_by = read.kind == SOCK_UNIX ? "unix socket" : "TCP connection";
	/* A server at rest waits for the next request of its client. */
	s->is_server_end = read.kind == SOCK_TCP && hash_u64_has(&p->served, port_of(&read));
	if (peer) {
		find_unread(p, peer, s);
		return users_of_sock(p, peer, &s->is_not_accepted);
	}
	if (read.kind == SOCK_TCP && sock_peer_text(&p->socks, &read, text)) {
		s->remote = dump_strdup(p->dump, text);
		s->is_connecting = read.state == STATE_SYN_SENT;
	}
	return NULL;
}

static void find_peer(struct peers *p, struct stuck_task *s)
{
	for (const struct hash_u64_entry *e = p->inodes.first; s->task.stack && !s->peer && e;
	     e = e->next) {
		const struct file_users *u = open_files_find(&p->open, *(const uint64_t *)e->value);
		const struct file_users *peer = file_users_has(u, s->task.tgid)
							? users_of_peer(p, e->key, s)
							: NULL;

		for (unsigned int i = 0; peer && i < peer->kept; i++)
			if (peer->all[i]->tgid != s->task.tgid && !s->peer)
				s->peer = peer->all[i];
		if (s->datagram || s->peer || s->remote)
			s->waits_for = "socket";
		/* Datagrams are what a server waits for that is at rest. */
		if ((s->peer || s->remote) && !s->where)
			s->where = PLACE_SERVER;
		if (peer && peer->n == 1 && !s->peer && !p->why && p->open.complete)
			s->peer_is_own = true;
	}
}

/* Whether its peer stands still. */
static void find_standstill(const struct stuck_task *all, struct stuck_task *of)
{
	size_t threads = 0, stopped = 0, frozen = 0;

	for (const struct stuck_task *s = all; s; s = s->next) {
		if (s->task.tgid != of->peer->tgid || !s->task.mm)
			continue;
		threads++;
		stopped += s->task.state == 'T';
		frozen += stuck_is_frozen(s);
	}
	of->peer_is_stopped = threads && stopped == threads;
	of->peer_is_frozen = threads && frozen == threads;
}

/* Who serves a network block device has the other end of its sockets, and is waited for. */
static void find_servers(struct peers *p, struct stuck_disk *k)
{
	k->servers_complete = k->has_nbd && k->nbd.complete && p->open.complete && !p->why;
	for (unsigned int i = 0; i < k->nbd.n; i++) {
		const struct file_users *users = NULL;
		struct sock sock;
		uint64_t peer = 0;
		bool waits;
		enum status st = read_sock(p, k->nbd.socks[i], &sock);

		note(p, st);
		if (st == ST_OK)
			peer = sock.kind == SOCK_UNIX  ? sock.peer
			       : sock.kind == SOCK_TCP ? tcp_peer(p, &sock)
						       : 0;
		if (peer)
			users = users_of_sock(p, peer, &waits);
		if (users) {
			file_users_add_all(p->dump->arena, &k->servers, users);
			want(p, users);
		} else if (st == ST_OK && sock.kind == SOCK_TCP) {
			char text[SOCK_NAME];

			if (sock_peer_text(&p->socks, &sock, text))
				k->remote = dump_strdup(p->dump, text);
		}
	}
}

static bool is_sending(const struct stuck_task *s)
{
	return s->task.mm && s->task.state != 'R' && s->caller && s->caller->symbol &&
	       !strcmp(s->caller->symbol, "unix_wait_for_peer");
}

struct senders {
	struct peers *peers;
	struct stuck_task *all;
	uint64_t sock;
	const struct file_users *users; /* of the socket that they send to */
	size_t left;			/* of whom it is not known yet whom they send to */
};

static void take_sender(void *arg, uint64_t task)
{
	struct senders *of = arg;
	struct stuck_task *s = of->all;

	while (s && s->task.address != task)
		s = s->next;
	if (!s || s->peer || !is_sending(s))
		return;
	for (unsigned int i = 0; i < of->users->kept && !s->peer; i++)
		if (of->users->all[i]->tgid != s->task.tgid)
			s->peer = of->users->all[i];
	if (!s->peer)
		return;
	s->peer_by = "unix socket";
	s->waits_for = "socket";
	s->where = s->where ?: PLACE_SERVER;
	s->is_sender = true;
	of->left--;
	find_unread(of->peers, of->sock, s);
	hash_u64_add(&of->peers->tgids, (uint64_t)s->peer->tgid);
}

/* A socket that takes no more has its senders in a queue, whether they are connected to it or send to its name. */
static void find_senders(struct peers *p, struct stuck_task *all)
{
	struct senders of = { .peers = p, .all = all };

	for (const struct stuck_task *s = all; s; s = s->next)
		of.left += is_sending(s) && !s->peer;
	for (const struct hash_u64_entry *e = p->inodes.first; e && of.left; e = e->next) {
		struct sock sock;
		enum status st = read_sock(p, e->key, &sock);

		of.sock = e->key;
		of.users = open_files_find(&p->open, *(const uint64_t *)e->value);
		if (st == ST_OK && sock.kind == SOCK_UNIX && of.users)
			st = sock_senders_walk(&p->waits, e->key, take_sender, &of);
		note(p, st);
	}
}

#define STEPS \
	4u /* from a thread that others wait for to who does not answer: each asks threads of a process once */

/* Of each peer that is found what that waits for is asked next. */
static void find_chains(struct peers *p, struct stuck_task *all)
{
	struct hash_u64 done;

	hash_u64_init(&done, p->dump->arena, 0);
	for (unsigned int i = 0; i < STEPS && done.n < p->tgids.n; i++) {
		struct hash_u64 next;

		hash_u64_init(&next, p->dump->arena, 0);
		for (struct stuck_task *s = all; s && !dump_stopped(p->dump); s = s->next) {
			const uint64_t tgid = (uint64_t)s->task.tgid;

			if (!s->task.mm || s->task.state == 'R' || !hash_u64_has(&p->tgids, tgid) ||
			    hash_u64_has(&done, tgid))
				continue;
			find_peer(p, s);
			if (s->peer)
				hash_u64_add(&next, (uint64_t)s->peer->tgid);
		}
		for (const struct hash_u64_entry *e = p->tgids.first; e; e = e->next)
			hash_u64_add(&done, e->key);
		for (const struct hash_u64_entry *e = next.first; e; e = e->next)
			hash_u64_add(&p->tgids, e->key);
	}
}

struct peer_threads {
	struct stuck_task *first;
	size_t n;
};

/* The only thread of a process that others wait for: it is a row as who has a lock is. */
static void mark_peers(struct arena *arena, struct stuck_task *all)
{
	struct hash_u64 waited; /* of struct peer_threads by tgid */

	hash_u64_init(&waited, arena, sizeof(struct peer_threads));
	for (const struct stuck_task *s = all; s; s = s->next)
		if (s->peer)
			hash_u64_get(&waited, (uint64_t)s->peer->tgid, NULL);
	for (struct stuck_task *t = all; t; t = t->next) {
		struct peer_threads *of = t->task.mm ? (struct peer_threads *)hash_u64_find(
							       &waited, (uint64_t)t->task.tgid)
						     : NULL;

		if (of && !of->n++)
			of->first = t;
	}
	hash_u64_for_each(struct peer_threads, of, &waited)
		if (of->n == 1)
			of->first->is_holder = true;
}

const char *stuck_find_peers(struct dump *d, const struct stuck_wish *wish,
			     const struct frozen *frozen, struct stuck_disk *disks,
			     struct stuck_task *all)
{
	struct peers *p = dump_alloc(d, sizeof(*p));
	enum status st;

	p->dump = d;
	want_all(p, frozen, all);
	want_alike(p, all);
	for (unsigned int i = 0; i < wish->ntgids; i++)
		hash_u64_add(&p->tgids, (uint64_t)wish->tgids[i]);
	if (wish->peers || stuck_has_root(all))
		want_of_roots(p, all);
	for (const struct stuck_task *s = all; s; s = s->next)
		if (is_sending(s))
			hash_u64_add(&p->tgids, (uint64_t)s->task.tgid);
	if (!p->tgids.n && !ANY_NEXT(k, disks, k->nbd.n))
		return NULL;
	st = STRUCTS_OPEN(d, rows, p) ?: open_peers(p);
	note(p, st);
	if (st != ST_OK)
		return p->why;
	find_waiting(p);
	for (struct stuck_disk *k = disks; k; k = k->next)
		find_servers(p, k);
	find_senders(p, all);
	find_chains(p, all);
	for (struct stuck_task *s = all; s; s = s->next)
		if (s->peer)
			find_standstill(all, s);
	mark_peers(d->arena, all);
	return p->why;
}
