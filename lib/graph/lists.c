// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lists as stars: from the owner of the head to the list, from there to each entry, and nothing
 * between entries.  So a stale word that leads to an entry costs that entry and not the list.
 *
 * No types are needed: A.next leads to a place in B, and what is behind that place leads back to A.next.  That is
 * so of list_head and of hlist_node.
 */
#include <stdlib.h>

#include "graph/arcs.h"

struct member {
	uint32_t list; /* its number */
	uint32_t node, place;
	bool is_root, is_entry;
	uint64_t shape; /* group and place */
};

/* An edge that stands for a member. */
struct link {
	uint32_t edge, node;
};

struct finder {
	struct arcs *a;
	struct arena *arena;
	uint32_t *parents; /* of the edge, in the tree of its list: one before it, or itself */
	uint32_t *list_of; /* the same memory, after that: the number of the list */
	uint32_t nlists;
	struct link *members;	  /* list by list */
	uint32_t *at;		  /* by list: where its members begin; behind it where they end */
	uint8_t *is_chain;	  /* by list */
	struct hash_u64 headless; /* of uint32_t list by entry */
};

static uint32_t top(struct finder *f, uint32_t i)
{
	while (f->parents[i] != i) {
		f->parents[i] = f->parents[f->parents[i]];
		i = f->parents[i];
	}
	return i;
}

static void join(struct finder *f, uint32_t i, uint32_t j)
{
	uint32_t a = top(f, i), b = top(f, j);

	if (a < b)
		f->parents[b] = a;
	else
		f->parents[a] = b;
}

#define AHEAD 16u /* edges before it is asked for, what they lead to is fetched */

/* Words lead anywhere: what is asked of them waits for memory, else. */
static void fetch_targets(const struct finder *f, uint32_t i)
{
	const struct graph *g = f->a->g;
	uint32_t at;

	if (g->edges.n - i <= 2 * AHEAD)
		return;
	__builtin_prefetch(&g->first[graph_edge_dst(g, i + 2 * AHEAD)]);
	at = g->first[graph_edge_dst(g, i + AHEAD)];
	if (at == g->edges.n)
		return;
	__builtin_prefetch(chunks_at(&g->edges, at));
	__builtin_prefetch(&f->parents[at]);
	__builtin_prefetch(&f->a->marks[at]);
}

static void mark_links(struct finder *f)
{
	const struct graph *g = f->a->g;
	uint32_t j;

	for (uint32_t i = 0, node = 0; i < g->edges.n; i++) {
		const struct edge e = graph_edge_from(g, &node, i);
		struct edge back;

		fetch_targets(f, i);
		if (e.to == PLACE_MAX || e.from == PLACE_MAX ||
		    !graph_word_at(g, e.dst, e.to + 8, &back, &j) || back.dst != e.src ||
		    back.to != e.from)
			continue;
		f->a->marks[i] |= EDGE_NEXT;
		f->a->marks[j] |= EDGE_PREV;
		f->a->links++;
		join(f, i, j);
	}
}

/*
 * Whether edge k, which is beside one of a node, is of the word at a place and has a mark.  Words of a node are in the
 * order of their places, so that none is between those of two places side by side.
 */
static bool has_mark(const struct finder *f, uint32_t node, uint32_t k, uint32_t from, uint8_t mark)
{
	const struct graph *g = f->a->g;

	return f->a->marks[k] & mark && k >= g->first[node] && k < g->first[node + 1] &&
	       graph_edge_of(g, node, k).from == from;
}

/* Both words of one place are of one list. */
static void join_places(struct finder *f)
{
	const struct graph *g = f->a->g;

	for (uint32_t i = 0, node = 0; i + 1 < g->edges.n; i++) {
		struct edge e;

		if (!(f->a->marks[i] & EDGE_NEXT))
			continue;
		e = graph_edge_from(g, &node, i);
		if (has_mark(f, e.src, i + 1, e.from + 8, EDGE_PREV))
			join(f, i, i + 1);
	}
}

/* In the order of their first edges, which stand before the others. */
static void number_lists(struct finder *f)
{
	f->list_of = f->parents;
	for (uint32_t i = 0; i < f->a->g->edges.n; i++)
		if (f->a->marks[i] & (EDGE_NEXT | EDGE_PREV))
			f->list_of[i] = f->parents[i] == i ? f->nlists++
							   : f->list_of[f->parents[i]];
}

