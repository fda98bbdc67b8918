// SPDX-License-Identifier: GPL-2.0-or-later
#include "socket_uses.h"

#include <string.h>

#include "net/tcp_hash.h"
#include "util/strbuf.h"

#define MAX_COMPOUND 1024 /* pages of the largest buffer that a packet may be part of: order 10 */

uint64_t socket_use_bytes(const struct socket_use *use)
{
	uint64_t bytes = 0;

	for (unsigned int i = 0; i < SOCK_QUEUES; i++)
		bytes += use->bytes[i];
	return bytes;
}

const char *socket_uses_problem(const struct socket_uses *x)
{
	if (x->nunread)
		return x->unread;
	if (x->nunwalked)
		return x->unwalked;
	if (x->hash_problem)
		return x->hash_problem;
	if (!x->open.complete)
		return x->open.problem;
	return x->is_partial ? "interrupted" : NULL;
}

static void note(struct socket_uses *x, uint64_t *count, const char **problem)
{
	++*count;
	if (!*problem)
		*problem = arena_strdup(x->v->dump->arena, x->v->dump->error);
}

static void add_page(struct socket_uses *x, uint64_t pfn, uint64_t pool)
{
	struct socket_use *use = x->use;
	struct pool_use *p;
	bool is_new;

	if (pfnset_has(&x->pages, pfn))
		return;
	pfnset_add(&x->pages, pfn);
	use->pages++;
	if (!pool)
		return;
	use->pool_pages++;
	p = hash_u64_get(&x->pools, pool, &is_new);
	p->pages++;
	for (unsigned int i = 0; use->users && i < use->users->n && i < FILE_USERS; i++)
		file_users_add(&p->users, &use->users->first[i]);
}

/* The whole of the compound page that a part of it keeps; slabs have objects of others as well. */
static enum status add_pfn(struct socket_uses *x, uint64_t pfn)
{
	struct page_types *types = &x->v->states;
	struct page_info info;
	enum status st;

	if (pfnset_has(&x->pages, pfn))
		return ST_OK;
	st = page_type_at(types, pfn, &info);
	if (st != ST_OK || info.state == PAGE_TYPE_SLAB)
		return st;
	add_page(x, info.head, info.pool);
	for (uint64_t i = 1; i < MAX_COMPOUND; i++) {
		struct page_info tail;

		if (page_type_at(types, info.head + i, &tail) != ST_OK || tail.head != info.head)
			break;
		add_page(x, info.head + i, info.pool);
	}
	add_page(x, pfn, info.pool);
	return ST_OK;
}

static enum status add_span(struct socket_uses *x, uint64_t pfn, uint64_t offset, uint64_t bytes)
{
	unsigned int shift = x->v->dump->page_shift;
	uint64_t last = pfn + ((offset + (bytes ? bytes - 1 : 0)) >> shift);
	enum status st = ST_OK;

	pfn += offset >> shift;
	if (last - pfn > MAX_COMPOUND)
		return dump_fail(x->v->dump, ST_CORRUPT, "a part of a packet has %llu bytes",
				 (unsigned long long)bytes);
	for (; pfn <= last && st == ST_OK; pfn++)
		st = add_pfn(x, pfn);
	return st;
}

static enum status add_head(void *arg, uint64_t address, uint64_t bytes)
{
	struct socket_uses *x = arg;
	struct dump *d = x->v->dump;
	uint64_t phys;

	if (!d->ops->virt_to_phys || d->ops->virt_to_phys(d->priv, address, &phys) != ST_OK)
		return dump_fail(d, ST_CORRUPT, "the buffer at %#llx of a packet is not mapped",
				 (unsigned long long)address);
	return add_span(x, phys >> d->page_shift, phys & (dump_page_size(d) - 1), bytes);
}

static enum status add_fragment(void *arg, uint64_t page, uint64_t offset, uint64_t bytes)
{
	struct socket_uses *x = arg;
	uint64_t pfn;
	enum status st = page_to_pfn_find(&x->to_pfn, page, &pfn);

	if (st == ST_ABSENT)
		return dump_fail(x->v->dump, ST_CORRUPT,
				 "a fragment of a packet is at %#llx, which is no struct page",
				 (unsigned long long)page);
	return st == ST_OK ? add_span(x, pfn, offset, bytes) : st;
}

static enum status add_packet(void *arg, const struct skb *skb)
{
	struct socket_uses *x = arg;
	const struct skb_memory memory = { add_head, add_fragment, x };

	x->use->packets++;
	x->use->bytes[x->queue] += skb->truesize;
	return skb_memory_walk(&x->socks.skbs, skb, &memory);
}

static enum status walk_queues(struct socket_uses *x, struct socket_use *use)
{
	enum status st = ST_OK;

	x->use = use;
	for (unsigned int i = 0; i < SOCK_QUEUES && st == ST_OK; i++) {
		x->queue = i;
		st = sock_queue_walk(&x->socks, &use->sock, i, add_packet, x);
	}
	if (st == ST_STOPPED)
		return st;
	use->walked = st == ST_OK;
	if (!use->walked)
		note(x, &x->nunwalked, &x->unwalked);
	return ST_OK;
}

