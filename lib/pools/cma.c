// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/cma.h"

#include "dump/structure.h"
#include "util/utf8.h"
#include "util/bits.h"

#define MAX_AREAS 1024	       /* CONFIG_CMA_AREAS is 7 to 20 */
#define MAX_PAGES (1ULL << 30) /* of an area */
#define MAX_ORDER_PER_BIT 20   /* as in lib/page_owner */
#define LOWEST_POINTER (1ULL << 47)

enum { FORK_RANGES, FORK_ONE, FORKS };

static const struct fork forks[FORKS] = {
	[FORK_RANGES] = { "up to eight ranges", "6.15: mm/cma.h, struct cma_memrange",
			  .members = { { "struct cma", "ranges" } } },
	[FORK_ONE] = { "one range", "3.17: mm/cma.c" },
};

struct walk {
	struct dump *dump;
	struct structure area, range;
	struct field name, ranges; /* of struct cma */
	size_t fork;
	uint64_t area_bytes, range_bytes;
	enum status (*visit)(void *arg, const struct cma_area *area);
	void *arg;
};

/* A cma_memrange; before 6.15 a struct cma has one. */
struct range {
	uint64_t base, pages, bitmap;
};

/* A struct cma. */
struct area {
	struct cma_area a;
	struct range one;
	uint64_t available, nranges;
	bool has_available;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, area, "struct cma"),
	POINTS(struct area, a.pages, REQUIRED, "3.17", "count"),
	READS(struct area, a.order_per_bit, REQUIRED, "3.17", "order_per_bit"),
	FINDS(struct walk, name, "struct cma", OPTIONAL, "4.12", "name"),
	POINTS(struct area, one.base, OPTIONAL, "3.17 to 6.14", "base_pfn"),
	POINTS(struct area, one.bitmap, OPTIONAL, "3.17 to 6.14", "bitmap"),
	READS_IF(struct area, available, has_available, OPTIONAL, "6.15", "available_count"),
	READS(struct area, nranges, OPTIONAL, "6.15", "nranges"),
	FINDS(struct walk, ranges, "struct cma", OPTIONAL, "6.15", "ranges"),
	STRUCTURE(struct walk, range, "struct cma_memrange"),
	POINTS(struct range, base, OPTIONAL, "6.15", "base_pfn"),
	POINTS(struct range, pages, OPTIONAL, "6.15", "count"),
	POINTS(struct range, bitmap, OPTIONAL, "6.15", "bitmap"),
};

bool cma_page_is_used(const struct cma_area *area, const struct cma_range *range, uint64_t pfn)
{
	uint64_t bit = (pfn - range->base) >> area->order_per_bit;

	return bit_has(range->bitmap, bit);
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
		return dump_absent(d, "the CMA area at %#lx is not active", a->address);
	/* Before memory is taken for a length that may be anything. */
	st = bytes ? dump_read(d, bitmap + bytes - 1, &last, 1, "bitmap of a CMA area") : ST_OK;
	if (st != ST_OK)
		return st;
	copy = dump_alloc(d, bytes + 1);
	st = dump_read(d, bitmap, copy, bytes, "bitmap of a CMA area");
	return RESULT(st, &r->bitmap, copy);
}

static enum status add_range(struct walk *w, struct cma_area *a, const struct range *from)
{
	struct cma_range *r = &a->ranges[a->nranges];

	r->base = from->base;
	r->pages = from->pages;
	if (r->pages > MAX_PAGES || r->base > UINT64_MAX >> 16)
		return dump_corrupt(w->dump, "the CMA area at %#lx has %lu pages", a->address,
				    r->pages);
	a->nranges++;
	read_bitmap(w, a, r, from->bitmap);
	return ST_OK;
}

static enum status add_ranges(struct walk *w, struct area *area)
{
	struct cma_area *a = &area->a;
	uint64_t sum = 0;
	enum status st = ST_OK;

