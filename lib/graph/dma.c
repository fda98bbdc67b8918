// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/dma.h"
#include "graph/page_rows.h"
#include "graph/pfns.h"

/* An address in pages that somebody has straight from the page allocator. */
static bool may_lead(const struct graph *g, uint64_t word)
{
	uint64_t pfn = word >> g->dump->page_shift;
	uint32_t at;

	if (word < DMA_LEAST || pfn >= g->end)
		return false;
	at = g->page_spans[pfn];
	return at && at <= PAGE_LAST && graph_span(g, at - 1)->kind == NODE_DIRECT;
}

static bool follows(const struct page_rows *p, uint32_t i, uint32_t next)
{
	const unsigned int shift = p->g->dump->page_shift;
	const uint64_t mask = dump_page_size(p->g->dump) - 1;
	const uint64_t a = page_number(p, i), b = page_number(p, next);

	return (a & mask) == (b & mask) && a >> shift != b >> shift;
}

/* With flags in the low bits a word is less of an address; pages that have such are tables of a CPU or an IOMMU. */
static bool is_enough(const struct page_rows *p, const struct page_row *r)
{
	const struct span *s = graph_span_of(p->g, p->src);

	if (!(page_number(p, r->at) & 7))
		return r->n >= DMA_ROW;
	return r->n >= 2 * DMA_ROW && s->kind != NODE_DIRECT && pfns_may_be_in(p->g, s);
}

static bool keep(struct page_rows *p, const struct page_row *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const uint32_t at = r->at + i * r->stride, from = p->from + 8 * at;
		uint32_t dst, place;
		struct edge *e;

		if (!page_row_leads(p, at, 0, &dst, &place))
			continue;
		e = chunks_add(&p->g->dma);
		if (!e)
			return false;
		*e = (struct edge){ p->src, dst, from < PLACE_MAX ? from : PLACE_MAX, place };
	}
	return true;
}

static const struct row_kind addresses = {
	8, DMA_ROW, "DMA addresses", may_lead, follows, is_enough, keep,
};

bool dma_rows(struct graph *g, const uint8_t *bytes, size_t n, uint32_t src, uint32_t from)
{
	return page_rows_find(g, &addresses, bytes, n, src, from);
}

bool arcs_add_dma(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	uint8_t *named = arcs_named(a, &own, arena);
	bool fits = named != NULL;

	for (uint32_t i = 0; i < g->dma.n && fits; i++) {
		const struct edge *e = chunks_at(&g->dma, i);

		if (!bit_has(named, e->dst))
			fits = arcs_add(a, e->src, e->dst, ARC_MIDDLE);
	}
	arena_reset(arena);
	if (!fits)
		g->cut = "arcs";
	return fits;
}
