// SPDX-License-Identifier: GPL-2.0-or-later
#include "net/ipv6_routes.h"

#include "kernel/list.h"

#define TABLES 256 /* FIB6_TABLE_HASHSZ: heads of lists, by the low bits of the number of a table */
#define MAX_ROOM \
	1024	  /* nodes that are still to be visited: a tree is as deep as an address has bits */
#define MORE 4096 /* routes and nodes that came as the dump was written, and roots */

struct net {
	uint64_t stats, tables, none;
};

struct stats {
	uint32_t routes, nodes;
};

struct table {
	uint64_t root;
	uint32_t id;
};

struct node {
	uint64_t left, right, subtree, leaf;
};

struct route {
	uint64_t next, node;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct ipv6_routes, net, "struct net"),
	POINTS(struct net, stats, REQUIRED, "all", "ipv6.rt6_stats"),
	POINTS(struct net, tables, OPTIONAL, "all", "ipv6.fib_table_hash"),
	POINTS(struct net, none, OPTIONAL, "4.18", "ipv6.fib6_null_entry"),
	STRUCTURE(struct ipv6_routes, stats, "struct rt6_statistics"),
	READS(struct stats, routes, REQUIRED, "all", "fib_rt_entries"),
	READS(struct stats, nodes, REQUIRED, "all", "fib_nodes"),
	STRUCTURE(struct ipv6_routes, table, "struct fib6_table"),
	PLACES(struct table, root, REQUIRED, "all", "tb6_root"),
	READS(struct table, id, REQUIRED, "all", "tb6_id"),
	STRUCTURE(struct ipv6_routes, node, "struct fib6_node"),
	POINTS(struct node, left, REQUIRED, "all", "left"),
	POINTS(struct node, right, REQUIRED, "all", "right"),
	POINTS(struct node, subtree, OPTIONAL, "CONFIG_IPV6_SUBTREES", "subtree"),
	POINTS(struct node, leaf, REQUIRED, "all", "leaf"),
	STRUCTURE(struct ipv6_routes, route, "struct fib6_info"),
	POINTS(struct route, next, OPTIONAL, "4.18", "fib6_next"),
	POINTS(struct route, node, OPTIONAL, "4.18", "fib6_node"),
	FINDS(struct ipv6_routes, list, "struct fib6_table", REQUIRED, "all", "tb6_hlist"),
	FINDS(struct ipv6_routes, local, "struct net", OPTIONAL, "CONFIG_IPV6_MULTIPLE_TABLES",
	      "ipv6.fib6_local_tbl"),
};

enum status ipv6_routes_find(struct dump *d, struct ipv6_routes *ret)
{
	struct ipv6_routes r = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_IPV6", "fib6_node_kmem",
					 "struct rt6_statistics");

	return RESULT(st ?: STRUCTS_OPEN(d, rows, &r), ret, r);
}

enum status ipv6_routes_count(const struct ipv6_routes *r, uint64_t net, struct ipv6_counts *ret)
{
	struct net n = { 0 };
	struct stats s = { 0 };
	enum status st = struct_read(&r->net, net, &n);

	/* A namespace that is set up has none yet. */
	if (st == ST_OK && n.stats)
		st = struct_read(&r->stats, n.stats, &s);
	return RESULT(st, ret, (struct ipv6_counts){ s.routes, s.nodes });
}

struct walk {
	const struct ipv6_routes *r;
	uint64_t none; /* stands for no route */
	uint64_t most; /* routes, and nodes, that are left to be visited */
	enum status (*visit)(void *arg, uint64_t route, uint32_t table);
	void *arg;
};

static enum status one_less(struct walk *w)
{
	if (dump_stopped(w->r->dump))
		return ST_STOPPED;
	if (!w->most--)
		return dump_corrupt(w->r->dump, "more IPv6 routes than are counted");
	return ST_OK;
}

/* A node that has no route has one of those below it, which tells where it is. */
static enum status visit_routes(struct walk *w, uint64_t node, uint64_t at, uint32_t table)
{
	while (at && at != w->none) {
		struct route route = { 0 };
		enum status st = struct_read(&w->r->route, at, &route);

		if (st != ST_OK || route.node != node)
			return st;
		st = one_less(w) ?: w->visit(w->arg, at, table);
		if (st != ST_OK)
			return st;
		at = route.next;
	}
	return ST_OK;
}

static enum status visit_tree(struct walk *w, const struct table *t)
{
	uint64_t room[MAX_ROOM];
	unsigned int n = 0;

	room[n++] = t->root;
	while (n) {
		const uint64_t at = room[--n];
		struct node node = { 0 };
		enum status st = one_less(w) ?: struct_read(&w->r->node, at, &node);

		st = st ?: visit_routes(w, at, node.leaf, t->id);
		if (st != ST_OK)
			return st;
		if (n + 3 > MAX_ROOM)
			return dump_corrupt(w->r->dump, "the tree of IPv6 table %u is too deep",
					    t->id);
		if (node.right)
			room[n++] = node.right;
		if (node.left)
			room[n++] = node.left;
		if (node.subtree)
			room[n++] = node.subtree;
	}
	return ST_OK;
}

static enum status visit_tables(struct walk *w, uint64_t head, unsigned int i, unsigned int heads)
{
	struct list_nodes l = hlist_of(w->r->dump, head, "fib6_table");
	enum status st = ST_OK;
	uint64_t at;

	while (st == ST_OK && list_next(&l, &at)) {
		struct table t = { 0 };

		st = one_less(w) ?: struct_read(&w->r->table, at - w->r->list.offset, &t);
		if (st == ST_OK && t.id % heads != i)
			st = dump_corrupt(w->r->dump, "IPv6 table %u is on list %u", t.id, i);
		st = st ?: visit_tree(w, &t);
	}
	return st ?: list_end(&l);
}

enum status ipv6_routes_walk(const struct ipv6_routes *r, uint64_t net,
			     enum status (*visit)(void *arg, uint64_t route, uint32_t table),
			     void *arg)
{
	const unsigned int heads = r->local.present ? TABLES : 1;
	struct walk w = { .r = r, .visit = visit, .arg = arg };
	struct ipv6_counts c;
	struct net n = { 0 };
	enum status st = struct_read(&r->net, net, &n) ?: ipv6_routes_count(r, net, &c);

	if (st != ST_OK)
		return st;
	if (!n.tables || !n.none || !STRUCT_HAS(&r->route, struct route, node) ||
	    !STRUCT_HAS(&r->route, struct route, next))
		return dump_unknown(r->dump, "tables of IPv6 routes");
	w.none = n.none;
	w.most = c.routes + c.nodes + MORE;
	for (unsigned int i = 0; st == ST_OK && i < heads; i++)
		st = visit_tables(&w, n.tables + i * sizeof(uint64_t), i, heads);
	return st;
}
