// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols/addr_ranges.h"

#include <stdlib.h>

#define MAX_SPANS 1000000 /* functions and units with debug information */
#define MAX_OVERLAPS 64	  /* that are looked back through */

static enum status grow(struct dump *d, struct addr_ranges *s)
{
	size_t room = s->room ? 2 * s->room : 64;
	struct addr_range *spans;

	if (s->n >= MAX_SPANS)
		return dump_fail(d, ST_CORRUPT, "more than %d ranges of addresses", MAX_SPANS);
	spans = dump_alloc(d, room * sizeof(*spans));
	if (s->n)
		memcpy(spans, s->spans, s->n * sizeof(*spans));
	s->spans = spans;
	s->room = room;
	return ST_OK;
}

enum status addr_ranges_add(struct dump *d, struct addr_ranges *s, uint64_t low, uint64_t high,
			    uint64_t what)
{
	if (low >= high)
		return ST_OK;
	if (s->n == s->room) {
		enum status st = grow(d, s);

		if (st != ST_OK)
			return st;
	}
	s->spans[s->n++] = (struct addr_range){ low, high, what };
	return ST_OK;
}

static int by_low(const void *a, const void *b)
{
	const struct addr_range *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

void addr_ranges_sort(struct addr_ranges *s)
{
	if (s->n)
		qsort(s->spans, s->n, sizeof(*s->spans), by_low);
}

const struct addr_range *addr_ranges_find(const struct addr_ranges *s, uint64_t addr)
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
