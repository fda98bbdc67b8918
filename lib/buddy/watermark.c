// SPDX-License-Identifier: GPL-2.0-or-later
#include "buddy/watermark.h"

const char *const watermark_results[] = {
	[WATERMARK_OK] = "served",
	[WATERMARK_NOT_ALLOWED] = "not_allowed",
	[WATERMARK_NO_PAGES] = "no_pages",
	[WATERMARK_BELOW] = "below_watermark",
	[WATERMARK_NO_BLOCK] = "no_block",
	[WATERMARK_UNKNOWN] = "unknown",
	NULL,
};

/* Whether a request may take from the lists of a migrate type. */
static bool may_take(const struct alloc_kernel *k, const struct alloc_request *r, unsigned int type)
{
	return type < k->pcp_types || ((int64_t)type == k->cma && r->cma) ||
	       ((int64_t)type == k->highatomic && r->highatomic);
}

/* The blocks of one order that a request may take: none, some, or unknown. */
static enum free_list_head look_at_order(const struct alloc_kernel *k, const struct zone_free *z,
					 const struct alloc_request *r, unsigned int order)
{
	enum free_list_head found = LIST_EMPTY;

	if (z->has_nr_free && !z->nr_free[order])
		return LIST_EMPTY;
	for (unsigned int t = 0; t < z->types; t++) {
		enum free_list_head head = z->lists[order][t].head;

		if (!may_take(k, r, t) || head == LIST_EMPTY)
			continue;
		if (head == LIST_FILLED)
			return LIST_FILLED;
		found = LIST_UNKNOWN;
	}
	return found;
}

/* ret: the largest order that has one, unless an unknown list above may have one too. */
static enum watermark_result look_for_block(const struct alloc_kernel *k, const struct zone_free *z,
					    const struct alloc_request *r, int *ret)
{
	enum watermark_result result = WATERMARK_NO_BLOCK;
	bool has_unknown = false;

	if (!z)
		return WATERMARK_UNKNOWN;
	for (unsigned int o = z->orders; o--;) {
		enum free_list_head head = look_at_order(k, z, r, o);

		if (head == LIST_UNKNOWN && o >= r->order)
			result = WATERMARK_UNKNOWN;
		has_unknown |= head == LIST_UNKNOWN;
		if (head != LIST_FILLED)
			continue;
		if (!has_unknown)
			*ret = o;
		return o >= r->order ? WATERMARK_OK : result;
	}
	return result;
}

/* The first figure that is not known and decides; the last two only make free pages fewer. */
static const char *find_missing(const struct watermark_zone *z, const struct alloc_request *r,
				bool *at_most)
{
	const struct {
		bool missing;
		const char *name;
	} figures[] = {
		{ !z->free.known, "the counter of free pages" },
		{ !z->min.known, "the min watermark" },
		{ !z->boost.known, "the boost of the min watermark" },
		{ !z->reserve.known, "lowmem_reserve" },
		{ !r->reserves && !z->highatomic.known, "how much highatomic blocks have" },
		{ !r->cma && !z->cma.known, "the counter of free pages of CMA" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
		*at_most = i >= ARRAY_SIZE(figures) - 2;
		if (figures[i].missing)
			return figures[i].name;
	}
	return NULL;
}

/* What a kernel takes away from the free pages, and what must be left of the rest. */
static bool compute(const struct watermark_zone *z, const struct alloc_request *r, int64_t boost,
		    struct watermark_verdict *v)
{
	bool at_most;

	v->missing = find_missing(z, r, &at_most);
	if ((v->missing && !at_most) || r->order > 30)
		return false;
	v->free = z->free.n;
	v->tail = (1LL << r->order) - 1;
	v->highatomic = r->reserves || !z->highatomic.known ? 0 : z->highatomic.n;
	v->cma = r->cma || !z->cma.known ? 0 : z->cma.n;
	v->reserve = z->reserve.n;
	/* Of a corrupt struct the sums may wrap. */
	if (__builtin_sub_overflow(v->free, v->tail, &v->usable) ||
	    __builtin_sub_overflow(v->usable, v->highatomic, &v->usable) ||
	    __builtin_sub_overflow(v->usable, v->cma, &v->usable) ||
	    __builtin_add_overflow(z->min.n, boost, &v->mark))
		return false;
	v->boost = boost;
	v->min = v->mark;
	if (r->half)
		v->min -= v->min / 2;
	if (r->quarter)
		v->min -= v->min / 4;
	return !__builtin_add_overflow(v->min, v->reserve, &v->limit);
}

/*
 * The boost counts for all but an atomic request of order 0 (zone_watermark_fast() since 5.8;
 * __GFP_ATOMIC up to 6.2, then __GFP_HIGH).
 */
static bool ignores_boost(const struct alloc_request *r)
{
	return !r->order && r->ignores_boost;
}

enum watermark_result watermark_check(const struct alloc_kernel *k, const struct watermark_zone *z,
				      const struct alloc_request *r, struct watermark_verdict *ret)
{
	struct watermark_verdict v = { .result = WATERMARK_UNKNOWN, .largest = -1 };
	bool known;

	if (z->index > r->highest_zone) {
		v.result = WATERMARK_NOT_ALLOWED;
	} else if (z->managed.known && !z->managed.n) {
		v.result = WATERMARK_NO_PAGES;
	} else if (!r->no_watermarks && !r->unknown_flag) {
		known = compute(z, r, z->boost.n, &v);
		if (known && v.usable <= v.limit && z->boost.n && ignores_boost(r))
			known = compute(z, r, 0, &v);
		if (known)
			v.result = v.usable <= v.limit ? WATERMARK_BELOW
				   : v.missing	       ? WATERMARK_UNKNOWN
				   : !r->order	       ? WATERMARK_OK
					       : look_for_block(k, z->free_area, r, &v.largest);
		if (known && v.result == WATERMARK_UNKNOWN && !v.missing)
			v.missing = "what a list of free blocks has";
		/* For the reader: what a request above order 0 finds besides. */
		if (v.result == WATERMARK_BELOW && r->order)
			look_for_block(k, z->free_area, r, &v.largest);
	}
	*ret = v;
	return v.result;
}
