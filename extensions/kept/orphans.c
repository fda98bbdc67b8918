// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who keeps the memory of processes that have ended: what points to their mm_structs, and is kept by a module, by the
 * graph of pointers.
 */
#include "memowner/summary.h"

#include "memowner/groups.h"
#include "pageowner/holders.h"
#include "slab/cache_objects.h"

struct orphans {
	struct summary *s;
	struct hash_u64 nodes;	/* mm_structs of no process, by their nodes */
	struct hash_u64 mms;	/* the same by address */
	struct hash_u64 seen;	/* mm_structs with a pointer of an owner: node and owner */
	struct hash_u64 owners; /* of struct keeper */
};

struct keeper {
	uint64_t n;    /* mm_structs */
	uint32_t node; /* that points to one */
};

static enum status add_mm(void *arg, uint64_t mm)
{
	struct orphans *x = arg;

	if (!hash_u64_has(&x->s->groups->mms, mm))
		hash_u64_add(&x->mms, mm);
	return ST_OK;
}

/* Their own mappings and tasks point to all. */
static bool is_of_process(const struct graph *g, const struct span *s)
{
	static const char *const names[] = { "mm_struct", "vm_area_struct", "task_struct" };
	const char *name = s->kind == NODE_OBJECT ? g->caches[s->group]->kind : NULL;

	return name && ANY_OF(i, ARRAY_SIZE(names), !strcmp(names[i], name));
}

static void add_edge(struct orphans *x, const struct holders *h, const struct edge *e)
{
	const struct span *s;
	struct keeper *k;
	uint16_t owner;

	if (e->to || !hash_u64_has(&x->nodes, e->dst))
		return;
	s = graph_span_of(&h->graph, e->src);
	if (is_of_process(&h->graph, s))
		return;
	owner = s->kind == NODE_STATIC ? s->group : holders_owner(h, e->src);
	if (!owner || owner >= OWNER_SHARED ||
	    !hash_u64_add(&x->seen, (uint64_t)e->dst << 16 | owner))
		return;
	k = hash_u64_get(&x->owners, owner, NULL);
	k->node = e->src;
	k->n++;
}

static void add_edges(struct orphans *x, struct holders *h)
{
	const struct graph *g = &h->graph;
	const struct span *span;
	uint32_t node, place;

	for (const struct hash_u64_entry *e = x->mms.first; e; e = e->next)
		if (graph_find(&h->graph, e->key, &span, &node, &place) && !place)
			hash_u64_add(&x->nodes, node);
	for (uint32_t i = 0, src = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &src, i);

		add_edge(x, h, &e);
	}
}

/* The module that points to half of them at least. */
static void put_keeper(struct summary *s, const struct orphans *x, struct holders *h)
{
	struct arena *a = s->dump->arena;

	hash_u64_for_each(const struct keeper, k, &x->owners) {
		const char *name = graph_owner_name(&h->graph, (uint16_t)hash_u64_entry_of(k)->key);
		const bool is_object = graph_span_of(&h->graph, k->node)->kind == NODE_OBJECT;

		if (k->n * 2 < x->nodes.n || !name)
			continue;
		s->inferred_module = name;
		s->inferred_kind = NODE_OBJECT;
		s->orphans_by = arena_text(a, "module %s: %s points to %s of them, by pointers",
					   name,
					   is_object ? arena_text(a, "what it keeps in %s",
								  holder_group_name(h, k->node))
						     : "a variable",
					   COUNT_TEXT(k->n));
		SUMMARY_ADD(s, .section = SECTION_CANDIDATE, .by = "module", .name = name,
			    .module = name, .confidence = { k->n * 1000 / x->nodes.n, true },
			    .remark = arena_text(a,
						 "points to %s of %s mm_structs of processes that "
						 "have ended, which keeps their memory",
						 COUNT_TEXT(k->n), COUNT_TEXT(x->nodes.n)));
		return;
	}
}

enum status summary_orphans(struct summary *s)
{
	struct orphans *x = dump_alloc(s->dump, sizeof(*x));
	struct arena *a = s->dump->arena;
	struct cache_objects n;
	struct holders *h;
	enum status st;

	if (!s->orphan_anon || !s->groups)
		return ST_OK;
	*x = (struct orphans){ .s = s };
	hash_u64_init(&x->nodes, a, 0);
	hash_u64_init(&x->mms, a, 0);
	hash_u64_init(&x->seen, a, 0);
	hash_u64_init(&x->owners, a, sizeof(struct keeper));
	st = mm_objects_walk(s->dump, add_mm, x, &n);
	if (st != ST_OK || !x->mms.n)
		return st == ST_ABSENT ? ST_OK : st;
	st = owner_holders_open(s->view)
		     ?: owner_holders_find_few(s->view, (uint32_t)limit(LIMIT_POINTERS) * 1000,
					       NULL, &h);
	if (st != ST_OK)
		return st;
	add_edges(x, h);
	put_keeper(s, x, h);
	/* None, or another one, may be told for want of words. */
	return n.unreadable || n.unknown || holders_lack(h)
		       ? dump_unreadable(s->dump,
					 "pages with mm_structs or pointers are not in this dump")
		       : ST_OK;
}
