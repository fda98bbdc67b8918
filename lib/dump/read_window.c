// SPDX-License-Identifier: GPL-2.0-or-later
#include "dump/read_window.h"

#define CHUNK_BYTES ((uint64_t)64 * 1024) /* that are read at once, at most */

void read_window_init(struct read_window *w, struct dump *d)
{
	memset(w, 0, sizeof(*w));
	w->dump = d;
	/* A chunk, and the last page of the one before it. */
	w->buf = dump_alloc(d, CHUNK_BYTES + dump_page_size(d));
}

void read_window_table(struct read_window *w, uint64_t limit)
{
	uint64_t mask = dump_page_size(w->dump) - 1;

	w->base = 0;
	w->end = 0;
	w->bad = 0;
	w->limit = (limit + mask) & ~mask;
}

/* Appends [from, to) to the buffer, page by page where it cannot be read at once. */
static void window_fill(struct read_window *w, uint64_t from, uint64_t to)
{
	struct dump *d = w->dump;
	uint64_t page = dump_page_size(d);

	if (dump_try(d, from, w->buf + (from - w->base), to - from) == ST_OK)
		return;
	for (; from < to; from += page)
		if (dump_try(d, from, w->buf + (from - w->base), page) != ST_OK)
			w->bad |= 1ULL << ((from - w->base) >> d->page_shift);
}

/* To the page of addr, with all of len bytes, of which the last may be in the next page. */
static void window_move(struct read_window *w, uint64_t addr, size_t len)
{
	unsigned int shift = w->dump->page_shift;
	uint64_t base = addr >> shift << shift, from = base, to;

	w->ahead = base < w->base || base > w->end || !w->end ? dump_page_size(w->dump)
		   : w->ahead < CHUNK_BYTES		      ? 2 * w->ahead
							      : w->ahead;
	if (base >= w->base && base < w->end) {
		from = w->end;
		memmove(w->buf, w->buf + (base - w->base), w->end - base);
		w->bad >>= (base - w->base) >> shift;
	} else {
		w->bad = 0;
	}
	if (from + w->ahead < addr + len)
		w->ahead = 2 * dump_page_size(w->dump);
	to = from + w->ahead;
	if (from < w->limit && to > w->limit)
		to = w->limit;
	w->base = base;
	w->end = to;
	window_fill(w, from, to);
}

const void *read_window_find(struct read_window *w, uint64_t addr, size_t len)
{
	unsigned int shift = w->dump->page_shift;

	if (!len || len > dump_page_size(w->dump) || addr + len < addr ||
	    addr + len + CHUNK_BYTES + dump_page_size(w->dump) < addr)
		return NULL;
	if (addr < w->base || addr + len > w->end)
		window_move(w, addr, len);
	if (addr + len > w->end)
		return NULL;
	for (uint64_t p = (addr - w->base) >> shift; p <= (addr + len - 1 - w->base) >> shift; p++)
		if (w->bad >> p & 1)
			return NULL;
	return w->buf + (addr - w->base);
}
