// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/graph.h"

#include <stdlib.h>

#include "graph/page_words.h"

#define MAX_NODES (1u << 30) /* numbers of nodes have 32 bits */

void graph_init(struct dump *d, struct arena *arena, uint64_t room, uint64_t file,
		struct graph *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->dump = d;
	ret->arena = arena;
	spill_init(&ret->spill, arena, file);
	ret->budget = (struct budget){ room, room, &ret->spill };
	chunks_init(&ret->spans, arena, &ret->budget, sizeof(struct span));
	chunks_init(&ret->ranges, arena, &ret->budget, sizeof(struct range));
	chunks_init(&ret->edges, arena, &ret->budget, sizeof(struct graph_word));
	chunks_init(&ret->far, arena, &ret->budget, sizeof(struct far_word));
	chunks_init(&ret->far_at, arena, &ret->budget, sizeof(uint32_t));
	chunks_init(&ret->dma, arena, &ret->budget, sizeof(struct edge));
	chunks_init(&ret->pfns, arena, &ret->budget, sizeof(uint32_t));
	chunks_init(&ret->pfn_rows, arena, &ret->budget, sizeof(struct pfn_row));
	chunks_init(&ret->page_words, arena, &ret->budget, sizeof(struct page_words));
	chunks_init(&ret->dead, arena, &ret->budget, 1);
	chunks_init(&ret->tasks, arena, &ret->budget, sizeof(struct graph_task));
	hash_u64_init(&ret->vms, arena, 0);
	hash_u64_init(&ret->vmaps, arena, 0);
	hash_u64_init(&ret->mapped, arena, sizeof(struct mapped_area));
	hash_u64_init(&ret->percpu_chunks, arena, 0);
	hash_u64_init(&ret->vectors, arena, 0);
	hash_u64_init(&ret->first_chunk, arena, sizeof(struct first_chunk));
	hash_u64_init(&ret->first_numbers, arena, sizeof(struct first_numbers));
	hash_u64_init(&ret->privates, arena, sizeof(uint16_t));
	hash_u64_init(&ret->revived, arena, 0);
}

enum status graph_is_full(struct graph *g, const char *what)
{
	g->cut = what;
	return dump_fail(
		g->dump, ST_NOMEM,
		"the pointers of this dump need more than %lu MiB of memory and %lu MiB of a "
		"temporary file in TMPDIR%s%s",
		g->budget.total >> 20, g->spill.limit >> 20, g->spill.problem ? ": " : "",
		g->spill.problem ? g->spill.problem : "");
}

struct span *graph_add(struct graph *g, enum node_kind kind, uint64_t start, uint32_t stride,
		       uint32_t count, uint16_t group)
{
	struct span *s;

	if (!stride || !count || start + (uint64_t)stride * count < start)
		return NULL;
	s = count <= MAX_NODES - g->nodes ? chunks_add(&g->spans) : NULL;
	while (s && (uint64_t)g->dead.n * 8 < (uint64_t)g->nodes + count)
		if (!chunks_add(&g->dead))
			s = NULL;
	if (!s) {
		g->cut = "nodes";
		return NULL;
	}
	*s = (struct span){ start, stride, count, g->nodes, group, kind };
	g->nodes += count;
	return s;
}

struct span *graph_last(const struct graph *g)
{
	return g->spans.n ? graph_span(g, g->spans.n - 1) : NULL;
}

static void add_range(struct graph *g, struct range range)
{
	struct range *r;

	if (!range.count || range.end <= range.start)
		return;
	r = chunks_add(&g->ranges);
	if (r)
		*r = range;
	else
		g->cut = "ranges of addresses";
}

void graph_map(struct graph *g, uint64_t start, uint64_t end, uint32_t span, uint32_t count)
{
	add_range(g, (struct range){ start, end, span, count, 0, 0 });
}

void graph_map_copy(struct graph *g, uint64_t start, uint64_t end, uint32_t span, uint32_t count,
		    uint64_t shift, unsigned int copy)
{
	add_range(g, (struct range){ start, end, span, count, shift, copy + 1 });
}

ORDER_BY(by_start, struct range, COMPARE(x->start, y->start))