/*
 * Whether an edge stands for a member: its word leads to the next; or it is of the last of an hlist, which is followed by
 * none, the word behind that.
 */
static bool is_member(const struct finder *f, uint32_t i, uint32_t *node)
{
	uint8_t mark = f->a->marks[i];
	struct edge e;

	if (!(mark & (EDGE_NEXT | EDGE_PREV)))
		return false;
	e = graph_edge_from(f->a->g, node, i);
	return mark & EDGE_NEXT || ((e.from & ~PLACE_PAGE) >= 8 &&
				    !(i && has_mark(f, e.src, i - 1, e.from - 8, EDGE_NEXT)));
}

/* s: of the member before, or NULL. */
static struct member member_of(const struct finder *f, const struct link *link, uint32_t list,
			       const struct span **s)
{
	const struct edge e = graph_edge_of(f->a->g, link->node, link->edge);
	struct member m = { .list = list, .node = e.src };

	if (!*s || e.src - (*s)->first >= (*s)->count)
		*s = graph_span_of(f->a->g, e.src);
	m.place = f->a->marks[link->edge] & EDGE_NEXT ? e.from : e.from - 8;
	m.is_root = graph_is_root(*s);
	m.shape = (uint64_t)span_group(*s) << 32 | span_place(*s, m.place);
	return m;
}

static int by_shape(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->is_root != y->is_root)
		return x->is_root - y->is_root;
	return COMPARE(x->shape, y->shape) ?: COMPARE(x->node, y->node);
}

/* They come in the order of their nodes: a head that is a root first, and the entries of most lists in one shape. */
static void sort_members(struct member *m, uint32_t n)
{
	const struct member head = m[0];
	uint32_t i = 1;

	if (n > 1 && head.is_root && !m[1].is_root) {
		memmove(m, m + 1, (n - 1) * sizeof(*m));
		m[n - 1] = head;
	}
	while (i < n && by_shape(&m[i - 1], &m[i]) <= 0)
		i++;
	if (i < n)
		qsort(m, n, sizeof(*m), by_shape);
}

#define MIXED 8u /* members of a shape: more than lists that a stale word joins have heads */

/*
 * The shape that most members have that are no roots; false: all are.  A list may have entries of several shapes, as
 * the resources of a device are, but no more than one head.
 */
static bool most_common(struct member *m, uint32_t n, uint64_t *ret)
{
	uint32_t most = 0, run = 0;

	*ret = m->shape;
	for (uint32_t i = 0; i < n && !m[i].is_root; i++) {
		run = i && m[i].shape == m[i - 1].shape ? run + 1 : 1;
		if (run > most) {
			most = run;
			*ret = m[i].shape;
		}
	}
	for (uint32_t i = 0, end; i < n && !m[i].is_root; i = end) {
		for (end = i + 1; end < n && !m[end].is_root && m[end].shape == m[i].shape; end++)
			;
		for (uint32_t k = i; k < end; k++)
			m[k].is_entry = m[i].shape == *ret ||
					(end - i >= MIXED && end - i >= n / MIXED);
	}
	return most > 0;
}

static bool add_star(struct finder *f, const struct member *m, uint32_t n, uint64_t shape)
{
	struct arcs *a = f->a;
	struct list *list = chunks_add(&a->lists);
	uint32_t node = a->g->nodes + a->lists.n - 1;
	bool is_new, fits = list != NULL;

	if (fits)
		list->entry = (uint32_t)shape;
	for (uint32_t i = 0; i < n && fits; i++) {
		if (m[i].is_entry) {
			list->entries++;
			continue;
		}
		if (a->is_hub && m[i].is_root && a->is_hub(a->arg, graph_span_of(a->g, m[i].node)))
			list->is_hub = true;
		/* A variable before what is not one. */
		if (!list->heads++ || m[i].is_root) {
			list->head = m[i].node;
			list->place = m[i].place;
		}
	}
	for (uint32_t i = 0; i < n && fits; i++)
		fits = m[i].is_entry
			       ? arcs_add(a, node, m[i].node, list->is_hub ? ARC_HUB : ARC_START)
			       : arcs_add(a, m[i].node, node, list->is_hub ? ARC_HUB : ARC_START);
	for (uint32_t i = 0; i < n && fits && !list->heads; i++)
		*(uint32_t *)hash_u64_get(&f->headless, m[i].node, &is_new) = node;
	return fits;
}

