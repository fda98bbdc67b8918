// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/dma.h"
#include "graph/pfns.h"
#include "util/bits.h"

#define PAGE_WORDS 8192u /* of the largest page, 64 KiB */

/* Bytes from one descriptor to the next, in words: those of network and storage devices have 8 to 64. */
static const unsigned int strides[] = { 1, 2, 3, 4, 6, 8 };

struct row {
	uint32_t at, n, stride;
};

/* Words of one page that may be addresses, a bit for each. */
struct words {
	struct graph *g;
	const uint8_t *bytes;
	uint32_t n;
	uint8_t may_lead[PAGE_WORDS / 8], taken[PAGE_WORDS / 8];
};

static uint64_t word(const struct words *w, uint32_t i)
{
	return le64(w->bytes + 8ULL * i);
}

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

static bool goes_on(const struct words *w, uint32_t i, uint32_t next)
{
	uint64_t mask = dump_page_size(w->g->dump) - 1, a = word(w, i), b = word(w, next);

	return bit_has(w->may_lead, next) && !bit_has(w->taken, next) && (a & mask) == (b & mask) &&
	       a >> w->g->dump->page_shift != b >> w->g->dump->page_shift;
}

/* The longest row that begins with a word. */
static struct row row_at(const struct words *w, uint32_t i)
{
	struct row best = { i, 1, 1 };

	for (size_t k = 0; k < ARRAY_SIZE(strides); k++) {
		struct row r = { i, 1, strides[k] };

		for (uint32_t at = i; at + r.stride < w->n && goes_on(w, at, at + r.stride);
		     at += r.stride)
			r.n++;
		if (r.n > best.n)
			best = r;
	}
	return best;
}

static bool keep_row(struct words *w, const struct row *r, uint32_t src, uint32_t from)
{
	struct graph *g = w->g;

	for (uint32_t i = 0, at = r->at; i < r->n; i++, at += r->stride) {
		const struct span *s;
		uint32_t dst, place;
		struct edge *e;

		bit_set(w->taken, at);
		if (!graph_find(g, g->linear + word(w, at), &s, &dst, &place) || dst == src)
			continue;
		e = chunks_add(&g->dma);
		if (!e) {
			g->cut = "DMA addresses";
			return false;
		}
		*e = (struct edge){ src, dst, from + 8 * at < PLACE_MAX ? from + 8 * at : PLACE_MAX,
				    place };
	}
	return true;
}

/* Most nodes have no word of the kind: nothing is set up for them. */
static uint32_t count(const struct graph *g, const uint8_t *bytes, uint32_t n)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++)
		found += may_lead(g, le64(bytes + 8UL * i));
	return found;
}

/* With flags in the low bits a word is less of an address; pages that have such are tables of a CPU or an IOMMU. */
static bool is_enough(const struct words *w, const struct row *r, uint32_t src)
{
	const struct span *s = graph_span_of(w->g, src);

	if (!(word(w, r->at) & 7))
		return r->n >= DMA_ROW;
	return r->n >= 2 * DMA_ROW && s->kind != NODE_DIRECT && pfns_may_be_in(w->g, s);
}

static bool find_rows(struct words *w, uint32_t src, uint32_t from)
{
	for (uint32_t i = 0; i < w->n; i++)
		if (may_lead(w->g, word(w, i)))
			bit_set(w->may_lead, i);
	for (uint32_t i = 0; i < w->n; i++) {
		struct row r;

		if (!bit_has(w->may_lead, i) || bit_has(w->taken, i))
			continue;
		r = row_at(w, i);
		if (is_enough(w, &r, src) && !keep_row(w, &r, src, from))
			return false;
	}
	return true;
}

bool dma_rows(struct graph *g, const uint8_t *bytes, size_t n, uint32_t src, uint32_t from)
{
	uint32_t words = (uint32_t)(n / 8);

	if (words > PAGE_WORDS || count(g, bytes, words) < DMA_ROW)
		return true;
	return find_rows(&(struct words){ .g = g, .bytes = bytes, .n = words }, src, from);
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
