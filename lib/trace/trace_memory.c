// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/trace_memory.h"

#include "trace/event_reader.h"

#define MAX_GROUPS (1U << 16)	/* of records: one, or some, for vmlinux and for each module */
#define MAX_ORDER 10		/* MAX_ORDER of the page allocator: 10 or 11 to its end */
#define MAX_NAMES (1U << 17)	/* saved_cmdlines_size takes no more than PID_MAX_DEFAULT */
#define MOST_PAGES (1ULL << 40) /* bytes of them fit 64 bits */

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct ring_layout layout;
	struct first_problem problem;
};

static enum status visit_subbuf(struct walk *w, const struct ring_buffer *b, uint64_t page)
{
	struct buffer_page read;
	enum status st = struct_read(&b->layout->page, page, &read);

	return st == ST_OK ? w->v->part(w->v->arg, read.data, b->subbuf)
			   : first_problem_keep(w->dump, &w->problem, st);
}

static enum status visit_cpu(struct walk *w, const struct ring_buffer *b, const struct ring_cpu *c)
{
	enum status st = visit_subbuf(w, b, c->reader);

	for (size_t i = 0; i < c->found && st == ST_OK; i++)
		st = visit_subbuf(w, b, c->ring[i]);
	if (st == ST_OK && c->spare)
		st = w->v->part(w->v->arg, c->spare, b->subbuf);
	if (st == ST_OK && c->found != c->nr_pages)
		st = first_problem_keep(
			w->dump, &w->problem,
			dump_fail(w->dump, c->damage & RING_HOLE ? ST_UNREADABLE : ST_CORRUPT,
				  "%zu of %lu sub-buffers of CPU %u were found", c->found,
				  c->nr_pages, c->cpu));
	return st;
}

static enum status visit_buffer(struct walk *w, uint64_t address, const char *name)
{
	struct memory_holder h = {
		.address = address,
		.name = name,
		.counted.known = true,
		.counter = "ring_buffer_per_cpu.nr_pages",
		.release = "a lower buffer_size_kb of it in tracefs, or rmdir(1) of "
			   "its directory below instances"
	};
	struct ring_buffer b = { 0 };
	struct ring_cpu c;
	enum status st = ring_buffer_open(w->dump, &w->layout, address, &b);

	if (st != ST_OK)
		return first_problem_keep(w->dump, &w->problem, st);
	for (unsigned int cpu = 0; cpu < b.ncpus && st == ST_OK; cpu++) {
		st = ring_cpu_open(&b, cpu, &c);
		if (st == ST_ABSENT) {
			st = ST_OK;
		} else if (st == ST_OK) {
			h.counted.n += (c.nr_pages + 1 + (c.spare != 0)) * b.subbuf;
			st = visit_cpu(w, &b, &c);
		} else {
			h.counted.known = false;
			h.is_cut = true;
			st = first_problem_keep(w->dump, &w->problem, st);
		}
	}
	return st ?: w->v->holder(w->v->arg, &h);
}

/* Events that a filter may discard are written to a buffer of their own (trace_event_buffer_lock_reserve()). */
static enum status visit_temporary(struct walk *w)
{
	struct dump *d = w->dump;
	struct ring_buffer b;
	uint64_t at, cpu, back;

	if (!dump_has_symbol(d, "temp_buffer") || dump_symbol(d, "temp_buffer", &at) != ST_OK ||
	    dump_u64(d, at, &at, "temp_buffer") != ST_OK || !at ||
	    ring_buffer_open(d, &w->layout, at, &b) != ST_OK ||
	    dump_u64(d, b.cpus, &cpu, "trace_buffer.buffers") != ST_OK ||
	    dump_u64(d, cpu + w->layout.back.offset, &back, "ring_buffer_per_cpu") != ST_OK)
		return ST_OK;
	/* Another variable may have that name. */
	return back == at ? visit_buffer(w, at, "temp_buffer") : ST_OK;
}

enum status trace_buffers_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct trace_arrays all;
	enum status st = trace_arrays_open(d, &all) ?: ring_layout_open(d, &w.layout);

	for (size_t i = 0; st == ST_OK && i < all.n; i++) {
		const struct trace_array *a = &all.at[i];

		if (a->buffer)
			st = visit_buffer(&w, a->buffer, a->name);
		if (st == ST_OK && a->snapshot)
			st = visit_buffer(&w, a->snapshot, dump_text(d, "%s (snapshot)", a->name));
	}
	st = st ?: visit_temporary(&w);
	if (st == ST_OK && all.problem)
		st = first_problem_keep(d, &w.problem, dump_unreadable(d, "%s", all.problem));
	return st ?: first_problem_end(d, &w.problem);
}

struct cmdlines {
	uint32_t n;
};

struct saved {
	struct structure buffer;
	struct field names;
};

