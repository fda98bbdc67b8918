// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/sockets.h"

#include <sys/socket.h>

#include "dump/pointer.h"
#include "net/packet_ring.h"
#include "net/sock_ends.h"
#include "net/sock_protocols.h"

#define MAX_COMPOUND 1024 /* pages of the largest buffer that a packet may be part of: order 10 */

/* A block of pages that is counted: of the socket that was found first. */
struct block {
	const struct socket *socket;
	uint64_t pages;
	bool is_shared; /* another one has packets in it too */
};

struct sum {
	struct sock_protocol of;
	struct socket_protocol row;
};

/* What could not be had of some sockets; why is of the first of them. */
struct failed {
	uint64_t n;
	const char *why;
};

struct search {
	const struct session *s;
	struct dump *dump;
	struct sockets *ret;
	struct socks socks;
	struct open_files open;
	struct page_to_pfn to_pfn;
	struct pfnset pages;	    /* that were counted */
	struct hash_u64 blocks;	    /* of struct block by the pfn of the first page */
	struct hash_u64 by_counter; /* of struct sum */
	struct hash_u64 protocols;  /* of struct sock_protocol by address of struct proto */
	struct text_lists lists;    /* of users */
	struct socket *socket;	    /* whose queues are read */
	bool is_kmalloc;	    /* so is the part of a packet */
	bool with_time_wait;
	void (*visit)(void *arg, uint64_t sock, uint64_t pfn); /* NULL: no one asks */
	void *arg;
	struct failed unread, unwalked, unaccepted;
	const struct file_users *waited_for; /* of connections that are not accepted: their users */
	const char *hash_problem, *protocol_problem, *ring_problem; /* NULL: none */
	bool has_rings;						    /* all were found */
	uint64_t ring_bytes; /* of the ring whose parts are counted */
};

static void note(struct search *x, struct failed *failed)
{
	if (!failed->n++)
		failed->why = dump_why(x->dump);
}

static void add_page(struct search *x, uint64_t pfn, const struct page_info *info)
{
	const uint64_t pool = info->pool;
	struct socket *socket = x->socket;
	struct socket_pool *p;

	if (pfnset_has(&x->pages, pfn))
		return;
	pfnset_add(&x->pages, pfn);
	socket->pages++;
	socket->file_pages += info->state == PAGE_TYPE_FILE;
	if (x->visit && !x->is_kmalloc)
		x->visit(x->arg, socket->sock.address, pfn);
	if (!pool)
		return;
	socket->pool_pages++;
	p = hash_u64_get(&x->ret->pools, pool, NULL);
	p->pages++;
	if (socket->users)
		file_users_add_all(x->dump->arena, &p->users, socket->users);
}

/* Found ones have their place until all are told. */
static void share_block(struct search *x, struct block *block)
{
	if (block->is_shared || block->socket == x->socket)
		return;
	block->is_shared = true;
	x->ret->shared_pages += block->pages;
}

/* The whole of the compound page that a part of it keeps; slabs have objects of others as well. */
static enum status add_pfn(struct search *x, uint64_t pfn)
{
	const uint64_t before = x->socket->pages;
	struct page_info info, tail;
	struct block *block;
	bool is_new;
	enum status st = page_type_at(x->s->types, pfn, &info);

	if (st != ST_OK || info.state == PAGE_TYPE_SLAB)
		return st;
	block = hash_u64_get(&x->blocks, info.head, &is_new);
	if (!is_new) {
		share_block(x, block);
		return ST_OK;
	}
	block->socket = x->socket;
	add_page(x, info.head, &info);
	for (uint64_t i = 1; i < MAX_COMPOUND; i++) {
		if (page_type_at(x->s->types, info.head + i, &tail) != ST_OK ||
		    tail.head != info.head)
			break;
		add_page(x, info.head + i, &info);
	}
	add_page(x, pfn, &info);
	block->pages = x->socket->pages - before;
	return ST_OK;
}

static enum status add_span(struct search *x, uint64_t pfn, uint64_t offset, uint64_t bytes)
{
	unsigned int shift = x->dump->page_shift;
	uint64_t last = pfn + ((offset + (bytes ? bytes - 1 : 0)) >> shift);
	enum status st = ST_OK;

