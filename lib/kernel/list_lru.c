// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/list_lru.h"

#include "kernel/percpu.h"
#include "kernel/xarray.h"

#define MAX_INDEXES 65536 /* MEM_CGROUP_ID_MAX */

struct lru {
	uint64_t nodes; /* address of an array of struct list_lru_node */
	uint64_t tree;	/* xa_head */
};

struct lru_node {
	uint64_t root; /* address of the struct list_lru_one */
	uint64_t by_index;
};

struct lru_one {
	int64_t objects;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct list_lrus, lru, "struct list_lru"),
	POINTS(struct lru, nodes, REQUIRED, "all", "node"),
	/* 5.18: "mm: memcontrol: reuse memory cgroup ID for kmem ID", with the lists by cgroup */
	POINTS(struct lru, tree, OPTIONAL, "5.18, CONFIG_MEMCG", "xa.xa_head"),
	STRUCTURE(struct list_lrus, node, "struct list_lru_node"),
	PLACES(struct lru_node, root, REQUIRED, "all", "lru"),
	POINTS(struct lru_node, by_index, OPTIONAL, "all to 5.17, CONFIG_MEMCG_KMEM", "memcg_lrus"),
	STRUCTURE(struct list_lrus, one, "struct list_lru_one"),
	READS(struct lru_one, objects, REQUIRED, "all", "nr_items"),
	FINDS(struct list_lrus, by_index, "struct list_lru_memcg", OPTIONAL,
	      "all to 5.17, CONFIG_MEMCG_KMEM", "lru"),
	FINDS(struct list_lrus, by_node, "struct list_lru_memcg", OPTIONAL, "5.18, CONFIG_MEMCG",
	      "node"),
};

static enum status read_limits(struct list_lrus *l)
{
	struct dump *d = l->dump;
	enum status st = dump_ask(d, type_size, "struct list_lru_node", &l->node_bytes)
				 ?: dump_ask(d, type_size, "struct list_lru_one", &l->one_bytes);

	st = st ?: node_ids_read(d, &l->nodes);
	if (st == ST_OK && l->by_index.present) {
		st = dump_value(d, "memcg_nr_cache_ids", &l->indexes);
		if (st == ST_OK && l->indexes > MAX_INDEXES)
			st = dump_corrupt(d, "memcg_nr_cache_ids is %lu", l->indexes);
	}
	return st;
}

enum status list_lrus_open(struct dump *d, struct list_lrus *ret)
{
	struct list_lrus l = { .dump = d };
	enum status st = STRUCTS_OPEN(d, rows, &l);

	if (st != ST_OK)
		return st;
	if (l.by_node.present)
		l.form = LIST_LRU_BY_CGROUP;
	if (l.by_node.present != STRUCT_HAS(&l.lru, struct lru, tree) ||
	    l.by_index.present != STRUCT_HAS(&l.node, struct lru_node, by_index))
		return dump_unknown(d, "struct list_lru_memcg");
	l.dump = d;
	*ret = l;
	return read_limits(ret);
}

struct walk {
	struct list_lrus *l;
	enum status (*visit)(void *arg, unsigned int node, int64_t memcg, uint64_t objects);
	void *arg;
};

/* Below zero while a cgroup is removed, and of a list that is none any more (list_lru_count_one()). */
static enum status visit_one(const struct walk *w, uint64_t at, unsigned int node, int64_t memcg)
{
	struct lru_one one;
	enum status st = struct_read(&w->l->one, at, &one);

	if (st != ST_OK || one.objects <= 0)
		return st;
	return w->visit(w->arg, node, memcg, (uint64_t)one.objects);
}

static enum status visit_memcg(const struct walk *w, uint64_t index, uint64_t entry)
{
	enum status st = ST_OK;

	if (index >= MAX_INDEXES)
		return dump_corrupt(w->l->dump, "list_lru: a cgroup of number %lu", index);
	for (unsigned int node = 0; st == ST_OK && node < w->l->nodes; node++)
		st = visit_one(w, entry + w->l->by_node.offset + node * w->l->one_bytes, node,
			       (int64_t)index);
	return st;
}

static enum status visit_indexes(const struct walk *w, uint64_t array, unsigned int node)
{
	struct list_lrus *l = w->l;
	uint64_t one;
	enum status st = ST_OK;

	for (uint64_t i = 0; st == ST_OK && i < l->indexes; i++) {
		st = dump_u64(l->dump, array + l->by_index.offset + i * 8, &one, "list_lru_memcg");
		if (st == ST_OK && one)
			st = visit_one(w, one, node, (int64_t)i);
	}
	return st;
}

enum status list_lru_walk(struct list_lrus *l, uint64_t at,
			  enum status (*visit)(void *arg, unsigned int node, int64_t memcg,
					       uint64_t objects),
			  void *arg)
{
	struct walk w = { l, visit, arg };
	struct lru_node n;
	struct lru lru;
	struct xa_entries x;
	uint64_t index, memcg;
	enum status st = struct_read(&l->lru, at, &lru);

	if (st == ST_OK && !lru.nodes)
		return ST_OK; /* not yet made, or destroyed */
	for (unsigned int node = 0; st == ST_OK && node < l->nodes; node++) {
		st = struct_read(&l->node, lru.nodes + node * l->node_bytes, &n)
			     ?: visit_one(&w, n.root, node, LIST_LRU_ROOT);
		if (st == ST_OK && n.by_index)
			st = visit_indexes(&w, n.by_index, node);
	}
	if (st != ST_OK || l->form != LIST_LRU_BY_CGROUP)
		return st;
	for (xa_begin(&x, l->dump, lru.tree); st == ST_OK && xa_next(&x, &index, &memcg);)
		st = visit_memcg(&w, index, memcg);
	return st ?: xa_end(&x);
}