static const struct layout_row saved_rows[] = {
	STRUCTURE(struct saved, buffer, "struct saved_cmdlines_buffer"),
	READS(struct cmdlines, n, REQUIRED, "3.17", "cmdline_num"),
	FINDS(struct saved, names, "struct saved_cmdlines_buffer", REQUIRED, "3.17",
	      "saved_cmdlines"),
};

enum status saved_names_walk(struct dump *d, const struct memory_parts *v)
{
	struct memory_holder h = { .name = "names of tasks" };
	uint64_t page = dump_page_size(d), bytes, all = page;
	struct cmdlines c = { 0 };
	struct saved s = { 0 };
	enum status st = dump_has_both(d, "savedcmd", "struct saved_cmdlines_buffer");

	st = st ?: dump_value(d, "savedcmd", &h.address);
	if (st == ST_OK && !h.address)
		st = ST_ABSENT;
	st = st ?: STRUCTS_OPEN(d, saved_rows, &s);
	if (st == ST_OK && s.names.kind == KIND_POINTER)
		st = dump_absent(d, "names of tasks are in memory of kmalloc()");
	st = st ?: struct_read(&s.buffer, h.address, &c);
	if (st == ST_OK &&
	    (dump_ask(d, type_size, s.buffer.type, &bytes) != ST_OK || c.n > MAX_NAMES))
		st = dump_corrupt(d, "%u saved names of tasks", c.n);
	if (st != ST_OK)
		return st;
	/* allocate_cmdlines_buffer() fills a block of the allocator with names. */
	while (all < bytes + c.n * (uint64_t)SAVED_COMM)
		all *= 2;
	return v->part(v->arg, h.address, all) ?: v->holder(v->arg, &h);
}

/* A struct ftrace_page, kernel/trace/ftrace.c. */
struct group {
	uint64_t next, records;
	uint32_t order, size;
	bool has_order;
};

struct groups {
	struct structure group;
	uint64_t record_bytes;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct groups, group, "struct ftrace_page"),
	POINTS(struct group, next, REQUIRED, "all", "next"),
	POINTS(struct group, records, REQUIRED, "all", "records"),
	READS_IF(struct group, order, has_order, OPTIONAL, "5.12", "order"),
	READS(struct group, size, OPTIONAL, "to 5.11", "size"),
};

/* Up to 5.11 a group has the number of its records alone, which may leave the last pages of it out. */
static enum status visit_group(struct dump *d, const struct groups *all, const struct group *g,
			       const struct memory_parts *v)
{
	uint64_t page = dump_page_size(d);

	if (!g->records)
		return ST_OK;
	if (g->order > MAX_ORDER || g->size > (page << MAX_ORDER) / all->record_bytes)
		return dump_corrupt(d, "ftrace_page with records at %#lx has order %u", g->records,
				    g->order);
	return v->part(v->arg, g->records,
		       g->has_order ? page << g->order : g->size * all->record_bytes);
}

static enum status visit_groups(struct dump *d, const struct groups *all, uint64_t at,
				const struct memory_parts *v)
{
	enum status st = ST_OK;
	struct hash_u64 seen;

	hash_u64_init(&seen, d->arena, 0);
	while (st == ST_OK && at) {
		struct group g = { 0 };

		if (dump_stopped(d))
			return ST_STOPPED;
		st = hash_u64_add(&seen, at) && seen.n <= MAX_GROUPS
			     ? struct_read(&all->group, at, &g)
			     : dump_corrupt(d, "ftrace_pages_start has no end");
		st = st ?: visit_group(d, all, &g, v);
		at = g.next;
	}
	return st;
}

enum status ftrace_records_walk(struct dump *d, const struct memory_parts *v)
{
	struct memory_holder h = { .name = "functions that can be traced",
				   .counter = "ftrace_number_of_pages" };
	struct first_problem problem = { 0 };
	struct groups all = { 0 };
	uint64_t start, n;
	enum status st = dump_built_with(d, "CONFIG_DYNAMIC_FTRACE", "ftrace_pages_start",
					 "struct ftrace_page");

	st = st ?: STRUCTS_OPEN(d, rows, &all) ?: dump_symbol(d, "ftrace_pages_start", &start) ?:
			dump_u64(d, start, &h.address, "ftrace_pages_start");
	if (st == ST_OK &&
	    (dump_ask(d, type_size, "struct dyn_ftrace", &all.record_bytes) != ST_OK ||
	     !all.record_bytes))
		st = dump_unknown(d, "struct dyn_ftrace");
	if (st != ST_OK)
		return st;
	/* Since 5.7. */
	if (dump_has_symbol(d, "ftrace_number_of_pages") &&
	    dump_symbol(d, "ftrace_number_of_pages", &n) == ST_OK &&
	    dump_u64(d, n, &n, "ftrace_number_of_pages") == ST_OK && n <= MOST_PAGES)
		h.counted = (struct maybe_u64){ n << d->page_shift, true };
	return first_problem_keep(d, &problem, visit_groups(d, &all, h.address, v)) ?:
		       v->holder(v->arg, &h)					    ?:
		       first_problem_end(d, &problem);
}
