// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/percpu_chunks.h"

#include "dump/structure.h"
#include "modules/module.h"
#include "vm/percpu_lists.h"

#define MAX_CHUNK_PAGES 65536ULL /* of one CPU: 256 MiB */
#define MAX_UNITS 8192		 /* NR_CPUS */

struct chunk {
	uint64_t base, pages, populated, free, end_offset, start_offset;
};

struct walk {
	struct dump *dump;
	struct structure chunk;
	struct field list;
	uint64_t units, first, reserved;
	enum status (*visit)(void *arg, const struct percpu_chunk *chunk);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, chunk, "struct pcpu_chunk"),
	FINDS(struct walk, list, "struct pcpu_chunk", REQUIRED, "all", "list"),
	READS(struct chunk, free, REQUIRED, "4.14", "free_bytes"),
	READS(struct chunk, base, REQUIRED, "all", "base_addr"),
	READS_TO(struct chunk, pages, MAX_CHUNK_PAGES, REQUIRED, "4.14", "nr_pages"),
	READS(struct chunk, populated, REQUIRED, "all", "nr_populated"),
	READS(struct chunk, end_offset, REQUIRED, "4.14", "end_offset"),
	READS(struct chunk, start_offset, REQUIRED, "4.14", "start_offset"),
};

static enum status read_chunk(struct walk *w, uint64_t at, struct chunk *ret)
{
	struct dump *d = w->dump;
	struct chunk c;
	enum status st = struct_read(&w->chunk, at, &c);

	if (st != ST_OK)
		return st;
	if (!c.pages || c.populated > c.pages || c.free > c.pages << d->page_shift ||
	    c.end_offset > c.pages << d->page_shift ||
	    c.start_offset > (c.pages << d->page_shift) - c.end_offset)
		return dump_corrupt(d,
				    "pcpu_chunk at %#lx: %lu pages, %lu populated, %lu bytes free",
				    at, c.pages, c.populated, c.free);
	*ret = c;
	return ST_OK;
}

/* Static variables lie below the reserved chunk and the first that can be allocated from. */
static enum status visit_first(struct walk *w)
{
	struct dump *d = w->dump;
	struct percpu_chunk found = { .is_first = true, .address = w->first };
	struct chunk c, reserved = { 0 };
	uint64_t start, bytes;
	enum status st = dump_value(d, "pcpu_base_addr", &start) ?: read_chunk(w, w->first, &c);

	if (st == ST_OK && w->reserved && w->reserved != w->first)
		st = read_chunk(w, w->reserved, &reserved);
	if (st != ST_OK)
		return st;
	bytes = c.base + (c.pages << d->page_shift) - c.end_offset - start;
	if (c.base < start || bytes > MAX_CHUNK_PAGES << d->page_shift ||
	    c.free + reserved.free > bytes)
		return dump_corrupt(d, "the first per-CPU chunk has %lu bytes", bytes);
	found.base = start;
	found.pages = (bytes >> d->page_shift) * w->units;
	found.used = (bytes - c.free - reserved.free) * w->units;
	return w->visit(w->arg, &found);
}

/* The first chunk is on a list as well. */
static enum status visit_chunk(void *arg, uint64_t at)
{
	struct walk *w = arg;
	struct percpu_chunk found = { .address = at };
	struct chunk c;
	enum status st;

	if (at == w->first)
		return ST_OK;
	st = read_chunk(w, at, &c);
	if (st != ST_OK)
		return st;
	found.base = c.base;
	found.pages = c.populated * w->units;
	found.used = ((c.pages << w->dump->page_shift) - c.free) * w->units;
	return w->visit(w->arg, &found);
}

static enum status open_walk(struct dump *d, struct walk *w)
{
	enum status st = dump_has_both(d, "pcpu_first_chunk", "struct pcpu_chunk") ?:
		STRUCTS_OPEN(d, rows, w) ?: dump_value(d, "pcpu_nr_units", &w->units);

	if (st == ST_OK && (!w->units || w->units > MAX_UNITS))
		st = dump_corrupt(d, "pcpu_nr_units: %lu", w->units);
	return st ?: dump_value(d, "pcpu_first_chunk", &w->first) ?:
			dump_value(d, "pcpu_reserved_chunk", &w->reserved);
}

enum status percpu_chunks_walk(struct dump *d,
			       enum status (*visit)(void *arg, const struct percpu_chunk *chunk),
			       void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct first_problem problem = { 0 };
	enum status st = open_walk(d, &w) ?: first_problem_keep(d, &problem, visit_first(&w)) ?:
		percpu_lists_walk(d, &w.list, visit_chunk, &w);

	return problem.status != ST_OK && st != ST_STOPPED ? first_problem_end(d, &problem) : st;
}

enum status percpu_first_read(struct dump *d, struct percpu_first *ret)
{
	struct walk w = { .dump = d };
	struct percpu_first first = { 0 };
	struct chunk c;
	uint64_t start, bytes;
	enum status st = open_walk(d, &w);

	first.has_reserved = w.reserved && w.reserved != w.first;
	st = st ?: dump_value(d, "pcpu_base_addr", &start);
	st = st ?: read_chunk(&w, first.has_reserved ? w.reserved : w.first, &c);
	if (st != ST_OK)
		return st;
	first.units = w.units;
	first.static_bytes = c.base + c.start_offset - start;
	bytes = (c.pages << d->page_shift) - c.start_offset - c.end_offset;
	if (first.static_bytes > MAX_CHUNK_PAGES << d->page_shift || c.free > bytes)
		return dump_corrupt(d, "the first per-CPU chunk has %lu static bytes",
				    first.static_bytes);
	first.reserved_bytes = first.has_reserved ? bytes : 0;
	first.reserved_used = first.has_reserved ? bytes - c.free : 0;
	*ret = first;
	return ST_OK;
}

static enum status read_module(struct dump *d, const struct field *size, const struct module *m,
			       struct percpu_module *ret)
{
	uint32_t bytes;
	enum status st = dump_u32(d, m->address + size->offset, &bytes, "module");

	if (st != ST_OK)
		return st;
	if (bytes > MAX_CHUNK_PAGES << d->page_shift)
		return dump_corrupt(d, "module %s has %u bytes of per-CPU memory", m->name, bytes);
	*ret = (struct percpu_module){ m->name, bytes };
	return ST_OK;
}

enum status percpu_modules_walk(struct dump *d,
				enum status (*visit)(void *arg, const struct percpu_module *module),
				void *arg)
{
	static const struct layout_row row = {
		"struct module", { "percpu_size" }, REQUIRED, "CONFIG_SMP"
	};
	struct modules modules = { 0 };
	struct percpu_module found;
	struct field size;
	enum status st = modules_open(d, &modules), ret = st;

	if (st != ST_OK && st != ST_UNREADABLE && st != ST_CORRUPT)
		return st;
	/* Built without SMP: theirs are among their other variables. */
	if (!dump_has_symbol(d, "__per_cpu_offset"))
		return ret;
	st = layout_resolve(d, &row, 1, &size);
	if (st != ST_OK)
		return st;
	for (const struct module *m = modules.first; m; m = m->next) {
		st = read_module(d, &size, m, &found);
		if (st == ST_OK && found.bytes)
			st = visit(arg, &found);
		if (st == ST_STOPPED)
			return st;
		if (st != ST_OK)
			ret = st;
	}
	return ret;
}