/* Which lists are stars: the first member of each other one is taken out of it. */
static bool add_list(struct finder *f, struct member *m, uint32_t n)
{
	uint64_t shape;

	sort_members(m, n);
	/* Two alone: which of them has the other is told by their shapes, as of any edge. */
	if (n > 2 && most_common(m, n, &shape))
		return add_star(f, m, n, shape);
	f->a->chains++;
	f->is_chain[m->list] = true;
	return true;
}

/* m: room for the members of the longest. */
static bool add_lists(struct finder *f, struct member *m)
{
	for (uint32_t list = 0; list < f->nlists; list++) {
		uint32_t begin = f->at[list], n = f->at[list + 1] - begin;
		const struct span *s = NULL;

		for (uint32_t i = 0; i < n; i++)
			m[i] = member_of(f, &f->members[begin + i], list, &s);
		if (n && !add_list(f, m, n))
			return false;
	}
	return true;
}

/* Links of stars are no arcs. */
static void cut_links(struct finder *f)
{
	for (uint32_t i = 0; i < f->a->g->edges.n; i++) {
		if (!(f->a->marks[i] & (EDGE_NEXT | EDGE_PREV)))
			continue;
		if (f->is_chain[f->list_of[i]])
			f->a->marks[i] &= ~(EDGE_NEXT | EDGE_PREV);
		else
			f->a->marks[i] |= EDGE_CUT;
	}
}

/* A list whose head is nowhere: who refers to an entry votes for all, weakly. */
static bool add_voters(struct finder *f)
{
	struct arcs *a = f->a;

	for (uint32_t i = 0, node = 0; f->headless.n && i < a->g->edges.n; i++) {
		const struct edge e = graph_edge_from(a->g, &node, i);
		const uint32_t *list = a->marks[i] & EDGE_CUT ? NULL
							      : hash_u64_find(&f->headless, e.dst);

		if (list && !hash_u64_has(&f->headless, e.src) &&
		    !arcs_add(a, e.src, *list, ARC_WEAK))
			return false;
	}
	return true;
}

/* at[list + 1] counts, then is where those of a list begin, and at last where they end.  Returns the most of one. */
static uint32_t count_members(struct finder *f, uint32_t *sum)
{
	uint32_t edges = f->a->g->edges.n, most = 0;

	*sum = 0;
	for (uint32_t i = 0, node = 0; i < edges; i++)
		if (is_member(f, i, &node))
			f->at[f->list_of[i] + 1]++;
	for (uint32_t i = 1; i <= f->nlists; i++) {
		uint32_t here = f->at[i];

		f->at[i] = *sum;
		*sum += here;
		most = here > most ? here : most;
	}
	return most;
}

static bool find_stars(struct finder *f, struct budget *own)
{
	uint32_t edges = f->a->g->edges.n, sum, most;
	struct member *list;

	mark_links(f);
	join_places(f);
	number_lists(f);
	f->at = budget_alloc(own, f->arena, (f->nlists + 1ULL) * sizeof(*f->at));
	f->is_chain = budget_alloc(own, f->arena, f->nlists);
	if (!f->at || !f->is_chain)
		return false;
	most = count_members(f, &sum);
	f->members = budget_alloc(own, f->arena, sum * sizeof(*f->members));
	list = budget_alloc(own, f->arena, most * sizeof(*list));
	if (!f->members || !list)
		return false;
	for (uint32_t i = 0, node = 0; i < edges; i++)
		if (is_member(f, i, &node))
			f->members[f->at[f->list_of[i] + 1]++] = (struct link){ i, node };
	if (!add_lists(f, list))
		return false;
	cut_links(f);
	return add_voters(f);
}

bool arcs_find_lists(struct arcs *a)
{
	struct graph *g = a->g;
	struct finder f = { .a = a, .arena = arena_within(g->arena) };
	struct budget own = g->budget;
	bool fits = false;

	hash_u64_init(&f.headless, f.arena, sizeof(uint32_t));
	f.parents = budget_alloc(&own, f.arena, g->edges.n * sizeof(*f.parents));
	if (f.parents) {
		for (uint32_t i = 0; i < g->edges.n; i++)
			f.parents[i] = i;
		fits = find_stars(&f, &own);
	}
	/* What was taken for this alone is given back. */
	arena_reset(f.arena);
	if (!fits)
		g->cut = "lists";
	return fits;
}
