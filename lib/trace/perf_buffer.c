// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/perf_buffer.h"

#define MAX_PAGES (1U << 24) /* of one buffer: 64 GiB */
#define MAX_ORDER 20	     /* a buffer of that is of one area of 4 GiB */

struct buffer {
	uint32_t pages, order, aux_pages;
	uint64_t state, aux;
};

/* To 5.6 ftrace has a struct ring_buffer as well: the event points to that of perf. */
#define OF_EVENT "struct perf_event.rb"
static const struct layout_row rows[] = {
	FINDS(struct perf_buffers, file_event, "struct file", REQUIRED, "all", "private_data"),
	FINDS(struct perf_buffers, event_buffer, "struct perf_event", REQUIRED, "all", "rb"),
	FINDS(struct perf_buffers, data_pages, OF_EVENT, REQUIRED, "all", "data_pages"),
	STRUCTURE(struct perf_buffers, buffer, OF_EVENT),
	READS(struct buffer, pages, REQUIRED, "all", "nr_pages"),
	READS(struct buffer, order, OPTIONAL, "CONFIG_PERF_USE_VMALLOC", "page_order"),
	POINTS(struct buffer, state, REQUIRED, "all", "user_page"),
	READS(struct buffer, aux_pages, OPTIONAL, "4.1", "aux_nr_pages"),
	READS(struct buffer, aux, OPTIONAL, "4.1", "aux_pages"),
};

enum status perf_buffers_find(struct dump *d, struct perf_buffers *ret)
{
	struct perf_buffers b = { .dump = d };
	enum status st = dump_built_with(d, "CONFIG_PERF_EVENTS", "perf_fops", "struct perf_event");

	st = st ?: STRUCTS_OPEN(d, rows, &b) ?: dump_symbol(d, "perf_fops", &b.operations);
	return RESULT(st, ret, b);
}

enum status perf_buffer_of_file(const struct perf_buffers *b, uint64_t file, uint64_t *ret)
{
	uint64_t event;

	return dump_u64(b->dump, file + b->file_event.offset, &event, "file")
		       ?: dump_u64(b->dump, event + b->event_buffer.offset, ret, "perf_event");
}

/* With page_order the one data page has all of them, in an area of vmalloc (rb_alloc()). */
static enum status visit_parts(const struct perf_buffers *b, uint64_t at, const struct buffer *r,
			       const struct memory_parts *v)
{
	const char *what = "pages of a buffer of perf";
	struct dump *d = b->dump;
	uint64_t bytes = dump_page_size(d);

	return v->part(v->arg, r->state, bytes)
		       ?: memory_parts_array(d, at + b->data_pages.offset, r->pages,
					     bytes << r->order, what, v)
		       ?: memory_parts_array(d, r->aux, r->aux_pages, bytes, what, v);
}

enum status perf_buffer_walk(const struct perf_buffers *b, uint64_t buffer,
			     const struct memory_parts *v)
{
	struct dump *d = b->dump;
	struct memory_holder h = { .address = buffer, .counter = "perf_buffer.nr_pages" };
	struct first_problem problem = { 0 };
	struct buffer r = { 0 };
	enum status st = struct_read(&b->buffer, buffer, &r);

	if (st == ST_OK && (r.pages > MAX_PAGES || r.aux_pages > MAX_PAGES || r.order > MAX_ORDER ||
			    (uint64_t)r.pages << r.order > MAX_PAGES))
		st = dump_corrupt(d, "a buffer of perf at %#lx has %u pages, %u of AUX", buffer,
				  r.pages, r.aux_pages);
	if (st != ST_OK)
		return st;
	h.counted.known = true;
	h.counted.n = (1 + ((uint64_t)r.pages << r.order) + r.aux_pages) << d->page_shift;
	return first_problem_keep(d, &problem, visit_parts(b, buffer, &r, v)) ?:
		       v->holder(v->arg, &h)				      ?:
		       first_problem_end(d, &problem);
}