	area->one.pages = a->pages;
	if (w->fork == FORK_ONE)
		return add_range(w, a, &area->one);
	if (area->nranges > CMA_RANGES || area->nranges * w->range_bytes > w->ranges.size)
		return dump_corrupt(w->dump, "the CMA area at %#lx has %lu ranges", a->address,
				    area->nranges);
	for (uint64_t i = 0; i < area->nranges && st == ST_OK; i++) {
		struct range range;

		st = struct_read(&w->range, a->address + w->ranges.offset + i * w->range_bytes,
				 &range)
			     ?: add_range(w, a, &range);
		sum += a->ranges[i].pages;
	}
	if (st == ST_OK && sum != a->pages)
		return dump_corrupt(w->dump, "the CMA area at %#lx has %lu pages, its ranges %lu",
				    a->address, a->pages, sum);
	return st;
}

/* As the kernel's file "used" has it: its count, else what the bitmap says. */
static enum status count_used(struct walk *w, struct area *area)
{
	struct cma_area *a = &area->a;

	a->has_used = true;
	if (area->has_available) {
		if (area->available > a->pages)
			return dump_corrupt(w->dump,
					    "the CMA area at %#lx has %lu of %lu pages available",
					    a->address, area->available, a->pages);
		a->used = a->pages - area->available;
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
			n += bit_has(r->bitmap, bit);
		a->used += n << a->order_per_bit;
	}
	return ST_OK;
}

/* A pointer in 4.19, an array in 5.10 (mm/cma.h). */
static void read_name(struct walk *w, struct cma_area *a)
{
	struct dump *d = w->dump;
	uint64_t text = w->name.present ? a->address + w->name.offset : 0;

	if (text && w->name.kind == KIND_POINTER && dump_u64(d, text, &text, "cma") != ST_OK)
		text = 0;
	if (!text || dump_string(d, text, a->name, CMA_NAME, "name of a CMA area") != ST_OK)
		a->name[0] = '\0';
	printable(a->name);
}

static enum status visit_area(struct walk *w, uint64_t at)
{
	struct dump *d = w->dump;
	struct area area = { .a.address = at };
	struct cma_area *a = &area.a;
	enum status st = struct_read(&w->area, at, &area);

	if (st != ST_OK)
		return st;
	if (a->pages > MAX_PAGES || a->order_per_bit > MAX_ORDER_PER_BIT)
		return dump_corrupt(d, "the CMA area at %#lx has %lu pages", at, a->pages);
	st = add_ranges(w, &area) ?: count_used(w, &area);
	if (st != ST_OK)
		return st;
	read_name(w, a);
	return w->visit(w->arg, a);
}

static enum status walk_areas(struct walk *w, uint64_t areas, uint64_t n)
{
	struct first_problem problem = { 0 };
	enum status st = ST_OK;

	for (uint64_t i = 0; i < n && st == ST_OK; i++) {
		st = visit_area(w, areas + i * w->area_bytes);
		st = first_problem_keep(w->dump, &problem, st);
	}
	return st ?: first_problem_end(w->dump, &problem);
}

static enum status open_layout(struct walk *w)
{
	struct dump *d = w->dump;
	bool fits;
	enum status st = STRUCTS_OPEN(d, rows, w);

	if (st != ST_OK)
		return st;
	w->fork = fork_find(d, "struct cma", forks, FORKS);
	fits = dump_ask(d, type_size, "struct cma", &w->area_bytes) == ST_OK && w->area_bytes;
	if (w->fork == FORK_ONE)
		fits = fits && STRUCT_HAS(&w->area, struct area, one.base) &&
		       STRUCT_HAS(&w->area, struct area, one.bitmap);
	else
		fits = fits && STRUCT_HAS(&w->area, struct area, nranges) &&
		       struct_has_all(&w->range) &&
		       dump_ask(d, type_size, "struct cma_memrange", &w->range_bytes) == ST_OK;
	return fits ? ST_OK : dump_unknown(d, "struct cma");
}

enum status cma_walk(struct dump *d, enum status (*visit)(void *arg, const struct cma_area *area),
		     void *arg)
{
	struct walk w = { .dump = d, .visit = visit, .arg = arg };
	uint64_t areas, n;
	enum status st;

	if (!dump_has_symbol(d, "cma_areas"))
		return dump_absent(d, "this kernel was built without CONFIG_CMA");
	st = open_layout(&w) ?: dump_symbol(d, "cma_areas", &areas) ?:
		dump_value(d, "cma_area_count", &n);
	if (st == ST_OK && n > MAX_AREAS)
		st = dump_corrupt(d, "cma_area_count: %lu", n);
	return st ?: walk_areas(&w, areas, n);
}
