/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads ahead: pieces of a file that are asked for one behind the other cost a call for many of
 * them, a single one no more than its bytes.  A scan follows some places at once, as of struct page
 * and of page_ext: each has its own.
 */
#pragma once

#include "file/input.h"

#define WINDOW_STREAMS 4

struct window {
	const struct input *input;
	size_t room;
	uint64_t used; /* pieces that were asked for */
	struct window_stream {
		uint8_t *bytes;
		size_t ahead;	     /* bytes that the last read took */
		uint64_t start, end; /* of what is in bytes */
		uint64_t last;	     /* when a piece of it was asked for: of used */
	} streams[WINDOW_STREAMS];
};

/* room is at least the longest piece; there are WINDOW_STREAMS of it. */
void window_open(struct dump *d, const struct input *in, size_t room, struct window *ret);

/*
 * len bytes at an offset, until the next call; NULL: the file does not have them, or there is no
 * room.
 */
const uint8_t *window_at(struct window *w, uint64_t at, size_t len);
