// SPDX-License-Identifier: GPL-2.0-or-later
#include "translation.h"

#define ENTRIES 1024
/* What maps more than a page is kept in pieces of this size, log2: large pages of x86_64 have it. */
#define LARGE 21

/* Direct-mapped caches of what page tables said: of pages, and of large pieces. */
struct cached {
	uint64_t start; /* virtual; UINT64_MAX: none */
	uint64_t phys;
};

struct translation {
	struct dump *dump;
	struct image image;
	struct kernel_map map;
	bool has_tables, has_map;
	struct cached pages[ENTRIES], large[ENTRIES];
};

struct translation *translation_new(struct dump *d, const struct image *image)
{
	struct translation *t = dump_alloc(d, sizeof(*t));

	t->dump = d;
	t->image = *image;
	for (size_t i = 0; i < ENTRIES; i++)
		t->pages[i].start = t->large[i].start = UINT64_MAX;
	return t;
}

/* What is beside the image may be modules, at another distance. */
static void narrow(struct image *image, struct dump *d)
{
	uint64_t start, end, last = image->start + image->bytes;

	if (image_begins(d, &start) != ST_OK || dump_symbol(d, "_end", &end) != ST_OK ||
	    start >= end || start < image->start || end > last)
		return;
	image->start = start;
	image->bytes = end - start;
}

enum status translation_find_tables(struct translation *t, struct dump *d)
{
	enum status st = page_tables_open(d, &t->map.tables);

	t->has_tables = st == ST_OK;
	if (t->has_tables)
		narrow(&t->image, d);
	return st;
}

enum status translation_find_direct_map(struct translation *t, struct dump *d)
{
	enum status st = kernel_map_find(d, &t->map);

	t->has_map = st == ST_OK;
	return st;
}

struct kernel_map *translation_map(struct translation *t)
{
	return t->has_map ? &t->map : NULL;
}

static struct cached *place(struct cached *cache, uint64_t addr, unsigned int shift)
{
	return &cache[(addr >> shift) % ENTRIES];
}

static bool find(const struct cached *c, uint64_t addr, unsigned int shift, uint64_t *ret,
		 uint64_t *bytes)
{
	uint64_t inside = addr & ((1ULL << shift) - 1);

	if (c->start != addr - inside)
		return false;
	*ret = c->phys + inside;
	*bytes = (1ULL << shift) - inside;
	return true;
}

static enum status walk(struct translation *t, uint64_t addr, uint64_t *ret, uint64_t *bytes)
{
	unsigned int shift = t->map.tables.shift, span;
	struct cached *c;
	uint64_t inside;
	enum status st;

	if (!t->has_tables)
		return ST_UNREADABLE;
	if (find(place(t->large, addr, LARGE), addr, LARGE, ret, bytes) ||
	    find(place(t->pages, addr, shift), addr, shift, ret, bytes))
		return ST_OK;
	st = page_tables_find(t->dump, &t->map.tables, addr, ret, &span);
	if (st != ST_OK)
		return st;
	c = span >= LARGE ? place(t->large, addr, LARGE) : place(t->pages, addr, shift);
	shift = span >= LARGE ? LARGE : shift;
	inside = addr & ((1ULL << shift) - 1);
	*c = (struct cached){ addr - inside, *ret - inside };
	*bytes = (1ULL << shift) - inside;
	return ST_OK;
}

enum status translation_phys(struct translation *t, uint64_t addr, uint64_t *ret, uint64_t *bytes)
{
	const struct kernel_map *map = &t->map;

	if (image_phys(&t->image, addr, ret)) {
		*bytes = t->image.start + t->image.bytes - addr;
		return ST_OK;
	}
	if (t->has_map && addr >= map->direct_start && addr < map->direct_end) {
		*ret = map->direct_phys + (addr - map->direct_start);
		*bytes = map->direct_end - addr;
		return ST_OK;
	}
	return walk(t, addr, ret, bytes);
}
