// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/cma.h"

#include <string.h>

#include "dump/first_problem.h"
#include "dump/fork.h"
#include "dump/layout.h"
#include "util/printable.h"

#define MAX_AREAS 1024	       /* CONFIG_CMA_AREAS is 7 to 20 */
#define MAX_PAGES (1ULL << 30) /* of an area */
#define MAX_ORDER_PER_BIT 20
#define AREA_BYTES 1024
#define LOWEST_POINTER (1ULL << 47)

enum {
	C_COUNT,
	C_ORDER,
	C_NAME,
	C_BASE,
	C_BITMAP,
	C_AVAILABLE,
	C_NRANGES,
	C_RANGES,
	R_BASE,
	R_COUNT,
	R_BITMAP,
	C_FIELDS
};

static const struct layout_row rows[C_FIELDS] = {
	[C_COUNT] = { "struct cma", { "count" }, REQUIRED, "3.17" },
	[C_ORDER] = { "struct cma", { "order_per_bit" }, REQUIRED, "3.17" },
	[C_NAME] = { "struct cma", { "name" }, OPTIONAL, "4.12" },
	[C_BASE] = { "struct cma", { "base_pfn" }, OPTIONAL, "3.17 to 6.14" },
	[C_BITMAP] = { "struct cma", { "bitmap" }, OPTIONAL, "3.17 to 6.14" },
	[C_AVAILABLE] = { "struct cma", { "available_count" }, OPTIONAL, "6.15" },
	[C_NRANGES] = { "struct cma", { "nranges" }, OPTIONAL, "6.15" },
	[C_RANGES] = { "struct cma", { "ranges" }, OPTIONAL, "6.15" },
	[R_BASE] = { "struct cma_memrange", { "base_pfn" }, OPTIONAL, "6.15" },
	[R_COUNT] = { "struct cma_memrange", { "count" }, OPTIONAL, "6.15" },
	[R_BITMAP] = { "struct cma_memrange", { "bitmap" }, OPTIONAL, "6.15" },
};

enum { FORK_RANGES, FORK_ONE, FORKS };

static const struct fork forks[FORKS] = {
	[FORK_RANGES] = { "up to eight ranges", "6.15: mm/cma.h, struct cma_memrange",
			  .members = { { "struct cma", "ranges" } } },
	[FORK_ONE] = { "one range", "3.17: mm/cma.c" },
};

struct walk {
	struct dump *dump;
	struct field f[C_FIELDS];
	size_t fork;
	uint64_t area_bytes, range_bytes;
	enum status (*visit)(void *arg, const struct cma_area *area);
	void *arg;
};

bool cma_page_is_used(const struct cma_area *area, const struct cma_range *range, uint64_t pfn)
{
	uint64_t bit = (pfn - range->base) >> area->order_per_bit;

	return range->bitmap[bit / 8] >> bit % 8 & 1;
}

/*
 * An area that was not activated has another value where the bitmap is: a pfn, or 0.  Pages behind the
 * last bit, of a length that is no multiple of its unit, read a bit of 0.
 */
static enum status read_bitmap(struct walk *w, struct cma_area *a, struct cma_range *r,
			       uint64_t bitmap)
{
	struct dump *d = w->dump;
	uint64_t bits = r->pages >> a->order_per_bit, bytes = (bits + 7) / 8;
	uint8_t *copy, last;
	enum status st;

	if (bitmap < LOWEST_POINTER)
		return dump_fail(d, ST_ABSENT, "the CMA area at %#llx is not active",
				 (unsigned long long)a->address);
	/* Before memory is taken for a length that may be anything. */
	st = bytes ? dump_read(d, bitmap + bytes - 1, &last, 1, "bitmap of a CMA area") : ST_OK;
	if (st != ST_OK)
		return st;
	copy = dump_alloc(d, bytes + 1);
	if (!copy)
		return ST_NOMEM;
	st = dump_read(d, bitmap, copy, bytes, "bitmap of a CMA area");
	if (st == ST_OK)
		r->bitmap = copy;
	return st;
}

static enum status add_range(struct walk *w, struct cma_area *a, const uint8_t *raw,
			     unsigned int base, unsigned int count, unsigned int bitmap)
{
	struct cma_range *r = &a->ranges[a->nranges];

	r->base = field_get(&w->f[base], raw);
	r->pages = field_get(&w->f[count], raw);
	if (r->pages > MAX_PAGES || r->base > UINT64_MAX >> 16)
		return dump_fail(w->dump, ST_CORRUPT, "the CMA area at %#llx has %llu pages",
				 (unsigned long long)a->address, (unsigned long long)r->pages);
	a->nranges++;
	r->status = read_bitmap(w, a, r, field_get(&w->f[bitmap], raw));
	return r->status == ST_NOMEM ? ST_NOMEM : ST_OK;
}

static enum status add_ranges(struct walk *w, struct cma_area *a, const uint8_t *raw)
{
	uint64_t n = field_get(&w->f[C_NRANGES], raw), sum = 0;
	enum status st = ST_OK;

