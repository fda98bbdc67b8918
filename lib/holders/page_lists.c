// SPDX-License-Identifier: GPL-2.0-or-later
#include "holders/page_lists.h"

#include "graph/page_words.h"
#include "pages/page_mapcount.h"
#include "util/bits.h"
#include "util/largest.h"
#include "util/units.h"

struct search {
	struct holders *h;
	struct page_lists *ret;
	struct page_mapcounts counts;
	struct lru_masks lru;
	struct read_window words;
	uint8_t *unmapped,
		*named; /* a bit for each pfn: such a page, and one of a list that is counted */
	struct hash_u64 all; /* of struct page_list, by key_of() */
};

static enum status look_at_page(void *arg, uint64_t pfn)
{
	struct search *x = arg;
	struct page_info info;
	uint32_t maps;

	if (pfn >= x->h->graph.end)
		return ST_OK;
	if (page_type_at(x->counts.types, pfn, &info) != ST_OK) {
		x->ret->unread++;
		return ST_OK;
	}
	if (info.state != PAGE_TYPE_ANON || info.head_flags & x->lru.swapcache)
		return ST_OK;
	if (page_mapcount(&x->counts, pfn, &info, &maps) != ST_OK) {
		x->ret->unread++;
	} else if (!maps) {
		x->ret->unmapped++;
		bit_set(x->unmapped, pfn);
	}
	return ST_OK;
}

/* What a batch or a call left on a stack or of a CPU is no list. */
static bool may_be_list(const struct span *s)
{
	return s->kind == NODE_STATIC || s->kind == NODE_OBJECT || s->kind == NODE_DIRECT ||
	       s->kind == NODE_AREA;
}

/* Of a node that is looked at: such pages that it names, and which of them others have named. */
struct named_pages {
	const uint8_t *unmapped;
	uint8_t *named; /* NULL: each word counts */
	uint32_t n;
};

static void count_page(void *arg, uint64_t at NOT_USED, uint64_t pfn)
{
	struct named_pages *of = arg;

	if (!bit_has(of->unmapped, pfn) || (of->named && bit_has(of->named, pfn)))
		return;
	if (of->named)
		bit_set(of->named, pfn);
	of->n++;
}

/* named: not those that it has, which get theirs. */
static uint32_t pages_of(struct search *x, uint32_t node, uint8_t *named)
{
	struct named_pages of = { x->unmapped, named, 0 };

	page_words_each(&x->h->graph, &x->words, node, count_page, &of);
	return of.n;
}

/* Lists of one root are one row; those whose holder is unknown, by what they are. */
static uint64_t key_of(const struct search *x, uint32_t node)
{
	const struct span *s = graph_span_of(&x->h->graph, node);
	const struct holder *row = graph_is_root(s) ? NULL : holders_row(x->h, node);

	if (row)
		return (uint64_t)(uintptr_t)row;
	return graph_is_root(s) ? (uint64_t)node << 8 | 1
				: (uint64_t)s->group << 8 | (uint64_t)s->kind << 4 | 2;
}

static void add_node(struct search *x, uint32_t node)
{
	const struct span *s = graph_span_of(&x->h->graph, node);
	struct page_list *l;
	uint32_t pages;
	bool is_new;

	if (!may_be_list(s) || !(pages = pages_of(x, node, NULL)))
		return;
	l = hash_u64_get(&x->all, key_of(x, node), &is_new);
	if (is_new)
		l->of = holders_row_of(x->h, node);
	l->lists++;
	l->pages += pages;
	if (pages > l->most) {
		l->most = pages;
		l->node = node;
	}
}

/* Each page once: two lists may name it, and one list twice. */
static void count_once(struct search *x, uint64_t key, struct page_list *l)
{
	const struct graph *g = &x->h->graph;

	memset(x->named, 0, g->end / 8 + 1);
	l->pages = 0;
	for (uint32_t i = 0; i < g->page_words.n; i++) {
		const struct page_words *w = chunks_at(&g->page_words, i);

		if (may_be_list(graph_span_of(g, w->node)) && key_of(x, w->node) == key)
			l->pages += pages_of(x, w->node, x->named);
	}
}

static void put_largest(struct search *x)
{
	struct largest largest = { .room = PAGE_LISTS };

	hash_u64_for_each(struct page_list, l, &x->all)
		largest_add(&largest, l->pages, l);
	for (unsigned int i = 0; i < largest.n; i++) {
		const struct page_list *l = largest.of[i].item;

		x->ret->largest[i] = *l;
		count_once(x, hash_u64_entry_of(l)->key, &x->ret->largest[i]);
	}
	x->ret->n = largest.n;
}

enum status page_lists_find(struct holders *h, struct page_lists *ret)
{
	struct graph *g = &h->graph;
	struct dump *d = g->dump;
	struct search *x = dump_alloc(d, sizeof(*x));
	enum status st;

	memset(ret, 0, sizeof(*ret));
	*x = (struct search){ .h = h, .ret = ret };
	st = page_mapcounts_open(h->sources.types, &x->counts);
	if (st != ST_OK)
		return st;
	lru_masks_open(d, &x->lru);
	page_words_window(g, &x->words);
	hash_u64_init(&x->all, d->arena, sizeof(struct page_list));
	x->unmapped = budget_alloc(&g->budget, g->arena, g->end / 8 + 1);
	x->named = budget_alloc(&g->budget, g->arena, g->end / 8 + 1);
	if (!x->unmapped || !x->named)
		return dump_fail(d, ST_NOMEM, "no room for a bit of each page");
	st = ram_walk(d, h->sources.ram, look_at_page, x);
	for (uint32_t i = 0; st == ST_OK && ret->unmapped && i < g->page_words.n; i++) {
		add_node(x, ((const struct page_words *)chunks_at(&g->page_words, i))->node);
		if (dump_stopped(d))
			st = ST_STOPPED;
	}
	if (st == ST_OK)
		put_largest(x);
	return st;
}

uint64_t page_list_share(const struct page_lists *lists, const struct page_list *l)
{
	return lists->unmapped ? l->pages * 1000 / lists->unmapped : 0;
}

const char *page_list_name(struct holders *h, const struct page_list *l)
{
	struct arena *a = h->graph.dump->arena;
	const char *many = PLURAL_TEXT(l->lists, "list of page pointers", "lists of page pointers");

	if (graph_is_root(graph_span_of(&h->graph, l->node)))
		return arena_text(a, "%s, %s", many, holder_root_name(h, l->node, 0));
	if (l->of.owner == OWNER_NOBODY)
		return arena_text(a, "%s in %s, of which no holder is known", many,
				  holder_group_name(h, l->node));
	return arena_text(a, "%s of %s", many, holder_name(h, &l->of));
}