	pfn += offset >> shift;
	if (last - pfn > MAX_COMPOUND)
		return dump_corrupt(x->dump, "a part of a packet has %lu bytes", bytes);
	for (; pfn <= last && st == ST_OK; pfn++)
		st = add_pfn(x, pfn);
	return st;
}

static enum status add_head(void *arg, uint64_t address, uint64_t bytes, bool is_kmalloc)
{
	struct search *x = arg;
	struct dump *d = x->dump;
	uint64_t phys;
	enum status st = dump_pointer_phys(d, address, "the buffer of a packet", &phys);

	if (st != ST_OK)
		return st;
	x->is_kmalloc = is_kmalloc;
	st = add_span(x, phys >> d->page_shift, phys & (dump_page_size(d) - 1), bytes);
	x->is_kmalloc = false;
	return st;
}

static enum status add_fragment(void *arg, uint64_t page, uint64_t offset, uint64_t bytes)
{
	struct search *x = arg;
	uint64_t pfn;
	enum status st = page_to_pfn_find(&x->to_pfn, page, &pfn);

	if (st == ST_ABSENT)
		return dump_corrupt(x->dump,
				    "a fragment of a packet is at %#lx, which is no struct page",
				    page);
	return st == ST_OK ? add_span(x, pfn, offset, bytes) : st;
}

static enum status add_packet(void *arg, const struct skb *skb)
{
	struct search *x = arg;
	const struct skb_memory memory = { add_head, add_fragment, x };

	x->socket->packets++;
	x->socket->bytes += skb->truesize;
	return skb_memory_walk(&x->socks.skbs, skb, &memory);
}

static enum status walk_queues(struct search *x, struct socket *socket)
{
	enum status st = ST_OK;

	x->socket = socket;
	for (unsigned int i = 0; i < SOCK_QUEUES && st == ST_OK; i++)
		st = sock_queue_walk(&x->socks, &socket->sock, i, add_packet, x);
	if (st == ST_STOPPED)
		return st;
	socket->walked = socket->has_bytes = socket->has_packets = st == ST_OK;
	if (!socket->walked)
		note(x, &x->unwalked);
	return ST_OK;
}

/* What its protocol counts of it: packets received and to be sent, and what it has in advance. */
static void add_charge(struct search *x, const struct sock *sock)
{
	const struct sock_protocol *p = hash_u64_find(&x->protocols, sock->prot);
	struct sum *sum;

	if (!p || !p->counter || sock->bypasses)
		return;
	sum = hash_u64_get(&x->by_counter, p->counter, NULL);
	sum->row.sockets++;
	sum->row.charged_bytes += sock->forward + sock->rmem + sock->wmem_queued;
}

static const char *address_text(struct search *x, const struct sock *sock,
				bool (*text)(struct socks *s, const struct sock *sock,
					     char buf[SOCK_NAME]))
{
	char buf[SOCK_NAME];

	return !text(&x->socks, sock, buf) ? NULL : *buf ? dump_strdup(x->dump, buf) : "";
}

/* The socket at an address, which stays where it is; sock NULL: it cannot be read, and is none. */
static struct socket *add_found(struct search *x, uint64_t address, const struct sock *sock)
{
	struct sockets *ret = x->ret;
	struct socket *socket = sock ? dump_alloc(x->dump, sizeof(*socket)) : NULL;

	*(struct socket **)hash_u64_get(&ret->found, address, NULL) = socket;
	if (!socket)
		return NULL;
	socket->sock = *sock;
	/* While the page is at hand. */
	socket->local = address_text(x, sock, sock_local_text);
	socket->remote = address_text(x, sock, sock_peer_text);
	ret->all = arena_more(x->dump->arena, ret->all, ret->n, sizeof(struct socket *));
	ret->all[ret->n++] = socket;
	return socket;
}

/* Its queues begin in the memory that was just read of it. */
static enum status add_sock(struct search *x, uint64_t address, uint64_t inode,
			    const struct file_users *users)
{
	struct sock sock;
	struct socket *socket;

	if (hash_u64_has(&x->ret->found, address))
		return ST_OK;
	if (sock_read(&x->socks, address, &sock) != ST_OK) {
		add_found(x, address, NULL);
		note(x, &x->unread);
		return ST_OK;
	}
	socket = add_found(x, address, &sock);
	socket->inode = inode;
	socket->users = users;
	add_charge(x, &socket->sock);
	return walk_queues(x, socket);
}

