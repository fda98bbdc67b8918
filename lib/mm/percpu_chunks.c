// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/percpu_chunks.h"

#include "dump/layout.h"
#include "kernel/module.h"
#include "util/hash_u64.h"

#define MAX_SLOTS 256	  /* of chunk lists, for each type of chunk */
#define MAX_TYPES 4	  /* 5.9 to 5.13 have lists of chunks that memcg charges */
#define MAX_CHUNKS 100000 /* in all lists */
#define MAX_CHUNK_PAGES 65536ULL
#define MAX_UNITS 8192 /* NR_CPUS */
#define CHUNK_BYTES 1024

enum { C_LIST, C_FREE, C_BASE, C_PAGES, C_POPULATED, C_END, C_START, C_FIELDS };

static const struct layout_row rows[C_FIELDS] = {
	[C_LIST] = { "struct pcpu_chunk", { "list" }, REQUIRED, "all" },
	[C_FREE] = { "struct pcpu_chunk", { "free_bytes" }, REQUIRED, "4.14" },
	[C_BASE] = { "struct pcpu_chunk", { "base_addr" }, REQUIRED, "all" },
	[C_PAGES] = { "struct pcpu_chunk", { "nr_pages" }, REQUIRED, "4.14" },
	[C_POPULATED] = { "struct pcpu_chunk", { "nr_populated" }, REQUIRED, "all" },
	[C_END] = { "struct pcpu_chunk", { "end_offset" }, REQUIRED, "4.14" },
	[C_START] = { "struct pcpu_chunk", { "start_offset" }, REQUIRED, "4.14" },
};

struct chunk {
	uint64_t next, base, pages, populated, free, end_offset, start_offset;
};

struct walk {
	struct dump *dump;
	struct field f[C_FIELDS];
	uint64_t units, first, reserved;
	struct hash_u64 seen;
	enum status problem;
	const char *text;
	enum status (*visit)(void *arg, const struct percpu_chunk *chunk);
	void *arg;
};

static enum status read_chunk(struct walk *w, uint64_t at, struct chunk *ret)
{
	struct dump *d = w->dump;
	uint8_t raw[CHUNK_BYTES];
	enum status st = dump_read(d, at, raw, layout_span(w->f, C_FIELDS), "pcpu_chunk");
	struct chunk c;

	if (st != ST_OK)
		return st;
	c.next = le64(raw + w->f[C_LIST].offset);
	c.base = field_get(&w->f[C_BASE], raw);
	c.pages = field_get(&w->f[C_PAGES], raw);
	c.populated = field_get(&w->f[C_POPULATED], raw);
	c.free = field_get(&w->f[C_FREE], raw);
	c.end_offset = field_get(&w->f[C_END], raw);
	c.start_offset = field_get(&w->f[C_START], raw);
	if (!c.pages || c.pages > MAX_CHUNK_PAGES || c.populated > c.pages ||
	    c.free > c.pages << d->page_shift || c.end_offset > c.pages << d->page_shift ||
	    c.start_offset > (c.pages << d->page_shift) - c.end_offset)
		return dump_fail(d, ST_CORRUPT,
				 "pcpu_chunk at %#llx: %llu pages, %llu populated, %llu bytes free",
				 (unsigned long long)at, (unsigned long long)c.pages,
				 (unsigned long long)c.populated, (unsigned long long)c.free);
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
	enum status st = dump_value(d, "pcpu_base_addr", &start);

	if (st == ST_OK)
		st = read_chunk(w, w->first, &c);
	if (st == ST_OK && w->reserved && w->reserved != w->first)
		st = read_chunk(w, w->reserved, &reserved);
	if (st != ST_OK)
		return st;
	bytes = c.base + (c.pages << d->page_shift) - c.end_offset - start;
	if (c.base < start || bytes > MAX_CHUNK_PAGES << d->page_shift ||
	    c.free + reserved.free > bytes)
		return dump_fail(d, ST_CORRUPT, "the first per-CPU chunk has %llu bytes",
				 (unsigned long long)bytes);
	found.pages = (bytes >> d->page_shift) * w->units;
	found.used = (bytes - c.free - reserved.free) * w->units;
	return w->visit(w->arg, &found);
}

static enum status keep_going(struct walk *w, enum status st)
{
	if (st != ST_UNREADABLE && st != ST_CORRUPT)
		return st;
	if (w->problem == ST_OK) {
		w->problem = st;
		w->text = arena_strdup(w->dump->arena, w->dump->error);
	}
	return ST_OK;
}

static enum status walk_list(struct walk *w, uint64_t head)
{
	struct dump *d = w->dump;
	uint64_t node;
	bool is_new;
	enum status st = dump_u64(d, head, &node, "pcpu_chunk_lists");

