/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a long table in chunks and hands out its entries in rising order.
 * Each byte is read once; a page that is not in the dump spoils only the
 * entries that touch it.
 */
#pragma once

#include "dump/dump.h"

struct read_window {
	struct dump *dump;
	uint64_t base, end; /* what buf holds; page-aligned */
	uint64_t limit;	    /* nothing is read from here on, up to its page's end */
	uint64_t ahead;	    /* bytes that are read at once: more where long entries follow */
	uint64_t bad;	    /* a bit per page of buf that could not be read */
	uint8_t *buf;
};

void read_window_init(struct read_window *w, struct dump *d);

/* Forgets what was read; the next table ends at limit. */
void read_window_table(struct read_window *w, uint64_t limit);

/*
 * len bytes at addr, valid until the next call; NULL if one of them is not in
 * the dump.  len is at most a page.
 */
const void *read_window_find(struct read_window *w, uint64_t addr, size_t len);

static inline const void *read_window_at(struct read_window *w, uint64_t addr, size_t len)
{
	/* Nearly always: it is in the buffer, and the buffer has no hole. */
	if (!w->bad && addr >= w->base && addr + len <= w->end && addr + len > addr)
		return w->buf + (addr - w->base);
	return read_window_find(w, addr, len);
}
