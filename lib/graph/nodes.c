// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/nodes.h"

#include "pages/pgtable.h"

#define MAX_CACHES 65000 /* their numbers have 16 bits */

/* The pages that are being added. */
struct pages {
	struct graph *g;
	struct graph_sources *s;
	struct hash_u64 caches; /* number of a cache by its address */
	struct kfence kfence;	/* pages 0: it is not known, or off */
	/* The block of direct pages that is not added yet; n 0: none. */
	uint64_t head, n;
};

static uint64_t address_of(const struct graph *g, uint64_t pfn)
{
	return g->linear + (pfn << g->dump->page_shift);
}

/* Pages from pfn on, n of them, lead to the last span. */
static void lead(struct graph *g, uint64_t pfn, uint64_t n)
{
	for (; n && pfn < g->end; pfn++, n--)
		g->page_spans[pfn] = g->spans.n;
}

/* One page more of a span of single pages, if it goes on from the last one. */
static bool append(struct graph *g, enum node_kind kind, uint64_t pfn)
{
	struct span *last = graph_last(g);

	if (!last || last->kind != kind || last->stride != dump_page_size(g->dump) ||
	    last->start + span_bytes(last) != address_of(g, pfn) || last->count >= 1u << 20 ||
	    g->nodes == UINT32_MAX / 4)
		return false;
	if ((uint64_t)g->dead.n * 8 <= g->nodes && !chunks_add(&g->dead))
		return false;
	last->count++;
	g->nodes++;
	lead(g, pfn, 1);
	return true;
}

static void add_block(struct graph *g, enum node_kind kind, uint64_t pfn, uint64_t n)
{
	uint64_t bytes = n << g->dump->page_shift;

	if (n == 1 && append(g, kind, pfn))
		return;
	if (bytes <= PLACE_MAX && graph_add(g, kind, address_of(g, pfn), (uint32_t)bytes, 1, 0))
		lead(g, pfn, n);
}

static void flush(struct pages *p)
{
	if (p->n)
		add_block(p->g, NODE_DIRECT, p->head, p->n);
	p->n = 0;
}

/*
 * An allocation of several pages without __GFP_COMP: those behind the first have no reference of their
 * own.  A block is aligned to its size.
 */
static bool is_tail(struct pages *p, uint64_t pfn, const struct page_info *info)
{
	uint64_t most = p->head ? p->head & -p->head : 1024;
	struct page_users users;

	if (!p->n || pfn != p->head + p->n || p->n >= most)
		return false;
	if (info->head != pfn)
		return info->head == p->head;
	/* One of its own: the first page of large kmalloc has no reference either (7.3). */
	if (info->state == PAGE_TYPE_LARGE_KMALLOC)
		return false;
	return page_type_users(p->s->types, pfn, &users) == ST_OK && !users.refcount;
}

static void add_direct(struct pages *p, uint64_t pfn, const struct page_info *info)
{
	if (is_tail(p, pfn, info)) {
		p->n++;
		return;
	}
	flush(p);
	p->head = pfn;
	p->n = 1;
}

/* Its number; ST_CORRUPT: there are more than any kernel has. */
static enum status cache_number(struct pages *p, const struct slab_cache *cache, uint16_t *ret)
{
	struct graph *g = p->g;
	bool is_new;
	uint32_t *n = hash_u64_get(&p->caches, cache->address, &is_new);

	if (is_new && g->ncaches == MAX_CACHES)
		return dump_corrupt(g->dump, "more than %u slab caches", MAX_CACHES);
	if (is_new) {
		*n = g->ncaches++;
		g->caches[*n] = cache;
	}
	*ret = (uint16_t)*n;
	return ST_OK;
}

static void mark_free(struct pages *p, const struct slab *slab, uint32_t first)
{
	uint64_t bits[SLAB_FREE_WORDS];

	/* Of a list that breaks off those that were found until then are free. */
	p->s->bad_slabs += slab_free_objects(p->s->slabs, slab, bits) != ST_OK;
	for (uint32_t i = 0; i < slab->objects; i++)
		if (bits[i / 64] >> i % 64 & 1)
			graph_kill(p->g, first + i);
}