	while (st == ST_OK && node != head) {
		uint64_t at = node - w->f[C_LIST].offset;
		struct percpu_chunk found = { .address = at };
		struct chunk c;

		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		if (!hash_u64_get(&w->seen, node, &is_new))
			return dump_no_memory(d);
		if (!is_new || w->seen.n > MAX_CHUNKS)
			return dump_fail(d, ST_CORRUPT, "per-CPU chunks without end");
		st = read_chunk(w, at, &c);
		if (st != ST_OK)
			break;
		node = c.next;
		if (at == w->first)
			continue;
		found.pages = c.populated * w->units;
		found.used = ((c.pages << d->page_shift) - c.free) * w->units;
		st = w->visit(w->arg, &found);
	}
	return st;
}

static enum status walk_lists(struct walk *w)
{
	struct dump *d = w->dump;
	uint64_t lists = 0, slots = 0;
	int64_t types = 1;
	enum status st = dump_value(d, "pcpu_chunk_lists", &lists);

	if (st == ST_OK)
		st = dump_value(d, "pcpu_nr_slots", &slots);
	if (d->ops->enumerator(d->priv, "PCPU_NR_CHUNK_TYPES", &types) != ST_OK)
		types = 1;
	if (st == ST_OK && (slots > MAX_SLOTS || types < 1 || types > MAX_TYPES))
		st = dump_fail(d, ST_CORRUPT, "%llu lists of per-CPU chunks",
			       (unsigned long long)slots);
	for (uint64_t i = 0; st == ST_OK && i < slots * (uint64_t)types; i++)
		st = keep_going(w, walk_list(w, lists + 16 * i));
	return st;
}

static enum status open_walk(struct dump *d, struct walk *w)
{
	enum status st;

	if (!dump_has_symbol(d, "pcpu_first_chunk"))
		return dump_fail(d, ST_ABSENT, "this kernel has no pcpu_first_chunk");
	hash_u64_init(&w->seen, d->arena, 1);
	st = layout_resolve(d, rows, C_FIELDS, w->f);
	if (st == ST_OK && (layout_span(w->f, C_FIELDS) > CHUNK_BYTES || w->f[C_LIST].size != 16))
		st = dump_fail(d, ST_UNKNOWN, "unknown layout: struct pcpu_chunk");
	if (st == ST_OK)
		st = dump_value(d, "pcpu_nr_units", &w->units);
	if (st == ST_OK && (!w->units || w->units > MAX_UNITS))
		st = dump_fail(d, ST_CORRUPT, "pcpu_nr_units: %llu", (unsigned long long)w->units);
	if (st == ST_OK)
		st = dump_value(d, "pcpu_first_chunk", &w->first);
	if (st == ST_OK)
		st = dump_value(d, "pcpu_reserved_chunk", &w->reserved);
	return st;
}

enum status percpu_chunks_walk(struct dump *d,
			       enum status (*visit)(void *arg, const struct percpu_chunk *chunk),
			       void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	enum status st;

	st = open_walk(d, &w);
	if (st == ST_OK)
		st = keep_going(&w, visit_first(&w));
	if (st == ST_OK)
		st = walk_lists(&w);
	return st == ST_OK && w.problem != ST_OK
		       ? dump_fail(d, w.problem, "%s", w.text ? w.text : "")
		       : st;
}

enum status percpu_first_read(struct dump *d, struct percpu_first *ret)
{
	struct walk w = { .dump = d };
	struct percpu_first first = { 0 };
	struct chunk c;
	uint64_t start, bytes;
	enum status st = open_walk(d, &w);

	first.has_reserved = w.reserved && w.reserved != w.first;
	if (st == ST_OK)
		st = dump_value(d, "pcpu_base_addr", &start);
	if (st == ST_OK)
		st = read_chunk(&w, first.has_reserved ? w.reserved : w.first, &c);
	if (st != ST_OK)
		return st;
	first.units = w.units;
	first.static_bytes = c.base + c.start_offset - start;
	bytes = (c.pages << d->page_shift) - c.start_offset - c.end_offset;
	if (first.static_bytes > MAX_CHUNK_PAGES << d->page_shift || c.free > bytes)
		return dump_fail(d, ST_CORRUPT, "the first per-CPU chunk has %llu static bytes",
				 (unsigned long long)first.static_bytes);
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
		return dump_fail(d, ST_CORRUPT, "module %s has %u bytes of per-CPU memory", m->name,
				 bytes);
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
	st = layout_resolve(d, &row, 1, &size);
	if (st != ST_OK)
		return st;
	for (const struct module *m = modules.first; m; m = m->next) {
		st = read_module(d, &size, m, &found);
		if (st == ST_OK && found.bytes)
			st = visit(arg, &found);
		if (st == ST_NOMEM || st == ST_STOPPED)
			return st;
		if (st != ST_OK)
			ret = st;
	}
	return ret;
}