/* One in TIME_WAIT has no queues, no file, and is charged with nothing. */
static enum status add_hashed(void *arg, uint64_t address, unsigned int state)
{
	struct search *x = arg;
	struct sock sock;
	struct socket *socket;

	if (state != STATE_TIME_WAIT)
		return add_sock(x, address, 0, NULL);
	if (!x->with_time_wait || hash_u64_has(&x->ret->found, address))
		return ST_OK;
	if (sock_read_ends(&x->socks, address, &sock) != ST_OK) {
		add_found(x, address, NULL);
		note(x, &x->unread);
		return ST_OK;
	}
	socket = add_found(x, address, &sock);
	socket->walked = socket->has_bytes = socket->has_packets = true;
	return ST_OK;
}

/* Those of the listening socket, who could accept it. */
static const struct file_users *users_of_waiting(struct search *x, const struct file_users *of)
{
	struct file_users *users = dump_alloc(x->dump, sizeof(*users));

	for (unsigned int i = 0; of && i < of->kept; i++) {
		struct file_user *user = dump_alloc(x->dump, sizeof(*user));

		*user = *of->all[i];
		user->not_accepted = true;
		file_users_add(x->dump->arena, users, user);
	}
	users->n = of ? of->n : 0;
	return users;
}

static enum status add_waiting(void *arg, uint64_t address)
{
	struct search *x = arg;
	enum status st = add_sock(x, address, 0, x->waited_for);
	struct socket *socket = sockets_find(x->ret, address);

	if (socket)
		socket->not_accepted = true;
	return st;
}

/* No file refers to them: they end with the listening socket. Found ones become the last of the list. */
static enum status add_unaccepted(struct search *x)
{
	for (size_t i = 0; i < x->ret->n; i++) {
		const struct socket *listener = x->ret->all[i];
		enum status st;

		if (!listener->users || listener->sock.state != STATE_LISTEN ||
		    listener->sock.kind != SOCK_TCP || !listener->sock.rx_queue)
			continue;
		x->waited_for = users_of_waiting(x, listener->users);
		st = sock_accept_walk(&x->socks, &listener->sock, add_waiting, x);
		if (st == ST_STOPPED)
			return st;
		if (st != ST_OK)
			note(x, &x->unaccepted);
	}
	return ST_OK;
}

static enum status add_opened(struct search *x)
{
	enum status st = ST_OK;

	for (const struct hash_u64_entry *e = x->open.inodes.first; e && st == ST_OK; e = e->next) {
		uint64_t address;

		if (dump_stopped(x->dump))
			return ST_STOPPED;
		st = sock_of_inode(&x->socks, e->key, &address);
		if (st == ST_OK) {
			st = add_sock(x, address, e->key, (const struct file_users *)e->value);
			continue;
		}
		if (st != ST_ABSENT)
			note(x, &x->unread);
		st = ST_OK;
	}
	return st;
}

static enum status add_protocol(void *arg, const struct sock_protocol *p)
{
	struct search *x = arg;
	struct sum *sum;
	struct strbuf b = STRBUF_OF(128);
	bool is_new;

	*(struct sock_protocol *)hash_u64_get(&x->protocols, p->address, &is_new) = *p;
	if (!p->counter)
		return ST_OK;
	sum = hash_u64_get(&x->by_counter, p->counter, &is_new);
	/* The list has the protocol that was registered last first. */
	strbuf_add(&b, "%s%s%s", p->name, is_new ? "" : ", ", is_new ? "" : sum->row.names);
	sum->row.names = dump_strdup(x->dump, b.buf);
	sum->of = *p;
	return ST_OK;
}

static enum status open_all(struct search *x)
{
	struct dump *d = x->dump;
	enum status st;

	/* Debug information has struct sock without CONFIG_NET too, as far as others use it. */
	if (!dump_has_symbol(d, "socket_file_ops"))
		return dump_absent(d, "this kernel has no sockets: built without CONFIG_NET");
	st = socks_open(d, &x->socks) ?:
			page_to_pfn_open(d, x->s->memmap, session_end(x->s), &x->to_pfn) ?:
			open_files_open_by(d, &x->open, "socket_file_ops");
	if (st != ST_OK)
		return st;
	pfnset_init(&x->pages, d->arena, session_end(x->s));
	return ST_OK;
}