	if (w->fork == FORK_ONE)
		return add_range(w, a, raw, C_BASE, C_COUNT, C_BITMAP);
	if (n > CMA_RANGES || n * w->range_bytes > w->f[C_RANGES].size)
		return dump_fail(w->dump, ST_CORRUPT, "the CMA area at %#llx has %llu ranges",
				 (unsigned long long)a->address, (unsigned long long)n);
	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		st = add_range(w, a, raw + w->f[C_RANGES].offset + i * w->range_bytes, R_BASE,
			       R_COUNT, R_BITMAP);
		sum += a->ranges[i].pages;
	}
	if (st == ST_OK && sum != a->pages)
		return dump_fail(w->dump, ST_CORRUPT,
				 "the CMA area at %#llx has %llu pages, its ranges %llu",
				 (unsigned long long)a->address, (unsigned long long)a->pages,
				 (unsigned long long)sum);
	return st;
}

/* As the kernel's file "used" has it: its count, else what the bitmap says. */
static enum status count_used(struct walk *w, struct cma_area *a, const uint8_t *raw)
{
	uint64_t available = field_get(&w->f[C_AVAILABLE], raw);

	a->has_used = true;
	if (w->f[C_AVAILABLE].present) {
		if (available > a->pages)
			return dump_fail(w->dump, ST_CORRUPT,
					 "the CMA area at %#llx has %llu of %llu pages available",
					 (unsigned long long)a->address,
					 (unsigned long long)available,
					 (unsigned long long)a->pages);
		a->used = a->pages - available;
		return ST_OK;
	}
	for (unsigned int i = 0; i < a->nranges; i++) {
		const struct cma_range *r = &a->ranges[i];
		uint64_t bits = r->pages >> a->order_per_bit, n = 0;

		if (!r->bitmap) {
			a->has_used = false;
			return ST_OK;
		}
		for (uint64_t bit = 0; bit < bits; bit++)
			n += r->bitmap[bit / 8] >> bit % 8 & 1;
		a->used += n << a->order_per_bit;
	}
	return ST_OK;
}

/* A pointer in 4.19, an array in 5.10 (mm/cma.h). */
static void read_name(struct walk *w, uint64_t at, const uint8_t *raw, char ret[CMA_NAME])
{
	const struct field *f = &w->f[C_NAME];
	uint64_t text = at + f->offset;

	if (f->present && f->kind == KIND_POINTER)
		text = field_get(f, raw);
	if (!f->present || !text ||
	    dump_string(w->dump, text, ret, CMA_NAME, "name of a CMA area") != ST_OK)
		ret[0] = '\0';
	printable(ret);
}

static enum status visit_area(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	struct cma_area a = { .address = at };
	uint8_t raw[AREA_BYTES];
	enum status st = dump_read(d, at, raw, w->area_bytes, "cma_areas");

	if (st != ST_OK)
		return st;
	a.pages = field_get(&w->f[C_COUNT], raw);
	a.order_per_bit = field_get(&w->f[C_ORDER], raw);
	if (a.pages > MAX_PAGES || a.order_per_bit > MAX_ORDER_PER_BIT)
		return dump_fail(d, ST_CORRUPT, "the CMA area at %#llx has %llu pages",
				 (unsigned long long)at, (unsigned long long)a.pages);
	st = add_ranges(w, &a, raw);
	if (st == ST_OK)
		st = count_used(w, &a, raw);
	if (st != ST_OK)
		return st;
	read_name(w, at, raw, a.name);
	return w->visit(w->arg, &a);
}

static enum status walk_areas(struct walk *w, uint64_t areas, uint64_t n)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		st = visit_area(w, areas + i * w->area_bytes);
		st = first_problem_keep(w->dump, &problem, st);
	}
	return st == ST_OK ? first_problem_end(w->dump, &problem) : st;
}

static enum status open_layout(struct walk *w)
{
	struct dump *d = w->dump;
	const struct field *f = w->f;
	bool fits;
	enum status st = layout_resolve(d, rows, C_FIELDS, w->f);

	if (st != ST_OK)
		return st;
	w->fork = fork_find(d, "struct cma", forks, FORKS);
	fits = d->ops->type_size(d->priv, "struct cma", &w->area_bytes) == ST_OK && w->area_bytes &&
	       w->area_bytes <= AREA_BYTES && layout_span(f, R_BASE) <= w->area_bytes &&
	       f[C_COUNT].size == 8;
	if (w->fork == FORK_ONE)
		fits = fits && f[C_BASE].size == 8 && f[C_BITMAP].size == 8;
	else
		fits = fits && f[R_BASE].size == 8 && f[R_COUNT].size == 8 &&
		       f[R_BITMAP].size == 8 && f[C_NRANGES].size == 4 &&
		       d->ops->type_size(d->priv, "struct cma_memrange", &w->range_bytes) ==
			       ST_OK &&
		       layout_span(f + R_BASE, C_FIELDS - R_BASE) <= w->range_bytes;
	return fits ? ST_OK : dump_fail(d, ST_UNKNOWN, "unknown layout: struct cma");
}

enum status cma_walk(struct dump *d, enum status (*visit)(void *arg, const struct cma_area *area),
		     void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t areas, n;
	enum status st;

	if (!dump_has_symbol(d, "cma_areas"))
		return dump_fail(d, ST_ABSENT, "this kernel has no cma_areas");
	st = open_layout(&w);
	if (st == ST_OK)
		st = dump_symbol(d, "cma_areas", &areas);
	if (st == ST_OK)
		st = dump_value(d, "cma_area_count", &n);
	if (st == ST_OK && n > MAX_AREAS)
		st = dump_fail(d, ST_CORRUPT, "cma_area_count: %llu", (unsigned long long)n);
	return st == ST_OK ? walk_areas(&w, areas, n) : st;
}
