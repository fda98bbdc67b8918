// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/window.h"

enum status window_open(struct dump *d, const struct input *in, bool table, size_t room,
			struct window *ret)
{
	*ret = (struct window){
		.input = in, .table = table, .bytes = dump_alloc(d, room), .room = room
	};
	return ret->bytes ? ST_OK : ST_NOMEM;
}

static bool fill(struct window *w, uint64_t at, size_t n)
{
	w->start = at;
	w->end = at;
	w->ahead = n;
	if (!(w->table ? input_read_table : input_read)(w->input, at, w->bytes, n))
		return false;
	w->end = at + n;
	return true;
}

/* Twice as much each time that the last bytes were read to their end. */
static size_t much(const struct window *w, uint64_t at, size_t len)
{
	uint64_t rest = w->input->size - at;
	size_t want = len;

	if (at >= w->start && at - w->start <= 2 * w->ahead)
		want = 2 * w->ahead;
	want = want < len ? len : want > w->room ? w->room : want;
	return want < rest ? want : rest;
}

const uint8_t *window_at(struct window *w, uint64_t at, size_t len)
{
	uint64_t size = w->input->size;

	if (at > size || len > size - at || len > w->room)
		return NULL;
	if (at >= w->start && at < w->end && len <= w->end - at)
		return w->bytes + (at - w->start);
	/* What is ahead may not be there; these bytes may be nevertheless. */
	if (!fill(w, at, much(w, at, len)) && !fill(w, at, len))
		return NULL;
	return w->bytes;
}
