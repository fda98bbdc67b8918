// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_stream.h"

/* Clocks whose values can be compared: those of the log with the same offset, and namesakes. */
static bool same_clock(const struct trace_clock *a, const struct trace_clock *b)
{
	return a == b || (a->is_sched && b->is_sched && a->log_offset == b->log_offset) ||
	       (a->name && b->name && !strcmp(a->name, b->name));
}

static void open_buffer(struct trace_stream *s, const struct trace_arrays *arrays, size_t i,
			bool is_snapshot)
{
	const struct trace_array *a = &arrays->at[i];
	struct trace_buffer_of *b = &s->buffers[s->nbuffers];
	uint64_t address = is_snapshot ? a->snapshot : a->buffer;

	if (!address)
		return;
	*b = (struct trace_buffer_of){ .array = a, .is_snapshot = is_snapshot };
	while (!same_clock(&arrays->at[b->clock].clock, &a->clock))
		b->clock++;
	b->open = ring_buffer_open(s->dump, &s->layout, address, &b->ring) == ST_OK;
	if (!b->open)
		b->problem = dump_why(s->dump);
	s->nbuffers++;
}

static bool before(const struct trace_ring *a, const struct trace_ring *b)
{
	if (a->buffer->clock != b->buffer->clock)
		return a->buffer->clock < b->buffer->clock;
	if (a->record.ts != b->record.ts)
		return a->record.ts < b->record.ts;
	/* As the trace file has it: of two at the same time, the lower CPU's first. */
	return a->buffer != b->buffer ? a->buffer < b->buffer : a->cpu < b->cpu;
}

static void swap(struct trace_ring **a, struct trace_ring **b)
{
	struct trace_ring *t = *a;

	*a = *b;
	*b = t;
}

static void sift_up(struct trace_stream *s, size_t i)
{
	for (; i && before(s->heap[i], s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&s->heap[i], &s->heap[(i - 1) / 2]);
}

static void sift_down(struct trace_stream *s, size_t i)
{
	for (;;) {
		size_t least = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < s->nheap; k++)
			if (before(s->heap[k], s->heap[least]))
				least = k;
		if (least == i)
			return;
		swap(&s->heap[i], &s->heap[least]);
		i = least;
	}
}

static enum status open_ring(struct trace_stream *s, const struct trace_buffer_of *b,
			     unsigned int cpu, bool all)
{
	struct dump *d = s->dump;
	struct trace_ring *r = dump_alloc(d, sizeof(*r));
	enum status st;

	r->buffer = b;
	r->cpu = cpu;
	st = ring_cpu_open(&b->ring, cpu, &r->ring);
	if (st == ST_STOPPED)
		return st;
	if (st == ST_ABSENT)
		return ST_OK;
	s->rings[s->nrings++] = r;
	if (st != ST_OK) {
		r->problem = dump_why(d);
		return ST_OK;
	}
	r->open = true;
	ring_cursor_start(&r->cursor, &r->ring, all);
	if (ring_cursor_next(&r->cursor, &r->record, &r->doubt)) {
		s->heap[s->nheap++] = r;
		sift_up(s, s->nheap - 1);
	}
	return ST_OK;
}

enum status trace_stream_open(struct dump *d, const struct trace_arrays *arrays, bool all,
			      struct trace_stream *s)
{
	size_t most = 0;
	enum status st;

	*s = (struct trace_stream){ .dump = d };
	st = ring_layout_open(d, &s->layout);
	if (st != ST_OK)
		return st;
	s->buffers = dump_alloc(d, (2 * arrays->n + 1) * sizeof(*s->buffers));
	for (size_t i = 0; i < arrays->n; i++) {
		open_buffer(s, arrays, i, false);
		if (!arrays->at[i].snapshot_unused)
			open_buffer(s, arrays, i, true);
	}
	for (size_t i = 0; i < s->nbuffers; i++)
		most += s->buffers[i].open ? s->buffers[i].ring.ncpus : 0;
	s->rings = dump_alloc(d, (most + 1) * sizeof(struct trace_ring *));
	s->heap = dump_alloc(d, (most + 1) * sizeof(struct trace_ring *));
	for (size_t i = 0; i < s->nbuffers && st == ST_OK; i++)
		for (unsigned int cpu = 0;
		     st == ST_OK && s->buffers[i].open && cpu < s->buffers[i].ring.ncpus; cpu++)
			st = open_ring(s, &s->buffers[i], cpu, all);
	return st == ST_STOPPED ? ST_OK : st;
}

struct trace_ring *trace_stream_next(struct trace_stream *s)
{
	struct trace_ring *r = s->last;

	/* The record that was handed out last is done with. */
	if (r) {
		if (!ring_cursor_next(&r->cursor, &r->record, &r->doubt))
			s->heap[0] = s->heap[--s->nheap];
		sift_down(s, 0);
	}
	s->last = s->nheap && !dump_stopped(s->dump) ? s->heap[0] : NULL;
	return s->last;
}