static const char *problem_of(struct search *x, enum status st)
{
	return st == ST_OK || st == ST_ABSENT || st == ST_STOPPED ? NULL : dump_why(x->dump);
}

static const struct text_list *users_list(struct search *x, const struct file_users *users)
{
	return file_users_list(users ?: &(struct file_users){ 0 }, x->open.complete, &x->lists);
}

static void name(struct search *x, struct socket *socket)
{
	const struct sock *sock = &socket->sock;
	const struct sock_protocol *p = hash_u64_find(&x->protocols, sock->prot);
	const struct socket *peer = sock->peer ? sockets_find(x->ret, sock->peer) : NULL;

	socket->family = sock_family_name(sock->family);
	socket->type = sock_type_name(sock->type);
	socket->state = sock_state_name(sock->state);
	socket->protocol = p ? p->name : NULL;
	socket->used_by = users_list(x, socket->users);
	if (peer)
		socket->peer_used_by = users_list(x, peer->users);
}

/* TCP connections of which both ends are sockets of this machine; of two with the same numbers none is told. */
static void put_peers(struct search *x)
{
	struct sockets *ret = x->ret;
	struct arena *meanwhile = arena_within(x->dump->arena);
	struct hash_bytes connections; /* of struct connection by struct sock_ends */
	struct connection {
		const struct socket *end;
		bool is_twice;
	} * c;
	bool is_new;

	hash_bytes_init(&connections, meanwhile, sizeof(*c));
	for (size_t i = 0; i < ret->n; i++) {
		const struct socket *socket = ret->all[i];
		const struct sock_ends e = sock_ends_of(&socket->sock);

		if (socket->sock.kind != SOCK_TCP || !e.peer_port)
			continue;
		c = (struct connection *)hash_bytes_get(&connections, &e, sizeof(e), &is_new)
			    ->value;
		c->is_twice = !is_new;
		c->end = socket;
	}
	for (size_t i = 0; i < ret->n && connections.n; i++) {
		struct socket *socket = ret->all[i];
		const struct sock_ends e = sock_ends_of(&socket->sock),
				       other = sock_ends_turned(&e);

		if (socket->sock.kind != SOCK_TCP || !e.peer_port)
			continue;
		c = hash_bytes_find(&connections, &other, sizeof(other));
		if (c && !c->is_twice)
			socket->peer_used_by = c->end->used_by;
	}
	arena_reset(meanwhile);
}

static void put_sockets(struct search *x)
{
	for (size_t i = 0; i < x->ret->n; i++) {
		struct socket *socket = x->ret->all[i];

		name(x, socket);
		socket->has_rings = x->has_rings && socket->protocol &&
				    !strcmp(socket->protocol, "PACKET");
	}
	put_peers(x);
}

static void put_protocols(struct search *x)
{
	struct sockets *ret = x->ret;
	bool all = !x->unread.n && x->open.complete && !x->hash_problem && !ret->is_partial;

	ret->protocols = dump_alloc(x->dump, x->by_counter.n * sizeof(*ret->protocols));
	hash_u64_for_each(const struct sum, sum, &x->by_counter) {
		struct socket_protocol *row = &ret->protocols[ret->nprotocols++];

		*row = sum->row;
		row->has_sockets = all;
		row->has_memory = sum->of.has_memory;
		row->has_both = all && row->has_memory;
		row->accounted_bytes = sum->of.allocated_bytes + sum->of.reserve_bytes;
		row->reserve_bytes = sum->of.reserve_bytes;
		row->difference_bytes = row->charged_bytes - row->accounted_bytes;
	}
}

static void put_gaps(struct search *x)
{
	const struct gap gaps[] = {
		{ "%s corrupt, or not in this dump: %s", x->unread.n, "socket is", "sockets are",
		  x->unread.why },
		{ "the packets of %s are unknown, and not in their order: %s", x->unwalked.n,
		  "socket", "sockets", x->unwalked.why },
		{ "whose connections wait to be accepted is unknown of %s: %s", x->unaccepted.n,
		  "listening socket", "listening sockets", x->unaccepted.why },
		{ "sockets and their users may be missing: %s", !x->open.complete,
		  .why = x->open.problem },
		{ "of %s the first are named, the others counted", x->lists.cut, "list of users",
		  "lists of users", .keeps_sizes = true },
		GAP_WHY("TCP connections that no process has open may be missing: %s",
			x->hash_problem),
		GAP_WHY("rings of packet sockets are unknown: %s", x->ring_problem),
		{ "what protocols account is unknown: %s", x->protocol_problem != NULL,
		  .why = x->protocol_problem, .keeps_sizes = true },
	};

	x->ret->gaps = GAPS_OF(x->dump, gaps);
	x->ret->problem = x->unread.n	       ? x->unread.why
			  : x->unwalked.n      ? x->unwalked.why
			  : x->unaccepted.n    ? x->unaccepted.why
			  : x->hash_problem ?: !x->open.complete  ? x->open.problem
			  : x->ret->is_partial ? "interrupted"
					       : NULL;
}

