/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of one file of a dump, by offset.  It is read, not mapped: a file that is cut short, or a
 * disk that fails, while we run is an error of one read and no signal, and no page of the file
 * counts as memory of ours.
 */
#ifndef MEMOWNER_FILE_INPUT_H
#define MEMOWNER_FILE_INPUT_H

#include "dump/dump.h"

struct input {
	const char *path;
	int fd;
	uint64_t size; /* bytes, when it was opened */
};

/* It is closed when d->arena is reset.  ST_USAGE: it cannot be opened, or is no file; ST_NOMEM. */
enum status input_open(struct dump *d, const char *path, struct input *ret);

/* All of len bytes at an offset; false: the file does not have them. */
bool input_read(const struct input *in, uint64_t at, void *buf, size_t len);

/*
 * Reads ahead: pieces of a file that are asked for one behind the other cost a call for many of
 * them, single ones no more than their bytes.
 */
struct window {
	const struct input *input;
	uint8_t *bytes;
	size_t room;
	uint64_t start, end; /* of what is in bytes */
};

/* room is at least that of the longest piece. */
enum status window_open(struct dump *d, const struct input *in, size_t room, struct window *ret);

/* len bytes at an offset, until the next call; NULL: the file does not have them, or there is no room. */
const uint8_t *window_at(struct window *w, uint64_t at, size_t len);

#endif
