// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/addr_ranges.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SPANS 1000000
#define MAX_OVERLAPS 64

static enum status grow(struct dump *d, struct spans *s)
{
	size_t room = s->room ? 2 * s->room : 64;
	struct span *spans;

	if (s->n >= MAX_SPANS)
		return dump_fail(d, DUMP_CORRUPT, "more than %d ranges of addresses", MAX_SPANS);
	spans = dump_alloc(d, room * sizeof(*spans));
	if (!spans)
		return DUMP_NOMEM;
	if (s->n)
		memcpy(spans, s->spans, s->n * sizeof(*spans));
	s->spans = spans;
	s->room = room;
	return DUMP_OK;
}

enum status spans_add(struct dump *d, struct spans *s, uint64_t low, uint64_t high, uint64_t what)
{
	if (low >= high)
		return DUMP_OK;
	if (s->n == s->room) {
		enum status st = grow(d, s);

		if (st != DUMP_OK)
			return st;
	}
	s->spans[s->n++] = (struct span){ low, high, what };
	return DUMP_OK;
}

static int by_low(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

void spans_sort(struct spans *s)
{
	if (s->n)
		qsort(s->spans, s->n, sizeof(*s->spans), by_low);
}

const struct span *spans_find(const struct spans *s, uint64_t addr)
{
	size_t low = 0, high = s->n;

	/* low: how many begin at or below the address */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->spans[mid].low <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (unsigned int i = 0; i < MAX_OVERLAPS && low; i++)
		if (addr < s->spans[--low].high)
			return &s->spans[low];
	return NULL;
}
