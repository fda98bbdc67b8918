// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/window.h"

void window_open(struct dump *d, const struct input *in, size_t room, struct window *ret)
{
	struct window w = { .input = in, .room = room };

	for (unsigned int i = 0; i < WINDOW_STREAMS; i++) {
		w.streams[i].bytes = dump_alloc(d, room);
	}
	*ret = w;
}

static bool fill(const struct window *w, struct window_stream *s, uint64_t at, size_t n)
{
	s->start = at;
	s->end = at;
	s->ahead = n;
	if (!input_read(w->input, at, s->bytes, n))
		return false;
	s->end = at + n;
	return true;
}

/* Whether a piece is in the bytes of a stream, or goes on from them. */
static bool goes_on(const struct window_stream *s, uint64_t at)
{
	return s->end && at >= s->start && at - s->start <= 2 * s->ahead;
}

static struct window_stream *find(struct window *w, uint64_t at)
{
	struct window_stream *oldest = w->streams;

	for (unsigned int i = 0; i < WINDOW_STREAMS; i++) {
		if (goes_on(&w->streams[i], at))
			return &w->streams[i];
		if (w->streams[i].last < oldest->last)
			oldest = &w->streams[i];
	}
	return oldest;
}

/* Twice as much each time that the last bytes were read to their end. */
static size_t much(const struct window *w, const struct window_stream *s, uint64_t at, size_t len)
{
	uint64_t rest = w->input->size - at;
	size_t want = goes_on(s, at) ? 2 * s->ahead : len;

	want = want < len ? len : want > w->room ? w->room : want;
	return want < rest ? want : rest;
}

const uint8_t *window_at(struct window *w, uint64_t at, size_t len)
{
	uint64_t size = w->input->size;
	struct window_stream *s;

	if (at > size || len > size - at || len > w->room)
		return NULL;
	s = find(w, at);
	s->last = ++w->used;
	if (at >= s->start && at < s->end && len <= s->end - at)
		return s->bytes + (at - s->start);
	/* What is ahead may not be there; these bytes may be nevertheless. */
	if (!fill(w, s, at, much(w, s, at, len)) && !fill(w, s, at, len))
		return NULL;
	return s->bytes;
}
