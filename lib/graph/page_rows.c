// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph/page_rows.h"

/* From one number to the next: descriptors of network and storage devices have 8 to 64 bytes, a word has two of 32 bits. */
#define MAX_STRIDE 8 /* the largest of strides[] */
static const unsigned int strides[] = { 1, 2, 3, 4, 6, MAX_STRIDE };

static bool goes_on(const struct page_rows *p, uint32_t i, uint32_t next)
{
	return bit_has(p->may_lead, next) && !bit_has(p->taken, next) &&
	       (!p->kind->follows || p->kind->follows(p, i, next));
}

/* Where the row goes on to that a number of each remainder is in: all of a page is gone through once for a stride. */
struct row_ends {
	uint32_t of[ARRAY_SIZE(strides)][MAX_STRIDE];
};

static uint32_t row_end(const struct page_rows *p, uint32_t i, uint32_t stride, uint32_t *end)
{
	if (*end > i)
		return *end;
	*end = i;
	while (*end + stride < p->n && goes_on(p, *end, *end + stride))
		*end += stride;
	*end += stride;
	return *end;
}

/* The longest row that begins with a number. */
static struct page_row row_at(const struct page_rows *p, uint32_t i, struct row_ends *ends)
{
	struct page_row best = { i, 1, 1 };

	for (size_t k = 0; k < ARRAY_SIZE(strides); k++) {
		const uint32_t stride = strides[k];
		const uint32_t n = (row_end(p, i, stride, &ends->of[k][i % stride]) - i) / stride;

		if (n > best.n)
			best = (struct page_row){ i, n, stride };
	}
	return best;
}

bool page_row_leads(struct page_rows *p, uint32_t i, unsigned int shift, uint32_t *dst,
		    uint32_t *place)
{
	const struct span *s;

	return graph_find(p->g, p->g->linear + (page_number(p, i) << shift), &s, dst, place) &&
	       *dst != p->src;
}

/* Most nodes have no such numbers: no more is set up than those of a node need. */
static bool find_leads(struct page_rows *p)
{
	uint32_t found = 0;

	memset(p->may_lead, 0, p->n / 8 + 1);
	for (uint32_t i = 0; i < p->n; i++)
		if (p->kind->may_lead(p->g, page_number(p, i))) {
			bit_set(p->may_lead, i);
			found++;
		}
	return found >= p->kind->least;
}

bool page_rows_find(struct graph *g, const struct row_kind *kind, const uint8_t *bytes, size_t n,
		    uint32_t src, uint32_t from)
{
	struct row_ends ends = { 0 };
	struct page_rows rows, *p = &rows;

	p->g = g;
	p->kind = kind;
	p->bytes = bytes;
	p->n = n / kind->width;
	p->src = src;
	p->from = from;
	if (p->n > PAGE_ROW_NUMBERS || !find_leads(p))
		return true;
	memset(p->taken, 0, p->n / 8 + 1);
	for (uint32_t i = 0; i < p->n; i++) {
		struct page_row r;

		if (!bit_has(p->may_lead, i) || bit_has(p->taken, i))
			continue;
		r = row_at(p, i, &ends);
		if (!kind->is_enough(p, &r))
			continue;
		for (uint32_t k = 0; k < r.n; k++)
			bit_set(p->taken, r.at + k * r.stride);
		ends = (struct row_ends){ 0 };
		if (!kind->keep(p, &r)) {
			g->cut = kind->name;
			return false;
		}
	}
	return true;
}