/* What its protocol counts of it: packets received and to be sent, and what it has in advance. */
static void add_charge(struct socket_uses *x, const struct sock *sock)
{
	const struct sock_protocol *p = hash_u64_find(&x->names, sock->prot);
	struct protocol_use *use;
	bool is_new;

	if (!p || !p->counter || sock->bypasses)
		return;
	use = hash_u64_get(&x->by_counter, p->counter, &is_new);
	use->sockets++;
	use->bytes += sock->forward + sock->rmem + sock->wmem_queued;
}

static void add_sock(struct socket_uses *x, uint64_t address, uint64_t inode,
		     const struct file_users *users)
{
	struct dump *d = x->v->dump;
	struct socket_use **known, *use;
	bool is_new;

	known = hash_u64_get(&x->found, address, &is_new);
	if (!is_new)
		return;
	use = dump_alloc(d, sizeof(*use));
	if (sock_read(&x->socks, address, &use->sock) != ST_OK) {
		note(x, &x->nunread, &x->unread);
		return;
	}
	use->inode = inode;
	use->users = users;
	*known = use;
	*x->last = use;
	x->last = &use->next;
	add_charge(x, &use->sock);
}

static enum status add_hashed(void *arg, uint64_t address)
{
	add_sock(arg, address, 0, NULL);
	return ST_OK;
}

static enum status add_opened(struct socket_uses *x)
{
	for (const struct hash_u64_entry *e = x->open.inodes.first; e; e = e->next) {
		uint64_t address;
		enum status st;

		if (dump_stopped(x->v->dump))
			return ST_STOPPED;
		st = sock_of_inode(&x->socks, e->key, &address);
		if (st == ST_OK)
			add_sock(x, address, e->key, (const struct file_users *)e->value);
		else if (st != ST_ABSENT)
			note(x, &x->nunread, &x->unread);
	}
	return ST_OK;
}

static enum status add_protocol(void *arg, const struct sock_protocol *p)
{
	struct socket_uses *x = arg;
	struct dump *d = x->v->dump;
	struct sock_protocol *copy;
	struct protocol_use *use;
	char names[128];
	struct strbuf b;
	bool is_new;

	copy = hash_u64_get(&x->names, p->address, &is_new);
	*copy = *p;
	if (!p->counter)
		return ST_OK;
	use = hash_u64_get(&x->by_counter, p->counter, &is_new);
	/* The list has the protocol that was registered last first. */
	strbuf_init(&b, names, sizeof(names));
	strbuf_add(&b, "%s%s%s", p->name, is_new ? "" : ", ", is_new ? "" : use->names);
	use->names = arena_strdup(d->arena, names);
	use->protocol = *p;
	return ST_OK;
}

static enum status open_all(struct socket_uses *x)
{
	struct owner_view *v = x->v;
	struct dump *d = v->dump;
	uint64_t end = v->owner.ram.ranges[v->owner.ram.n - 1].end, operations;
	enum status st;

	/* Debug information has struct sock without CONFIG_NET too, as far as others use it. */
	if (!dump_has_symbol(d, "socket_file_ops"))
		return dump_fail(d, ST_ABSENT,
				 "this kernel has no sockets: built without CONFIG_NET");
	st = socks_open(d, &x->socks);
	if (st == ST_OK)
		st = page_to_pfn_open(d, &v->owner.ext.memmap, end, &x->to_pfn);
	if (st == ST_OK)
		st = open_files_open(d, &x->open);
	if (st == ST_OK)
		st = dump_symbol(d, "socket_file_ops", &operations);
	if (st == ST_OK && !x->open.has_operations)
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct file has no f_op");
	if (st != ST_OK)
		return st;
	x->open.operations = operations;
	pfnset_init(&x->pages, d->arena, end);
	return ST_OK;
}

static const char *problem_of(struct socket_uses *x, enum status st)
{
	return st == ST_OK || st == ST_ABSENT ? NULL
					      : arena_strdup(x->v->dump->arena, x->v->dump->error);
}

enum status socket_uses_read(struct owner_view *v, struct socket_uses *ret)
{
	struct socket_uses *x = ret;
	struct dump *d = v->dump;
	struct hash_u64 none;
	enum status st;

	memset(x, 0, sizeof(*x));
	x->v = v;
	x->last = &x->first;
	hash_u64_init(&none, d->arena, 0);
	hash_u64_init(&x->found, d->arena, sizeof(struct socket_use *));
	hash_u64_init(&x->by_counter, d->arena, sizeof(struct protocol_use));
	hash_u64_init(&x->names, d->arena, sizeof(struct sock_protocol));
	hash_u64_init(&x->pools, d->arena, sizeof(struct pool_use));
	st = open_all(x);
	if (st != ST_OK)
		return st;
	st = sock_protocols_walk(d, add_protocol, x);
	x->protocol_problem = problem_of(x, st);
	st = open_files_read(&x->open, &none);
	if (st == ST_OK)
		st = add_opened(x);
	if (st == ST_OK) {
		st = tcp_hash_walk(&x->socks, add_hashed, x);
		x->hash_problem = st == ST_STOPPED ? NULL : problem_of(x, st);
		st = st == ST_STOPPED ? st : ST_OK;
	}
	for (struct socket_use *use = x->first; use && st == ST_OK; use = use->next)
		st = walk_queues(x, use);
	x->is_partial = st == ST_STOPPED;
	return st == ST_STOPPED ? ST_OK : st;
}