static void add_slab(struct pages *p, uint64_t pfn, uint64_t n NOT_USED)
{
	struct graph *g = p->g;
	struct slab slab;
	struct span *span;
	uint16_t number = 0;
	uint64_t pages;
	bool is_new;

	if (slab_at(p->s->slabs, pfn, &slab) != ST_OK ||
	    cache_number(p, slab.cache, &number) != ST_OK) {
		p->s->bad_slabs++;
		return;
	}
	span = graph_add(g, NODE_OBJECT, slab_object(&slab, 0), slab.cache->size, slab.objects,
			 number);
	if (!span)
		return;
	pages = (span->start - address_of(g, pfn) + span_bytes(span) + dump_page_size(g->dump) -
		 1) >>
		g->dump->page_shift;
	lead(g, pfn, pages);
	if (slab.exts || slab.objcgs)
		hash_u64_get(&g->vectors, slab.exts ? slab.exts : slab.objcgs - p->s->slabs->objcg,
			     &is_new);
	mark_free(p, &slab, span->first);
}

/* An object of KFENCE is one of its cache: a link of a list, and no root as memory of boot is. */
static void add_kfence(struct pages *p, uint64_t pfn)
{
	const struct slab_cache *cache;
	struct kfence_object o;
	uint16_t number = 0;
	uint32_t i;
	bool guard;

	if (kfence_index(&p->kfence, pfn, &i, &guard) != ST_OK || guard)
		return;
	if (kfence_object_at(&p->kfence, i, &o) != ST_OK) {
		p->s->bad_slabs++;
		return;
	}
	if (o.state != KFENCE_IN_USE || !o.cache || o.size < 8 || o.address & 7)
		return;
	if (slab_cache_get(p->s->slabs, o.cache, &cache) != ST_OK ||
	    cache_number(p, cache, &number) != ST_OK)
		p->s->bad_slabs++;
	else if (graph_add(p->g, NODE_OBJECT, o.address, (uint32_t)o.size, 1, number))
		lead(p->g, pfn, 1);
}

static void add_page(struct pages *p, uint64_t pfn, const struct page_info *info,
		     enum page_class class)
{
	struct graph *g = p->g;

	switch (class) {
	case CLASS_DIRECT:
	case CLASS_PAGE_POOL:
		if (!g->page_spans[pfn])
			add_direct(p, pfn, info);
		break;
	case CLASS_SLAB:
		if (info->state == PAGE_TYPE_LARGE_KMALLOC)
			add_direct(p, pfn, info);
		else if (info->state == PAGE_TYPE_SLAB && info->head == pfn)
			add_slab(p, pfn, 1);
		break;
	case CLASS_RESERVED:
		if (kfence_has(&p->kfence, pfn))
			add_kfence(p, pfn);
		else if (!g->page_spans[pfn])
			add_block(g, NODE_BOOT, pfn, 1);
		break;
	case CLASS_BUDDY:
	case CLASS_PCP:
		g->page_spans[pfn] = PAGE_FREE;
		g->free_pages++;
		break;
	default:
		break;
	}
}

static enum status visit(void *arg, uint64_t pfn)
{
	struct pages *p = arg;
	struct graph_sources *s = p->s;
	struct page_info info;
	enum page_class class;

	if (pfn >= p->g->end)
		return ST_OK;
	if (page_type_at(s->types, pfn, &info) != ST_OK) {
		s->unreadable++;
		flush(p);
		return ST_OK;
	}
	class = page_class_at(s->classes, &info, pfn, RECORD_NONE, 0);
	s->pages[class]++;
	s->unknown += class == CLASS_UNKNOWN;
	if (class != CLASS_DIRECT && class != CLASS_PAGE_POOL &&
	    info.state != PAGE_TYPE_LARGE_KMALLOC)
		flush(p);
	add_page(p, pfn, &info, class);
	return p->g->cut ? graph_is_full(p->g, p->g->cut) : ST_OK;
}

enum status graph_add_pages(struct graph *g, struct graph_sources *s)
{
	struct pages p = { .g = g, .s = s };
	enum status st;

	hash_u64_init(&p.caches, g->arena, sizeof(uint32_t));
	g->caches = budget_alloc(&g->budget, g->arena, MAX_CACHES * sizeof(*g->caches));
	if (!g->caches)
		return dump_fail(g->dump, ST_NOMEM, "no room for the names of caches");
	if (kfence_open(g->dump, &p.kfence) != ST_OK)
		p.kfence = (struct kfence){ 0 };
	st = ram_walk(g->dump, s->ram, visit, &p);
	flush(&p);
	return st;
}

