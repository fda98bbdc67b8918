// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/sock.h"

#include "kernel/list.h"

#define MAX_BUCKETS (1U << 24) /* alloc_large_system_hash() gives 2^19 */
#define MAX_SOCKETS (1U << 24) /* of all tables */
#define CHUNK 512	       /* buckets that are read at once */
#define BUCKET 8	       /* bytes of a struct inet_ehash_bucket */
#define NULLS 1		       /* bit of the end of a list: hlist_nulls, not NULL */
#define MAX_CORRUPT 1000       /* chains: with more of them it is no hash table */

struct walk {
	struct socks *s;
	struct structure table;
	struct field net_list, net_hash;
	struct hash_u64 tables; /* that were read */
	enum status (*visit)(void *arg, uint64_t sock, unsigned int state);
	void *arg;
	struct tcp_hash *ret;
	bool is_ended;	      /* visit ended a chain: what is behind it is not known */
	unsigned int corrupt; /* chains */
	struct hash_u64 seen; /* nodes of all chains */
};

struct table {
	uint64_t buckets;
	uint32_t mask;
};

/* What one walk found, for all that ask: sockets are all over memory, in the order of their hash. */
struct tcp_hash {
	uint64_t *socks; /* addresses */
	uint8_t *states;
	size_t n;
	struct first_problem problem;
};

static const struct layout_row tcp_hash_rows[] = {
	STRUCTURE(struct walk, table, "struct inet_hashinfo"),
	READS(struct table, buckets, REQUIRED, "all", "ehash"),
	READS(struct table, mask, REQUIRED, "all", "ehash_mask"),
	FINDS(struct walk, net_list, "struct net", OPTIONAL, "all", "list"),
	/* A namespace may have a table of its own, net.ipv4.tcp_child_ehash_entries (6.1). */
	FINDS(struct walk, net_hash, "struct net", OPTIONAL, "5.10", "ipv4.tcp_death_row.hashinfo"),
};

static enum status note(struct walk *w, enum status st)
{
	return first_problem_keep(w->s->dump, &w->ret->problem, st);
}

/* While what was read of it is at hand. */
static enum status add(struct walk *w, uint64_t sock, uint8_t state)
{
	enum status st = w->visit(w->arg, sock, state);
	struct arena *a = w->s->dump->arena;
	struct tcp_hash *h = w->ret;

	h->socks = arena_more(a, h->socks, h->n, sizeof(*h->socks));
	h->states = arena_more(a, h->states, h->n, sizeof(*h->states));
	h->socks[h->n] = sock;
	h->states[h->n++] = state;
	w->is_ended |= st != ST_OK;
	return st;
}

static enum status visit_chain(struct walk *w, uint64_t node)
{
	struct socks *s = w->s;
	struct dump *d = s->dump;
	enum status st = ST_OK;

	while (st == ST_OK && !(node & NULLS)) {
		uint64_t sock = node - s->node.offset;
		const struct sock *known = sock_known(s, sock);
		uint8_t state = known ? known->state : 0;
		bool is_new;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		hash_u64_get(&w->seen, node, &is_new);
		if (!node || !is_new || w->seen.n > MAX_SOCKETS)
			return dump_corrupt(
				d, "a chain of TCP connections has no end, or that of another");
		if (!known || !known->has_next)
			st = dump_read(d, sock + STRUCT_FIELD(&s->ends, struct sock, state)->offset,
				       &state, 1, "sock_common");
		if (st == ST_OK && state != STATE_NEW_SYN_RECV)
			st = add(w, sock, state);
		if (st == ST_OK && known && known->has_next)
			node = known->next;
		else
			st = st ?: dump_u64(d, node, &node, "sock_common");
	}
	return st;
}

static enum status visit_bucket(struct walk *w, uint64_t node)
{
	enum status st = visit_chain(w, node);

	return st == ST_CORRUPT && ++w->corrupt > MAX_CORRUPT ? st : note(w, st);
}

static enum status visit_table(struct walk *w, uint64_t info)
{
	struct dump *d = w->s->dump;
	uint8_t raw[CHUNK * BUCKET];
	struct table t = { 0 };
	enum status st = struct_read(&w->table, info, &t);
	uint64_t n = t.mask + 1ULL;

	if (st == ST_OK && (n > MAX_BUCKETS || n & t.mask))
		st = dump_corrupt(d, "inet_hashinfo at %#lx has %lu buckets", info, n);
	/* 0: TCP was not started. */
	for (uint64_t i = 0; st == ST_OK && t.buckets && i < n; i += CHUNK) {
		uint64_t len = n - i < CHUNK ? n - i : CHUNK;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = dump_read(d, t.buckets + i * BUCKET, raw, len * BUCKET, "ehash");
		if (st != ST_OK) {
			st = note(w, st);
			continue;
		}
		for (uint64_t k = 0; st == ST_OK && k < len; k++)
			st = visit_bucket(w, le64(raw + k * BUCKET));
	}
	return st;
}

static enum status add_table(struct walk *w, uint64_t info)
{
	if (!info)
		return ST_OK;
	return hash_u64_add(&w->tables, info) ? note(w, visit_table(w, info)) : ST_OK;
}

static enum status visit_nets(struct walk *w)
{
	struct dump *d = w->s->dump;
	struct list_nodes nets;
	uint64_t head, node, info;
	enum status st;

	if (!w->net_list.present || !w->net_hash.present ||
	    !dump_has_symbol(d, "net_namespace_list"))
		return ST_OK;
	st = dump_symbol(d, "net_namespace_list", &head);
	nets = list_of(d, head, "net_namespace_list");
	while (st == ST_OK && list_next(&nets, &node)) {
		st = dump_u64(d, node - w->net_list.offset + w->net_hash.offset, &info, "net");
		st = st == ST_OK ? add_table(w, info) : note(w, st);
	}
	return st ?: list_end(&nets);
}

static enum status read_hash(struct walk *w)
{
	struct dump *d = w->s->dump;
	struct arena *meanwhile = arena_within(d->arena);
	uint64_t info;
	enum status st = STRUCTS_OPEN(d, tcp_hash_rows, w);

	if (st != ST_OK)
		return st;
	hash_u64_init(&w->tables, meanwhile, 0);
	hash_u64_init(&w->seen, meanwhile, 0);
	st = dump_symbol(d, "tcp_hashinfo", &info) ?: add_table(w, info) ?: note(w, visit_nets(w));
	arena_reset(meanwhile);
	if (st == ST_OK && !w->is_ended)
		d->tcp_hash = w->ret;
	return st ?: first_problem_end(d, &w->ret->problem);
}

enum status tcp_hash_walk(struct socks *s,
			  enum status (*visit)(void *arg, uint64_t sock, unsigned int state),
			  void *arg)
{
	struct dump *d = s->dump;
	const struct tcp_hash *h = d->tcp_hash;
	enum status st = ST_OK;

	if (!dump_has_symbol(d, "tcp_hashinfo"))
		return dump_absent(d, "this kernel has no TCP");
	if (!h) {
		struct walk w = { .s = s, .visit = visit, .arg = arg };

		w.ret = dump_alloc(d, sizeof(*w.ret));
		return read_hash(&w);
	}
	for (size_t i = 0; st == ST_OK && i < h->n; i++)
		st = dump_stopped(d) ? dump_fail(d, ST_STOPPED, "interrupted")
				     : visit(arg, h->socks[i], h->states[i]);
	return st ?: first_problem_end(d, &h->problem);
}
