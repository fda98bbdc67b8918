// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/kernel_map.h"

/*
 * Where the direct map starts without page_offset_base. x86_64: 4 levels, 5 levels,
 * 4 levels before 4.20 (Documentation/arch/x86/x86_64/mm.rst).
 */
static const uint64_t fixed_direct_starts[] = {
	0xffff888000000000ULL,
	0xff11000000000000ULL,
	0xffff880000000000ULL,
};

static bool is_linear(const struct kernel_map *map, uint64_t addr)
{
	return (!map->door_errs && addr >= map->direct_start && addr < map->direct_end) ||
	       (addr >= map->image_start && addr < map->image_end);
}

/* dump->translate: a page at a time. */
static enum status translate(struct dump *d, uint64_t addr, uint64_t *ret)
{
	struct kernel_map *map = d->map;
	uint64_t mask = dump_page_size(d) - 1, phys;

	if (is_linear(map, addr))
		return ST_ABSENT;
	if ((addr & ~mask) != map->last_page) {
		if (page_tables_walk(d, &map->tables, addr & ~mask, &phys) != ST_OK)
			return ST_UNREADABLE;
		map->last_page = addr & ~mask;
		map->last_phys = phys;
	}
	*ret = map->last_phys | (addr & mask);
	return ST_OK;
}

/*
 * The start need not be mapped: memstart_addr of arm64 is moved to somewhere below RAM by KASLR.  The
 * image is in the direct map, too.
 */
static bool is_direct_start(struct dump *d, uint64_t addr, uint64_t first)
{
	uint64_t phys, text, image;

	if (dump_ask(d, virt_to_phys, addr, &phys) == ST_OK && phys == first)
		return true;
	return image_begins(d, &text) == ST_OK &&
	       dump_ask(d, virt_to_phys, text, &image) == ST_OK && image >= first &&
	       dump_ask(d, virt_to_phys, addr + (image - first), &phys) == ST_OK && phys == image;
}

/*
 * arm64: the lower half of the kernel's addresses is the direct map since 5.4, the
 * upper half before (Documentation/arch/arm64/memory.rst). It starts with the memory
 * at memstart_addr.  On a CPU with 48 bits, a kernel that was built for 52 has there what would be
 * at the start of 52 bits (arch/arm64/mm/init.c: arm64_memblock_init()).
 */
static enum status find_arm64_start(struct dump *d, unsigned int va_bits, uint64_t *first,
				    uint64_t *ret)
{
	uint64_t wide = *first + (~0ULL << va_bits) - (~0ULL << 52);

	for (unsigned int bits = va_bits; bits >= va_bits - 1; bits--) {
		*ret = ~0ULL << bits;
		if (is_direct_start(d, *ret, *first))
			return ST_OK;
	}
	*ret = ~0ULL << va_bits;
	if (va_bits < 52 && is_direct_start(d, *ret, wide)) {
		*first = wide;
		return ST_OK;
	}
	return dump_fail(d, ST_UNKNOWN, "no start of the direct map");
}

/* By the kernel's own tables, then by what the door takes for it: that of crash --minimal is of before 4.20. */
static enum status find_x86_start(struct dump *d, const struct page_tables *tables, uint64_t *ret)
{
	const size_t n = sizeof(fixed_direct_starts) / sizeof(*fixed_direct_starts);
	uint64_t base, phys;

	if (dump_has_symbol(d, "page_offset_base") &&
	    dump_value(d, "page_offset_base", &base) == ST_OK && is_direct_start(d, base, 0)) {
		*ret = base;
		return ST_OK;
	}
	for (size_t i = 0; i < 2 * n; i++) {
		*ret = fixed_direct_starts[i % n];
		if (i < n ? page_tables_walk(d, tables, *ret, &phys) == ST_OK && !phys
			  : is_direct_start(d, *ret, 0))
			return ST_OK;
	}
	return dump_fail(d, ST_UNKNOWN, "no start of the direct map");
}

static enum status find_ranges(struct dump *d, struct kernel_map *map)
{
	bool starts_later = dump_has_symbol(d, "memstart_addr");
	uint64_t pages, first = 0, bytes;
	enum status st = image_begins(d, &map->image_start) ?:
		dump_symbol(d, "_end", &map->image_end) ?: dump_value(d, "max_pfn", &pages);

	if (st == ST_OK && starts_later)
		st = dump_value(d, "memstart_addr", &first);
	if (st == ST_OK)
		st = starts_later
			     ? find_arm64_start(d, map->tables.va_bits, &first, &map->direct_start)
			     : find_x86_start(d, &map->tables, &map->direct_start);
	if (st != ST_OK)
		return st;
	map->direct_phys = first;
	bytes = (pages << d->page_shift) - first;
	map->direct_end = map->direct_start + bytes;
	/* At most half of the addresses there are: the rest is for the image and others. */
	if (bytes > 1ULL << (map->tables.va_bits - 1) || map->direct_end < map->direct_start)
		return dump_fail(d, ST_UNKNOWN, "no direct map at %#lx", map->direct_start);
	map->door_errs = !is_direct_start(d, map->direct_start, first);
	return ST_OK;
}

enum status kernel_map_find(struct dump *d, struct kernel_map *ret)
{
	enum status st = page_tables_open(d, &ret->tables);

	ret->last_page = UINT64_MAX;
	return st ?: find_ranges(d, ret);
}

enum status kernel_map_open(struct dump *d)
{
	struct kernel_map map;
	enum status st = kernel_map_find(d, &map);

	if (st != ST_OK)
		return st;
	d->map = dump_alloc(d, sizeof(map));
	*d->map = map;
	d->translate = translate;
	decoder_trace(d, "decide page tables of %u levels at physical %#lx, direct map %#lx-%#lx",
		      map.tables.levels, map.tables.top, map.direct_start, map.direct_end - 1);
	return ST_OK;
}

enum status direct_map_phys(struct dump *d, uint64_t addr, uint64_t *ret)
{
	struct kernel_map found = { 0 };
	const struct kernel_map *map = d->map ? d->map : &found;
	enum status st = d->map ? ST_OK : kernel_map_find(d, &found);

	if (st != ST_OK)
		return st;
	if (addr < map->direct_start || addr >= map->direct_end)
		return dump_absent(d, "%#lx is not in the direct map", addr);
	*ret = map->direct_phys + (addr - map->direct_start);
	return ST_OK;
}

#define MOST_BITS 56 /* of an address that repeat no sign: x86_64, 5 levels */

uint64_t kernel_half(struct dump *d)
{
	struct page_tables tables = { .sign_bit = MOST_BITS };

	if (d->map)
		tables = d->map->tables;
	else if (page_tables_open(d, &tables) != ST_OK)
		decoder_trace(d, "decide addresses of the kernel from %#lx on, at least: %s",
			      ~0UL << MOST_BITS, d->error);
	return ~0ULL << tables.sign_bit;
}

void kernel_map_if_linear(struct dump *d)
{
	if (d->linear_only && kernel_map_open(d) != ST_OK)
		decoder_trace(d, "decide no page tables: %s", d->error);
}