/*
 * Where struct pages are one table, as with SPARSEMEM_VMEMMAP: then a word is compared with its
 * bounds.  Else words that name pages are not followed.
 */
static void find_pages(struct graph *g, struct graph_sources *s)
{
	struct field lru;
	uint64_t page, bytes, first = s->ram->ranges[0].start;
	struct dump *d = g->dump;

	if (dump_ask(d, type_size, "struct page", &bytes) != ST_OK || !bytes ||
	    memmap_page(s->memmap, first, &page) != ST_OK)
		return;
	for (size_t i = 0; i < s->ram->n; i++) {
		const struct ram_range *r = &s->ram->ranges[i];
		uint64_t step = 1 << 15, at;

		for (uint64_t pfn = r->start; pfn < r->end; pfn += step)
			if (memmap_page(s->memmap, pfn, &at) == ST_OK &&
			    at != page + (pfn - first) * bytes)
				return;
	}
	g->pages = page - first * bytes;
	g->page_bytes = bytes;
	g->page_link = UINT64_MAX;
	if (dump_ask(d, member, "struct page", "lru", &lru) == ST_OK && lru.present)
		g->page_link = lru.offset;
}

static void hide_page(struct graph *g, uint64_t addr)
{
	struct dump *d = g->dump;
	uint64_t phys;

	if (dump_phys(d, addr, &phys) == ST_OK && phys >> d->page_shift < g->end)
		g->page_spans[phys >> d->page_shift] = PAGE_IN_RANGES;
}

/* Pages whose words are no references: those of struct page itself. */
static void hide_memmap(struct graph *g, struct graph_sources *s)
{
	uint64_t size = dump_page_size(g->dump);

	for (size_t i = 0; g->page_bytes && i < s->ram->n; i++) {
		uint64_t at = g->pages + s->ram->ranges[i].start * g->page_bytes;
		uint64_t end = g->pages + s->ram->ranges[i].end * g->page_bytes;

		for (at &= ~(size - 1); at < end; at += size)
			hide_page(g, at);
	}
}

static enum status hide_table(void *arg, uint64_t table)
{
	struct graph *g = arg;
	uint64_t pfn = table >> g->dump->page_shift;

	if (pfn >= g->end || g->page_spans[pfn])
		return ST_ABSENT;
	g->page_spans[pfn] = PAGE_IN_RANGES;
	return dump_stopped(g->dump) ? ST_STOPPED : ST_OK;
}

/* The kernel's own page tables have no mark. Words that lead there are physical addresses. */
static enum status hide_tables(struct graph *g, struct graph_sources *s)
{
	struct page_tables t;
	enum status st = page_tables_open(g->dump, &t)
				 ?: page_tables_each(g->dump, &t, hide_table, g);

	if (st != ST_OK && st != ST_ABSENT && st != ST_STOPPED)
		graph_lacks(s, "page tables of the kernel");
	return st == ST_STOPPED ? st : ST_OK;
}

static void revive(struct graph *g, const struct graph_sources *s)
{
	const struct span *span;
	uint32_t node, place;
	bool is_new;

	for (size_t i = 0; i < s->nwatched; i++)
		if (graph_find(g, s->watched[i], &span, &node, &place) && graph_is_dead(g, node)) {
			graph_revive(g, node);
			hash_u64_get(&g->revived, node, &is_new);
		}
}

enum status graph_nodes(struct graph *g, struct graph_sources *s)
{
	struct dump *d = g->dump;
	enum status st;

	g->linear = s->slabs->linear;
	g->end = s->ram->ranges[s->ram->n - 1].end;
	g->page_spans = budget_alloc(&g->budget, g->arena, g->end * sizeof(*g->page_spans));
	if (!g->page_spans)
		return dump_fail(d, ST_NOMEM, "no room for a number of each page");
	find_pages(g, s);
	hide_memmap(g, s);
	graph_add_statics(g, s);
	graph_add_percpu(g, s);
	st = hide_tables(g, s) ?: graph_add_stacks(g, s) ?: graph_add_pages(g, s) ?:
			graph_add_areas(g, s);
	if (st == ST_OK && (g->cut || !graph_seal(g)))
		st = graph_is_full(g, g->cut ? g->cut : "nodes");
	if (st == ST_OK)
		revive(g, s);
	return st;
}