/* Of ranges that overlap the first one keeps its addresses. */
static uint32_t keep_apart(struct range *r, uint32_t n)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (kept && r[i].start < r[kept - 1].end)
			r[i].start = r[kept - 1].end;
		if (r[i].start < r[i].end)
			r[kept++] = r[i];
	}
	return kept;
}

/* One block in the order of addresses. */
static bool sort_ranges(struct graph *g)
{
	struct range *all = budget_alloc(&g->budget, g->arena, g->ranges.n * sizeof(*all) + 1);
	uint8_t **block = budget_alloc(&g->budget, g->arena, sizeof(*block));

	if (!all || !block)
		return false;
	for (uint32_t i = 0; i < g->ranges.n; i++)
		all[i] = *(const struct range *)chunks_at(&g->ranges, i);
	qsort(all, g->ranges.n, sizeof(*all), by_start);
	g->ranges.n = keep_apart(all, g->ranges.n);
	g->ranges.blocks = block;
	block[0] = (uint8_t *)all;
	return true;
}

/* Before that a span is looked for among all. */
static bool index_spans(struct graph *g)
{
	uint32_t n = g->nodes / SPAN_NODES + 1, span = 0;
	uint32_t *at = budget_alloc(&g->budget, g->arena, (n + 1ULL) * sizeof(*at));

	for (uint32_t i = 0; at && g->spans.n && i <= n; i++) {
		while (span + 1 < g->spans.n &&
		       graph_span(g, span + 1)->first <= (uint64_t)i * SPAN_NODES)
			span++;
		at[i] = span;
	}
	g->span_at = at;
	return at;
}

static bool mark_roots(struct graph *g)
{
	uint8_t *roots = budget_alloc(&g->budget, g->arena, g->nodes / 8 + 1ULL);

	for (uint32_t i = 0; roots && i < g->spans.n; i++) {
		const struct span *s = graph_span(g, i);

		for (uint32_t k = 0; graph_is_root(s) && k < s->count; k++)
			bit_set(roots, s->first + k);
	}
	g->roots = roots;
	return roots;
}

bool graph_seal(struct graph *g)
{
	g->tags = budget_alloc(&g->budget, g->arena, g->nodes * sizeof(*g->tags));
	if (!g->tags || !index_spans(g) || !mark_roots(g) || !sort_ranges(g)) {
		g->cut = "nodes";
		return false;
	}
	memset(g->tags, 0xff, g->nodes * sizeof(*g->tags));
	return true;
}

const struct span *graph_seek_span(const struct graph *g, uint32_t node)
{
	const uint32_t *at = g->span_at ? g->span_at + node / SPAN_NODES : NULL;
	uint32_t low = at ? at[0] : 0, high = at ? at[1] + 1 : g->spans.n;

	return graph_span(g, LAST_OF(i, low, high, graph_span(g, i)->first <= node));
}

static bool node_in(const struct span *s, uint64_t addr, uint32_t *node, uint32_t *place)
{
	uint64_t at = addr - s->start, i = at / s->stride, byte = at % s->stride;

	if (addr < s->start || i >= s->count)
		return false;
	*node = s->first + (uint32_t)i;
	*place = byte < PLACE_MAX ? (uint32_t)byte : PLACE_MAX;
	return true;
}

/* The same of the address in the copy of a CPU. */
static bool node_of_copy(const struct graph *g, const struct span *s, uint64_t addr,
			 unsigned int copy, uint32_t *node, uint32_t *place)
{
	uint32_t bytes = graph_copy_bytes(g, s);

	if (addr < s->start || addr - s->start >= bytes)
		return false;
	*node = s->first;
	*place = copy * bytes + (uint32_t)(addr - s->start);
	return true;
}

/* The last of the spans of a range that begins at or below an address. */
static const struct span *span_at(const struct graph *g, const struct range *r, uint64_t addr)
{
	return graph_span(g,
			  LAST_OF(i, r->span, r->span + r->count, graph_span(g, i)->start <= addr));
}

