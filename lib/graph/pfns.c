// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/pfns.h"

#include <stdlib.h>

#include "graph/page_rows.h"

#define INDEX_NEAR 4096 /* entries of a table that lead to others are as near to their own index */
#define AROUND 8u	/* numbers in front of a row, and behind it, that are looked at */
#define MOST_OTHERS 2u	/* of these, as the count in front of an array is one */
#define BREAKS_LEAST 1	/* in all rows of a kind */
#define WHOLE_ROW 64u	/* numbers without a break say something */
#define MOST_PERCENT 90 /* of a row lead where no pointer does */

static uint32_t number(const struct page_rows *x, uint32_t i)
{
	return (uint32_t)page_number(x, i);
}

static bool is_in_range(const struct graph *g, uint64_t number)
{
	return number >= PFN_LEAST && number < g->end;
}

uint32_t pfns_count(const struct graph *g, const uint8_t *bytes, size_t n)
{
	const uint32_t most = g->end > UINT32_MAX ? UINT32_MAX : (uint32_t)g->end;
	uint32_t found = 0;

	for (size_t i = 0; i + 4 <= n; i += 4)
		found += le32(bytes + i) - PFN_LEAST < most - PFN_LEAST;
	return most > PFN_LEAST ? found : 0;
}

bool pfns_may_be_in(const struct graph *g, const struct span *s)
{
	switch (s->kind) {
	case NODE_STATIC:
		return s->group;
	case NODE_OBJECT:
		return g->caches[s->group]->name && strstr(g->caches[s->group]->name, "kmalloc-");
	case NODE_DIRECT:
	case NODE_AREA:
		return true;
	default:
		return false;
	}
}

/* The first page of what somebody has straight from the page allocator. */
static bool may_lead(const struct graph *g, uint64_t number)
{
	uint32_t at = is_in_range(g, number) ? g->page_spans[number] : 0;
	const struct span *s = at && at <= PAGE_LAST ? graph_span(g, at - 1) : NULL;

	return s && s->kind == NODE_DIRECT &&
	       (g->linear + (number << g->dump->page_shift) - s->start) % s->stride == 0;
}

ORDER_BY(by_number, uint32_t, COMPARE(*x, *y))

/* Most rows rise or fall all along, or have one number twice side by side: they need not be sorted. */
static bool are_different(const struct page_rows *x, const struct page_row *r)
{
	uint32_t sorted[PAGE_ROW_NUMBERS], rises = 0;

	for (uint32_t i = 0; i < r->n; i++) {
		sorted[i] = number(x, r->at + i * r->stride);
		if (i && sorted[i] == sorted[i - 1])
			return false;
		rises += i && sorted[i] > sorted[i - 1];
	}
	if (!rises || rises == r->n - 1)
		return true;
	/* cppcheck-suppress uninitvar ; a row has PFN_ROW numbers or more */
	qsort(sorted, r->n, sizeof(*sorted), by_number);
	for (uint32_t i = 1; i < r->n; i++)
		if (sorted[i] == sorted[i - 1])
			return false;
	return true;
}

/* As a list of free entries has that of the next. */
static bool is_index(const struct page_rows *x, const struct page_row *r)
{
	const int64_t first = (x->from / 4 + r->at) / r->stride;

	for (uint32_t i = 0; i < r->n; i += r->n - 1)
		if (llabs((int64_t)number(x, r->at + i * r->stride) - first - i) >= INDEX_NEAR)
			return false;
	return true;
}

/* Where numbers go on by another step than before. */
static uint32_t count_breaks(const struct page_rows *x, const struct page_row *r)
{
	uint32_t breaks = 0, last = 0;

	for (uint32_t i = 1; i < r->n; i++) {
		const uint32_t at = r->at + i * r->stride;
		const uint32_t step = number(x, at) - number(x, at - r->stride);

		breaks += i > 1 && step != last;
		last = step;
	}
	return breaks;
}

/* A table of numbers of which some lead to pages by chance goes on with others. */
static bool stands_alone(const struct page_rows *x, const struct page_row *r)
{
	uint32_t others = 0;

	for (uint32_t i = 1; i <= AROUND; i++) {
		uint64_t before = (uint64_t)i * r->stride,
			 behind = r->at + (uint64_t)(r->n - 1 + i) * r->stride;

		others += before <= r->at && is_in_range(x->g, number(x, r->at - before));
		others += behind < x->n && is_in_range(x->g, number(x, behind));
	}
	return others <= MOST_OTHERS;
}

static bool is_enough(const struct page_rows *x, const struct page_row *r)
{
	return r->n >= PFN_ROW && stands_alone(x, r) && are_different(x, r) && !is_index(x, r);
}

static bool keep(struct page_rows *x, const struct page_row *r)
{
	struct graph *g = x->g;
	struct pfn_row *row = chunks_add(&g->pfn_rows);

	if (!row)
		return false;
	*row = (struct pfn_row){ .src = x->src,
				 .first = g->pfns.n,
				 .breaks = count_breaks(x, r),
				 .begin = number(x, r->at),
				 .end = number(x, r->at + (r->n - 1) * r->stride) };
	for (uint32_t i = 0, at = r->at; i < r->n; i++, at += r->stride) {
		uint32_t dst, place, *kept;

		if (!page_row_leads(x, at, g->dump->page_shift, &dst, &place))
			continue;
		kept = chunks_add(&g->pfns);
		if (!kept)
			return false;
		*kept = dst;
		if (!row->n++)
			row->from = x->from + 4 * at < PLACE_MAX ? x->from + 4 * at : PLACE_MAX;
	}
	return true;
}