static enum status add_ring_part(void *arg, uint64_t address NOT_USED, uint64_t bytes)
{
	struct search *x = arg;

	x->ring_bytes += bytes;
	return ST_OK;
}

static enum status end_ring(void *arg, const struct memory_holder *ring)
{
	struct search *x = arg;
	struct socket *socket = sockets_find(x->ret, ring->sock);

	if (socket)
		socket->ring_bytes += x->ring_bytes;
	x->ring_bytes = 0;
	return ST_OK;
}

/* Blocks of a ring are addresses, never a struct page. */
static enum status add_rings(struct search *x)
{
	const struct memory_parts parts = { .part = add_ring_part, .holder = end_ring, .arg = x };
	enum status st = ST_OK;
	bool is_asked = false;

	for (size_t i = 0; i < x->ret->n; i++)
		is_asked |= x->ret->all[i]->sock.family == AF_PACKET;
	if (is_asked)
		st = packet_rings_walk(x->dump, &parts);
	x->has_rings = st == ST_OK;
	x->ring_problem = problem_of(x, st);
	return st == ST_STOPPED ? st : ST_OK;
}

/* ST_STOPPED: the rest is missing. */
static enum status find_all(struct search *x)
{
	enum status st = sock_protocols_walk(x->dump, add_protocol, x);

	x->protocol_problem = problem_of(x, st);
	st = open_files_read(&x->open, NULL) ?: add_opened(x) ?: add_unaccepted(x);
	if (st != ST_OK)
		return st;
	st = tcp_hash_walk(&x->socks, add_hashed, x);
	x->hash_problem = problem_of(x, st);
	return st == ST_STOPPED ? st : add_rings(x);
}

static enum status collect_as(const struct session *s, struct search as, struct sockets *ret)
{
	struct dump *d = s->dump;
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	as.s = s;
	as.dump = d;
	as.ret = ret;
	*x = as;
	*ret = (struct sockets){ 0 };
	hash_u64_init(&x->blocks, d->arena, sizeof(struct block));
	hash_u64_init(&ret->found, d->arena, sizeof(struct socket *));
	hash_u64_init(&x->by_counter, d->arena, sizeof(struct sum));
	hash_u64_init(&x->protocols, d->arena, sizeof(struct sock_protocol));
	text_lists_init(&x->lists, d->arena);
	hash_u64_init(&ret->pools, d->arena, sizeof(struct socket_pool));
	st = open_all(x) ?: find_all(x);
	if (st != ST_OK && st != ST_STOPPED)
		return st;
	ret->is_partial = st == ST_STOPPED;
	put_sockets(x);
	put_protocols(x);
	put_gaps(x);
	return ST_OK;
}

enum status sockets_collect(const struct session *s, const struct sockets **ret)
{
	struct dump *d = s->dump;
	struct sockets *all = d->sockets ? NULL : dump_alloc(d, sizeof(*all));
	enum status st = ST_OK;

	if (all) {
		d->socks = &all->found;
		st = collect_as(s, (struct search){ 0 }, all);
	}
	if (st == ST_OK)
		*ret = d->sockets = all ?: d->sockets;
	else
		d->socks = NULL;
	return st;
}

enum status sockets_collect_all(const struct session *s, struct sockets *ret)
{
	return collect_as(s, (struct search){ .with_time_wait = true }, ret);
}

enum status sockets_collect_pages(const struct session *s,
				  void (*visit)(void *arg, uint64_t sock, uint64_t pfn), void *arg,
				  struct sockets *ret)
{
	return collect_as(s, (struct search){ .visit = visit, .arg = arg }, ret);
}