static bool find_in_ranges(const struct graph *g, uint64_t addr, const struct span **span,
			   uint32_t *node, uint32_t *place)
{
	const struct range *ranges = g->ranges.n ? (const void *)g->ranges.blocks[0] : NULL;
	uint32_t low;

	if (!ranges || addr < ranges[0].start || addr >= ranges[g->ranges.n - 1].end)
		return false;
	low = LAST_OF(i, 0, g->ranges.n, ranges[i].start <= addr);
	if (addr >= ranges[low].end)
		return false;
	addr -= ranges[low].shift;
	*span = span_at(g, &ranges[low], addr);
	return ranges[low].copy ? node_of_copy(g, *span, addr, ranges[low].copy - 1, node, place)
				: node_in(*span, addr, node, place);
}

static bool find_far(struct graph *g, uint64_t addr, const struct span **span, uint32_t *node,
		     uint32_t *place)
{
	struct found_address *f =
		&g->found[(addr * 0x9e3779b97f4a7c15ULL) >> 32 & (FOUND_ADDRESSES - 1)];

	if (!g->span_at)
		return find_in_ranges(g, addr, span, node, place);
	if (f->address != addr || !addr) {
		*f = (struct found_address){ .address = addr };
		f->is_found = find_in_ranges(g, addr, &f->span, &f->node, &f->place);
	}
	if (!f->is_found)
		return false;
	*span = f->span;
	*node = f->node;
	*place = f->place;
	return true;
}

bool graph_find(struct graph *g, uint64_t addr, const struct span **span, uint32_t *node,
		uint32_t *place)
{
	uint64_t pfn = (addr - g->linear) >> g->dump->page_shift;
	uint32_t s;

	if (pfn >= g->end)
		return find_far(g, addr, span, node, place);
	s = g->page_spans[pfn];
	if (s == PAGE_IN_RANGES)
		return find_far(g, addr, span, node, place);
	if (!s || s > PAGE_LAST) {
		/* By words that are edges, not by what is asked for then. */
		if (s == PAGE_FREE && !g->node_at) {
			g->seen_pages++;
			g->page_spans[pfn] = PAGE_FREE_SEEN;
		}
		return false;
	}
	*span = graph_span(g, s - 1);
	return node_in(*span, addr, node, place);
}

bool graph_find_page(const struct graph *g, uint64_t addr, const struct span **span, uint32_t *node,
		     uint32_t *place)
{
	uint64_t pfn, byte;
	uint32_t s;

	if (!g->page_bytes || addr < g->pages)
		return false;
	pfn = (addr - g->pages) / g->page_bytes;
	byte = (addr - g->pages) % g->page_bytes;
	if (pfn >= g->end || (byte > PAGE_TAGS && byte != g->page_link))
		return false;
	s = g->page_spans[pfn];
	if (!s || s > PAGE_LAST)
		return false;
	*span = graph_span(g, s - 1);
	/* A word that names the page of a slab is of the allocator's own lists. */
	if ((*span)->kind != NODE_DIRECT ||
	    !node_in(*span, g->linear + (pfn << g->dump->page_shift), node, place))
		return false;
	*place = byte > PAGE_TAGS ? PLACE_PAGE | (uint32_t)byte : PLACE_PAGE;
	return true;
}

struct module *graph_module(const struct graph *g, uint16_t owner)
{
	struct module *m = owner ? g->modules.first : NULL;

	for (uint16_t i = 1; m && i < owner; i++)
		m = m->next;
	return m;
}

const char *graph_owner_name(const struct graph *g, uint16_t owner)
{
	const struct module *m = graph_module(g, owner);

	return !owner ? "vmlinux" : m ? m->name : NULL;
}

uint64_t graph_percpu_base(const struct graph *g, const struct span *copy)
{
	struct percpu_area area = { g->percpu_start, g->percpu_bytes };

	for (unsigned int i = 0; copy->group && i < g->cpus.n; i++) {
		const struct first_chunk *f = hash_u64_find(&g->first_chunk,
							    copy->start - g->cpus.offset[i]);

		if (f && f->owner == copy->group)
			return copy->start - g->cpus.offset[i];
	}
	if (copy->group && copy->group < OWNER_SHARED && g->module_percpu)
		area = g->module_percpu[copy->group - 1];
	for (unsigned int i = 0; i < g->cpus.n; i++)
		if (copy->start - g->cpus.offset[i] - area.start < area.bytes)
			return copy->start - g->cpus.offset[i];
	return 0;
}
