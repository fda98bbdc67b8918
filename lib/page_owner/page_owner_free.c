// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/page_owner_free.h"

#include "buddy/free_area.h"

struct owner_free {
	struct dump *dump;
	struct memmap memmap;
	struct page_types types;
	struct free_blocks blocks;
	struct pfnset listed;
	bool asked, by_lists;
};

enum status owner_free_open(struct dump *d, const struct memmap *memmap, uint64_t end,
			    struct owner_free **ret)
{
	struct owner_free *f = dump_alloc(d, sizeof(*f));
	enum status st;

	f->dump = d;
	f->memmap = *memmap;
	pfnset_init(&f->listed, d->arena, end);
	st = page_types_open(d, &f->memmap, &f->types)
		     ?: free_blocks_open(d, &f->types, &f->blocks);
	if (st == ST_OK)
		*ret = f;
	return st;
}

static enum status read_lists(struct owner_free *f, bool *whole)
{
	struct dump *d = f->dump;
	struct zone_free *free = dump_alloc(d, sizeof(*free));
	struct free_areas areas;
	struct zones zones;
	enum status st = zones_open(d, &zones)
				 ?: free_areas_open(d, &f->types, f->listed.end, &areas);

	if (st != ST_OK)
		return st;
	areas.free = &f->listed;
	*whole = !areas.problem && zones.n;
	for (size_t i = 0; i < zones.n && st == ST_OK && *whole; i++) {
		st = free_areas_read(&areas, &zones.zones[i], free);
		*whole = !free->problem;
	}
	return st;
}

enum status owner_free_list(struct owner_free *f)
{
	bool whole = false;
	enum status st;

	if (f->asked)
		return ST_OK;
	f->asked = true;
	st = read_lists(f, &whole);
	f->by_lists = st == ST_OK && whole;
	decoder_trace(f->dump, "decide records of free pages by %s",
		      f->by_lists ? "the lists of free blocks" : "struct page");
	return st == ST_STOPPED ? st : ST_OK;
}

bool owner_free_has(struct owner_free *f, uint64_t pfn)
{
	if (!f)
		return false;
	return f->by_lists ? pfnset_has(&f->listed, pfn) : free_blocks_has(&f->blocks, pfn);
}

uint64_t owner_free_next(struct owner_free *f, uint64_t pfn)
{
	if (!f)
		return UINT64_MAX;
	return f->by_lists ? pfnset_next(&f->listed, pfn) : pfn;
}
