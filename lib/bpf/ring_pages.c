// SPDX-License-Identifier: GPL-2.0-or-later
#include "bpf/ring_pages.h"

#include "bpf/bpf_map.h"

#define MAX_PAGES (1U << 20) /* of one ring: max_entries of 4 GiB */
#define CHUNK 512	     /* pointers that are read at once */

struct ring {
	uint64_t ring, pages;
	uint32_t n;
};

struct walk {
	struct dump *dump;
	const struct memory_parts *v;
	struct structure map, ring;
	bool has_types; /* they are asked for when the first ring is found */
	struct first_problem problem;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, map, "struct bpf_ringbuf_map"),
	POINTS(struct ring, ring, REQUIRED, "5.8", "rb"),
	STRUCTURE(struct walk, ring, "struct bpf_ringbuf"),
	POINTS(struct ring, pages, REQUIRED, "5.8", "pages"),
	READS(struct ring, n, REQUIRED, "5.8", "nr_pages"),
};

/* Behind them the array has those of data once more: they are mapped twice. */
static enum status visit_pages(struct walk *w, const struct ring *r)
{
	uint8_t raw[CHUNK * 8];
	enum status st = ST_OK;

	for (uint64_t i = 0; st == ST_OK && i < r->n; i += CHUNK) {
		uint64_t n = r->n - i < CHUNK ? r->n - i : CHUNK;

		if (dump_stopped(w->dump))
			return ST_STOPPED;
		st = dump_read(w->dump, r->pages + i * 8, raw, n * 8, "pages of a bpf_ringbuf");
		for (uint64_t k = 0; st == ST_OK && k < n; k++)
			st = w->v->page(w->v->arg, le64(raw + k * 8));
	}
	return st;
}

static enum status visit_map(struct walk *w, const struct bpf_map *map)
{
	struct dump *d = w->dump;
	struct memory_holder h = { .address = map->address, .counter = "bpf_ringbuf.nr_pages" };
	struct ring r = { 0 };
	enum status st = ST_OK;

	if (!map->type_name || !strstr(map->type_name, "ringbuf"))
		return ST_OK;
	if (!w->has_types)
		st = STRUCTS_OPEN(d, rows, w);
	w->has_types = st == ST_OK;
	st = st ?: struct_read(&w->map, map->address, &r) ?: struct_read(&w->ring, r.ring, &r);
	if (st == ST_OK && r.n > MAX_PAGES)
		st = dump_fail(d, ST_CORRUPT, "bpf_ringbuf at %#lx has %u pages", r.ring, r.n);
	if (st != ST_OK)
		return first_problem_keep(d, &w->problem, st);
	h.name = arena_text(d->arena, "%s%smap %u", map->name, map->name[0] ? ", " : "", map->id);
	h.counted = (struct maybe_u64){ (uint64_t)r.n << d->page_shift, true };
	return first_problem_keep(d, &w->problem, visit_pages(w, &r))
		       ?: w->v->holder(w->v->arg, &h);
}

enum status bpf_rings_walk(struct dump *d, const struct memory_parts *v)
{
	struct walk w = { .dump = d, .v = v };
	struct xa_entries x;
	struct bpf_maps maps;
	struct bpf_map map;
	enum status st = bpf_maps_open(d, &maps);

	if (st != ST_OK)
		return st;
	xa_begin(&x, d, maps.idr);
	while (st == ST_OK && bpf_maps_next(&maps, &x, &map))
		st = visit_map(&w, &map);
	return st ?: xa_end(&x) ?: first_problem_end(d, &w.problem);
}