static const struct row_kind numbers = {
	4, PFN_ROW, "page frame numbers", may_lead, NULL, is_enough, keep,
};

bool pfn_rows(struct graph *g, const uint8_t *bytes, size_t n, uint32_t src, uint32_t from)
{
	return page_rows_find(g, &numbers, bytes, n, src, from);
}

static uint32_t node_at(const struct graph *g, uint32_t i)
{
	return *(const uint32_t *)chunks_at(&g->pfns, i);
}

/* Of a row: whether pointers lead to few of its pages. */
static bool is_alone(const struct graph *g, const struct pfn_row *r, const uint8_t *named)
{
	uint32_t alone = 0;

	for (uint32_t i = r->first; i < r->first + r->n; i++)
		alone += !bit_has(named, node_at(g, i));
	return r->n >= PFN_ROW && alone * 100ULL >= r->n * MOST_PERCENT;
}

static bool add_row(struct arcs *a, const struct pfn_row *r, const uint8_t *named)
{
	bool fits = true;

	for (uint32_t i = r->first; i < r->first + r->n && fits; i++) {
		const uint32_t dst = node_at(a->g, i);

		if (!bit_has(named, dst))
			fits = arcs_add(a, r->src, dst, ARC_MIDDLE);
	}
	return fits;
}

/* Rows that are of one kind: in one node, or at one place of objects that are alike. */
static uint64_t kind_of(const struct graph *g, const struct pfn_row *r)
{
	const struct span *s = graph_span_of(g, r->src);

	return s->kind == NODE_OBJECT ? (uint64_t)span_group(s) << 32 | r->from : r->src;
}

static bool follows(const struct pfn_row *r, const struct pfn_row *before)
{
	return r->begin == before->end + 1 || r->begin + 1 == before->end;
}

/* Rows of one kind: how often numbers do not go on in equal steps, in a row or from one to the next; and the ends. */
struct kind_sum {
	uint64_t breaks, n;
	uint32_t low, high;
};

static void add_to(struct kind_sum *k, const struct pfn_row *r, bool breaks)
{
	const uint32_t low = r->begin < r->end ? r->begin : r->end;
	const uint32_t high = r->begin < r->end ? r->end : r->begin;

	k->breaks += r->breaks + breaks;
	k->low = !k->n || low < k->low ? low : k->low;
	k->high = high > k->high ? high : k->high;
	k->n += r->n;
}

/* A page straight from the page allocator to which no pointer leads. */
static bool is_lone(struct graph *g, const uint8_t *named, uint64_t addr)
{
	const struct span *s;
	uint32_t node, place;

	return graph_find(g, addr, &s, &node, &place) && s->kind == NODE_DIRECT &&
	       !bit_has(named, node);
}

/* Numbers in equal steps that begin and end where such pages do are of these, and no indices. */
static bool is_whole(struct graph *g, const uint8_t *named, const struct kind_sum *k)
{
	const uint64_t first = g->linear + ((uint64_t)k->low << g->dump->page_shift);
	const uint64_t last = g->linear + ((uint64_t)k->high << g->dump->page_shift);
	const struct span *s;
	uint32_t node, place;

	return k->n >= WHOLE_ROW && graph_find(g, last, &s, &node, &place) &&
	       !is_lone(g, named, first - dump_page_size(g->dump)) &&
	       !is_lone(g, named, last + s->stride);
}

/* Of each kind the breaks in its rows, and between them. */
static void find_breaks(const struct graph *g, const uint8_t *named, struct hash_u64 *kinds)
{
	const struct pfn_row *last = NULL;
	uint64_t last_kind = 0;

	for (uint32_t k = 0; k < g->pfn_rows.n; k++) {
		const struct pfn_row *r = chunks_at(&g->pfn_rows, k);
		uint64_t kind;

		if (!is_alone(g, r, named))
			continue;
		kind = kind_of(g, r);
		add_to(hash_u64_get(kinds, kind, NULL), r,
		       last && last_kind == kind && !follows(r, last));
		last = r;
		last_kind = kind;
	}
}

/* What counts in equal steps, as a table of indices does, names no pages. */
static bool add_rows(struct arcs *a, const uint8_t *named, struct arena *arena)
{
	struct graph *g = a->g;
	struct hash_u64 kinds;

	hash_u64_init(&kinds, arena, sizeof(struct kind_sum));
	find_breaks(g, named, &kinds);
	for (uint32_t k = 0; k < g->pfn_rows.n; k++) {
		const struct pfn_row *r = chunks_at(&g->pfn_rows, k);
		const struct kind_sum *of;

		if (!is_alone(g, r, named))
			continue;
		of = hash_u64_get(&kinds, kind_of(g, r), NULL);
		if ((of->breaks >= BREAKS_LEAST || is_whole(g, named, of)) && !add_row(a, r, named))
			return false;
	}
	return true;
}

bool arcs_add_pfns(struct arcs *a)
{
	struct graph *g = a->g;
	struct arena *arena = arena_within(g->arena);
	struct budget own = g->budget;
	uint8_t *named = g->pfn_rows.n ? arcs_named(a, &own, arena) : NULL;
	bool fits = !g->pfn_rows.n || (named && add_rows(a, named, arena));

	arena_reset(arena);
	if (!fits)
		g->cut = "arcs";
	return fits;
}
