/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads ahead: pieces of a file that are asked for one behind the other cost a call for many of
 * them, a single one no more than its bytes.
 */
#ifndef MEMOWNER_FILE_WINDOW_H
#define MEMOWNER_FILE_WINDOW_H

#include "file/input.h"

struct window {
	const struct input *input;
	bool table; /* see input_read_table() */
	uint8_t *bytes;
	size_t room;
	size_t ahead;	     /* bytes that the last read took */
	uint64_t start, end; /* of what is in bytes */
};

/* room is at least the longest piece. */
enum status window_open(struct dump *d, const struct input *in, bool table, size_t room,
			struct window *ret);

/*
 * len bytes at an offset, until the next call; NULL: the file does not have them, or there is no
 * room.
 */
const uint8_t *window_at(struct window *w, uint64_t at, size_t len);

#endif
