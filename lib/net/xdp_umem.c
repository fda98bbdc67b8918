// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/xdp_umem.h"

#include "dump/structure.h"
#include "kernel/list.h"
#include "util/hash_u64.h"

struct xdp_sock {
	uint64_t umem; /* 0: it has none */
};

struct umem {
	uint64_t vector; /* of pointers to struct page */
	uint32_t pages;
};

/* The first socket of a UMEM, and how many there are. */
struct found {
	uint64_t sock;
	unsigned int socks;
};

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct field net_list, net_socks, node;
	struct structure sock, umem;
	struct hash_u64 found; /* of struct found by address of the UMEM */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	FINDS(struct walk, net_list, "struct net", REQUIRED, "all", "list"),
	FINDS(struct walk, net_socks, "struct net", REQUIRED, "5.0, CONFIG_XDP_SOCKETS",
	      "xdp.list.first", "xdp.list"),
	FINDS(struct walk, node, "struct sock", REQUIRED, "all", "__sk_common.skc_node"),
	STRUCTURE(struct walk, sock, "struct xdp_sock"),
	POINTS(struct xdp_sock, umem, REQUIRED, "all", "umem"),
	STRUCTURE(struct walk, umem, "struct xdp_umem"),
	POINTS(struct umem, vector, REQUIRED, "all", "pgs"),
	READS(struct umem, pages, REQUIRED, "all", "npgs"),
};

static enum status find_sock(struct walk *w, uint64_t at)
{
	struct xdp_sock s;
	struct found *f;
	enum status st = struct_read(&w->sock, at, &s);

	if (st != ST_OK || !s.umem)
		return first_problem_keep(w->dump, &w->problem, st);
	f = hash_u64_get(&w->found, s.umem, NULL);
	f->sock = f->sock ?: at;
	f->socks++;
	return ST_OK;
}

static enum status find_socks(struct walk *w, uint64_t list)
{
	struct dump *d = w->dump;
	struct list_nodes socks = hlist_of(d, list - w->net_list.offset + w->net_socks.offset,
					   "sockets of AF_XDP");
	uint64_t node;
	enum status st = ST_OK;

	while (st == ST_OK && list_next(&socks, &node))
		st = find_sock(w, node - w->node.offset);
	return first_problem_keep(d, &w->problem, st ?: list_end(&socks));
}

static enum status visit_umem(struct walk *w, uint64_t address, const struct found *f)
{
	struct dump *d = w->dump;
	struct memory_holder h = {
		.address = address, .name = "UMEM", .sock = f->sock, .counter = "xdp_umem.npgs"
	};
	struct umem u;
	enum status st = struct_read(&w->umem, address, &u);

	if (st == ST_OK && f->socks > 1)
		st = dump_fail(d, ST_UNKNOWN, "a UMEM is of %u sockets", f->socks);
	if (st != ST_OK)
		return first_problem_keep(d, &w->problem, st);
	h.counted = (struct maybe_u64){ (uint64_t)u.pages << d->page_shift, true };
	st = memory_parts_array(d, u.vector, u.pages, 0, "pages of a UMEM", w->v);
	return first_problem_keep(d, &w->problem, st) ?: w->v->holder(w->v->arg, &h);
}

enum status xdp_umems_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct list_nodes nets;
	uint64_t head, node;
	/* Debug information has struct net without CONFIG_NET too, as far as others use it. */
	enum status st = dump_has_both(d, "socket_file_ops", "struct xdp_umem");

	st = st ?: STRUCTS_OPEN(d, rows, &w);
	/* Drivers bring struct xdp_umem into the types without it, as virtio_net since 6.11. */
	if (st == ST_ABSENT || (st == ST_UNKNOWN && !dump_has_symbol(d, "xsk_bind") &&
				dump_has_symbol(d, "socket_file_ops")))
		return dump_absent(d, "this kernel was built without CONFIG_XDP_SOCKETS");
	hash_u64_init(&w.found, d->arena, sizeof(struct found));
	st = st ?: dump_symbol(d, "net_namespace_list", &head);
	if (st != ST_OK)
		return st;
	nets = list_of(d, head, "net_namespace_list");
	while (st == ST_OK && list_next(&nets, &node))
		st = find_socks(&w, node);
	st = st ?: list_end(&nets);
	for (const struct hash_u64_entry *e = w.found.first; e && st == ST_OK; e = e->next)
		st = visit_umem(&w, e->key, (const struct found *)e->value);
	return st ?: first_problem_end(d, &w.problem);
}
