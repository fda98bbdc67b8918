// SPDX-License-Identifier: GPL-2.0-or-later
#include "file/flat_index.h"

#include <endian.h>
#include <stdlib.h>

/* Bytes before the first record. */
#define HEADER_BYTES 4096
/* Offset and length of the record behind the last. */
#define END_MARK UINT64_MAX

struct record {
	uint64_t start, bytes; /* of the file that it stands for */
	uint64_t at;	       /* in the flattened one: a later record stands further on */
};

/* Of malloc(), as it grows. */
struct flat_index {
	struct record *records; /* by start; they do not overlap */
	size_t n, room;
};

static void free_records(void *arg)
{
	struct flat_index *f = arg;

	free(f->records);
	f->records = NULL;
}

static bool append(struct flat_index *f, struct record r)
{
	if (f->n == f->room) {
		size_t room = f->room ? 2 * f->room : 1024;
		struct record *more = reallocarray(f->records, room, sizeof(*more));

		if (!more)
			return false;
		f->records = more;
		f->room = room;
	}
	f->records[f->n++] = r;
	return true;
}

static enum status read_records(struct dump *d, const struct raw_file *in, struct flat_index *f,
				bool *ended)
{
	uint64_t at = HEADER_BYTES, header[2];

	*ended = false;
	while (raw_file_read(in, at, header, sizeof(header))) {
		uint64_t start = be64toh(header[0]), bytes = be64toh(header[1]);
		uint64_t room = in->size - at - sizeof(header);

		if (start == END_MARK && bytes == END_MARK) {
			*ended = true;
			break;
		}
		at += sizeof(header);
		/* One that cannot be, or is cut off: what follows is not known. */
		if (!bytes || !room || start > INT64_MAX || bytes > INT64_MAX - start)
			break;
		if (!append(f, (struct record){ start, bytes < room ? bytes : room, at }))
			return dump_no_memory(d);
		if (bytes > room)
			break;
		at += bytes;
	}
	return ST_OK;
}

ORDER_BY(by_start, struct record, COMPARE(x->start, y->start) ?: COMPARE(x->at, y->at))

static bool overlap(const struct flat_index *f)
{
	for (size_t i = 1; i < f->n; i++)
		if (f->records[i].start - f->records[i - 1].start < f->records[i - 1].bytes)
			return true;
	return false;
}

/* Records that have begun, the latest of the file at the top. */
struct heap {
	struct record *all;
	size_t n;
};

static void sift_down(struct heap *h)
{
	for (size_t i = 0, child; (child = 2 * i + 1) < h->n; i = child) {
		struct record r = h->all[i];

		if (child + 1 < h->n && h->all[child + 1].at > h->all[child].at)
			child++;
		if (h->all[child].at <= r.at)
			break;
		h->all[i] = h->all[child];
		h->all[child] = r;
	}
}

static void push(struct heap *h, struct record r)
{
	size_t i = h->n++;

	for (; i && h->all[(i - 1) / 2].at < r.at; i = (i - 1) / 2)
		h->all[i] = h->all[(i - 1) / 2];
	h->all[i] = r;
}

static void pop(struct heap *h)
{
	h->all[0] = h->all[--h->n];
	sift_down(h);
}

/*
 * Each byte is that of the latest record which has it.  From one place where a record begins or the
 * top ends to the next, the top of the heap is what counts: at most two pieces for each record.
 */
static bool cut_overlaps(const struct flat_index *in, struct heap *h, struct flat_index *out)
{
	uint64_t now = 0;

	for (size_t i = 0; i < in->n || h->n;) {
		const struct record *top = h->all;
		uint64_t end;

		while (h->n && top->start + top->bytes <= now)
			pop(h);
		if (!h->n && i == in->n)
			break;
		if (!h->n)
			now = in->records[i].start;
		for (; i < in->n && in->records[i].start <= now; i++)
			push(h, in->records[i]);
		end = top->start + top->bytes;
		if (i < in->n && in->records[i].start < end)
			end = in->records[i].start;
		if (end > now &&
		    !append(out, (struct record){ now, end - now, top->at + (now - top->start) }))
			return false;
		now = end > now ? end : now;
	}
	return true;
}

static enum status resolve(struct dump *d, struct flat_index *f)
{
	struct flat_index out = { 0 };
	struct heap h = { .all = reallocarray(NULL, f->n, sizeof(*h.all)) };
	bool ok = h.all && cut_overlaps(f, &h, &out);

	free(h.all);
	if (!ok) {
		free(out.records);
		return dump_no_memory(d);
	}
	free(f->records);
	*f = out;
	return ST_OK;
}

enum status flat_index_open(struct dump *d, const struct raw_file *in,
			    const struct flat_index **ret, uint64_t *size, bool *ended)
{
	struct flat_index *f = dump_alloc(d, sizeof(*f));
	enum status st;

	arena_at_reset(d->arena, free_records, f);
	st = read_records(d, in, f, ended);
	if (st != ST_OK)
		return st;
	if (!f->n)
		return dump_fail(d, ST_CORRUPT, "%s: a flattened file without a record", in->path);
	qsort(f->records, f->n, sizeof(*f->records), by_start);
	if (overlap(f))
		st = resolve(d, f);
	if (st != ST_OK)
		return st;
	*size = f->records[f->n - 1].start + f->records[f->n - 1].bytes;
	*ret = f;
	return ST_OK;
}

struct flat_run flat_index_at(const struct flat_index *f, uint64_t at)
{
	/* The first record that ends behind it. */
	size_t low = COUNT_FRONT(i, f->n, f->records[i].start + f->records[i].bytes <= at);

	if (low == f->n)
		return (struct flat_run){ 0, UINT64_MAX - at, true };
	if (f->records[low].start > at)
		return (struct flat_run){ 0, f->records[low].start - at, true };
	return (struct flat_run){ f->records[low].at + (at - f->records[low].start),
				  f->records[low].bytes - (at - f->records[low].start), false };
}
