// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/percpu_allocations.h"

#include "dump/structure.h"
#include "vm/percpu_lists.h"
#include "util/bits.h"

#define MAX_CHUNK_PAGES 65536 /* as in lib/vm/percpu_chunks.c */
#define UNIT_SHIFT 2	      /* PCPU_MIN_ALLOC_SHIFT: a bit for 4 bytes */

struct chunk {
	uint64_t address, base, pages, bounds, allocated, start_offset, end_offset;
};

struct walk {
	struct dump *dump;
	struct structure chunk;
	struct field list;
	uint64_t first, reserved;
	uint64_t to_percpu; /* to add to an address of the first unit */
	uint8_t *maps;	    /* of a chunk */
	uint64_t room;
	enum status (*visit)(void *arg, const struct percpu_allocation *a);
	void *arg;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, chunk, "struct pcpu_chunk"),
	FINDS(struct walk, list, "struct pcpu_chunk", REQUIRED, "all", "list"),
	READS(struct chunk, base, REQUIRED, "all", "base_addr"),
	READS_TO(struct chunk, pages, MAX_CHUNK_PAGES, REQUIRED, "4.14", "nr_pages"),
	POINTS(struct chunk, bounds, REQUIRED, "4.14", "bound_map"),
	POINTS(struct chunk, allocated, REQUIRED, "4.14", "alloc_map"),
	READS(struct chunk, start_offset, REQUIRED, "4.14", "start_offset"),
	READS(struct chunk, end_offset, REQUIRED, "4.14", "end_offset"),
};

/* What lies outside of both offsets was not given out by the allocator. */
static enum status visit_units(struct walk *w, const struct chunk *c, const uint8_t *bounds,
			       const uint8_t *allocated)
{
	uint64_t end = ((c->pages << w->dump->page_shift) - c->end_offset) >> UNIT_SHIFT;
	enum status st = ST_OK;

	for (uint64_t i = c->start_offset >> UNIT_SHIFT, next; i < end && st == ST_OK; i = next) {
		struct percpu_allocation a = {
			.address = c->base + (i << UNIT_SHIFT) + w->to_percpu,
			.chunk = c->address,
			.is_first = c->address == w->first || c->address == w->reserved,
		};

		for (next = i + 1; next < end && !bit_has(bounds, next);)
			next++;
		a.bytes = (next - i) << UNIT_SHIFT;
		if (bit_has(allocated, i))
			st = w->visit(w->arg, &a);
	}
	return st;
}

static enum status visit_chunk(void *arg, uint64_t at)
{
	struct walk *w = arg;
	struct dump *d = w->dump;
	struct chunk c = { .address = at };
	uint64_t bytes, map;
	enum status st = struct_read(&w->chunk, at, &c);

	if (st != ST_OK)
		return st;
	bytes = c.pages << d->page_shift;
	if (!bytes || c.start_offset > bytes || c.end_offset > bytes - c.start_offset)
		return dump_corrupt(d, "a per-CPU chunk of %lu bytes", bytes);
	map = bytes >> UNIT_SHIFT >> 3;
	if (w->room < 2 * map) {
		w->room = 2 * map;
		w->maps = dump_alloc(d, w->room);
	}
	st = dump_read(d, c.bounds, w->maps, map, "bound_map")
		     ?: dump_read(d, c.allocated, w->maps + map, map, "alloc_map");
	return st ?: visit_units(w, &c, w->maps, w->maps + map);
}

enum status percpu_allocations_walk(struct dump *d,
				    enum status (*visit)(void *arg,
							 const struct percpu_allocation *a),
				    void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	struct first_problem problem = { 0 };
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: dump_value(d, "pcpu_first_chunk", &w.first) ?:
		dump_value(d, "pcpu_reserved_chunk", &w.reserved) ?:
		percpu_distance(d, &w.to_percpu);

	if (st != ST_OK)
		return st;
	/* It is on no list. */
	if (w.reserved && w.reserved != w.first)
		st = first_problem_keep(d, &problem, visit_chunk(&w, w.reserved));
	return st ?: percpu_lists_walk(d, &w.list, visit_chunk, &w) ?:
		first_problem_end(d, &problem);
}
