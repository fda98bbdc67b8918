// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/pageblock.h"

#define MAX_BITS 16	   /* of a block */
#define MAX_SECTIONS 65536 /* that are looked through for two neighbours */

static const struct layout_row rows[BLOCK_FIELDS] = {
	[BLOCK_USAGE] = FIELD_ROW("struct mem_section", OPTIONAL, "5.3, SPARSEMEM", "usage"),
	[BLOCK_USAGE_FLAGS] = FIELD_ROW("struct mem_section_usage", OPTIONAL, "5.3, SPARSEMEM",
					"pageblock_flags"),
	[BLOCK_FLAGS] = FIELD_ROW("struct mem_section", OPTIONAL, "up to 5.2", "pageblock_flags"),
	[BLOCK_ZONE] = FIELD_ROW("struct zone", OPTIONAL, "FLATMEM", "pageblock_flags"),
};

static bool enumerator(struct dump *d, const char *name, int64_t *ret)
{
	return dump_ask(d, enumerator, name, ret) == ST_OK;
}

/*
 * Up to 5.8 the function that reads the bits took the number of the last of them as well,
 * and counted from the high end of a word (535b81e20921 took both away, in 5.9).
 */
static enum status find_direction(struct dump *d, bool *ret)
{
	char text[512];
	unsigned int commas = 0;

	if (!d->ops->type_text ||
	    dump_ask(d, type_text, "get_pfnblock_flags_mask", text, sizeof(text)) != ST_OK ||
	    !strchr(text, '('))
		return dump_unknown(d, "no type of get_pfnblock_flags_mask()");
	for (const char *p = text; *p; p++)
		commas += *p == ',';
	if (commas != 2 && commas != 3)
		return dump_unknown(d, "get_pfnblock_flags_mask() takes %u arguments", commas + 1);
	*ret = commas == 3;
	return ST_OK;
}

/* enum pageblock_bits: isolation became a bit of its own in 6.17, with other names. */
static enum status find_bits(struct pageblocks *b)
{
	struct dump *d = b->dump;
	int64_t first, last, n, isolate;
	enum status st = ST_OK;

	b->isolate_bit = -1;
	if (enumerator(d, "PB_migrate_0", &first) && enumerator(d, "PB_migrate_2", &last) &&
	    enumerator(d, "__NR_PAGEBLOCK_BITS", &n)) {
		for (b->bits = 1; b->bits < (uint64_t)n && b->bits <= MAX_BITS;)
			b->bits *= 2;
		if (enumerator(d, "PB_migrate_isolate", &isolate))
			b->isolate_bit = isolate;
		if (b->isolate_bit >= 0 && enumerator(d, "MIGRATE_ISOLATE", &isolate))
			b->isolate = isolate;
	} else if (enumerator(d, "PB_migrate", &first) && enumerator(d, "PB_migrate_end", &last) &&
		   enumerator(d, "NR_PAGEBLOCK_BITS", &n)) {
		b->bits = n;
		st = find_direction(d, &b->from_top);
	} else {
		layout_trace_type(d, "enum pageblock_bits");
		st = dump_unknown(d, "enum pageblock_bits");
	}
	if (st == ST_OK &&
	    (first < 0 || last < first || n <= last || n > MAX_BITS || b->isolate_bit >= n))
		st = dump_unknown(d, "%ld bits of a pageblock", n);
	if (st == ST_OK) {
		b->low = first;
		b->width = last - first + 1;
	}
	return st;
}

/* A zone has a list of free blocks for each order. */
static unsigned int largest_order(struct dump *d)
{
	struct field area;
	uint64_t bytes;

	if (dump_ask(d, member, "struct zone", "free_area", &area) != ST_OK ||
	    dump_ask(d, type_size, "struct free_area", &bytes) != ST_OK || !bytes ||
	    area.size < bytes || area.size / bytes > 32)
		return 0;
	return area.size / bytes - 1;
}

/*
 * pageblock_order is a macro on most architectures: that of a huge page, where the
 * kernel has them, but no more than the largest (include/linux/pageblock-flags.h).
 */
static unsigned int expected_order(struct dump *d, unsigned int largest)
{
	unsigned int huge = d->page_shift - 3;
	bool has_huge = dump_has_symbol(d, "hstates") || dump_has_symbol(d, "huge_zero_folio");

	return has_huge && huge < largest ? huge : largest;
}

/* Bytes of the bitmap of a section whose blocks have an order. */
static uint64_t bitmap_bytes(const struct pageblocks *b, unsigned int order)
{
	return (((uint64_t)b->bits << (b->memmap->sections.shift - order)) + 63) / 64 * 8;
}

static enum status section_bitmap(struct pageblocks *b, uint64_t nr, uint64_t *ret)
{
	struct dump *d = b->dump;
	bool has_usage = b->f[BLOCK_USAGE].present;
	uint64_t section = 0, table = 0;
	enum status st = sections_find(&b->memmap->sections, nr, &section);

	if (st == ST_OK)
		st = dump_u64(d, section + b->f[has_usage ? BLOCK_USAGE : BLOCK_FLAGS].offset,
			      &table, "struct mem_section");
	if (st != ST_OK)
		return st;
	if (!table)
		return dump_absent(d, "section %lu has no pageblocks", nr);
	*ret = table + (has_usage ? b->f[BLOCK_USAGE_FLAGS].offset : 0);
	return ST_OK;
}

/*
 * Those of the sections of a node are allocated in one piece at boot (mm/sparse.c), so
 * the distance of two neighbours is the size of one: the least that occurs, 0 if none.
 */
static uint64_t bitmap_distance(struct pageblocks *b)
{
	uint64_t last = 0, least = 0, table, pages = 1ULL << b->memmap->sections.shift;
	uint64_t end = 0;

	for (size_t i = 0; i < b->zones->n; i++)
		if (b->zones->zones[i].end > end)
			end = b->zones->zones[i].end;
	for (uint64_t nr = 0; nr < MAX_SECTIONS && nr * pages < end; nr++) {
		if (section_bitmap(b, nr, &table) != ST_OK) {
			last = 0;
			continue;
		}
		if (last && table > last && (!least || table - last < least))
			least = table - last;
		last = table;
	}
	return least;
}

static enum status find_order(struct pageblocks *b)
{
	struct dump *d = b->dump;
	unsigned int shift = b->memmap->sections.shift, found = 0, fits = 0;
	unsigned int largest = largest_order(d), expected = expected_order(d, largest);
	uint64_t order, distance,
		header = b->f[BLOCK_USAGE].present ? b->f[BLOCK_USAGE_FLAGS].offset : 0;

	if (dump_has_symbol(d, "pageblock_order")) {
		enum status st = dump_value(d, "pageblock_order", &order);

		if (st == ST_OK && order > 30)
			st = dump_corrupt(d, "pageblock_order is %lu", order);
		b->order = st == ST_OK ? order : 0;
		return st;
	}
	b->order = expected;
	distance = b->memmap->is_flat ? 0 : bitmap_distance(b);
	for (unsigned int o = 1; distance && o <= largest && o <= shift; o++)
		if (bitmap_bytes(b, o) + header == distance) {
			found = o == expected || !fits ? o : found;
			fits++;
		}
	if (fits && found != expected &&
	    !(expected <= shift && bitmap_bytes(b, expected) + header == distance)) {
		if (fits > 1)
			return dump_fail(d, ST_UNKNOWN, "unknown size of a pageblock");
		b->order = found;
	}
	decoder_trace(d, "decide pageblock_order %u: %u expected, %u fit bitmaps %lu bytes apart",
		      b->order, expected, fits, distance);
	if (!b->order || (!b->memmap->is_flat && b->order > shift))
		return dump_fail(d, ST_UNKNOWN, "unknown size of a pageblock");
	return ST_OK;
}

enum status pageblocks_open(struct dump *d, struct memmap *memmap, const struct zones *zones,
			    struct pageblocks *ret)
{
	struct pageblocks b = { .dump = d, .memmap = memmap, .zones = zones };
	enum status st = layout_resolve(d, rows, BLOCK_FIELDS, b.f);

	b.table_key = b.word_at = UINT64_MAX;
	if (st == ST_OK &&
	    (memmap->is_flat ? !b.f[BLOCK_ZONE].present
			     : !b.f[BLOCK_FLAGS].present && (!b.f[BLOCK_USAGE].present ||
							     !b.f[BLOCK_USAGE_FLAGS].present)))
		st = dump_unknown(d, "no bitmap of pageblocks");
	return RESULT(st ?: find_bits(&b) ?: find_order(&b), ret, b);
}

/* The bitmap that has a pfn, and the number of its block in it. */
static enum status find_bitmap(struct pageblocks *b, uint64_t pfn, uint64_t *block)
{
	const struct zone *zone;
	uint64_t key;

	if (!b->memmap->is_flat) {
		unsigned int shift = b->memmap->sections.shift;

		key = pfn >> shift;
		*block = (pfn & ((1ULL << shift) - 1)) >> b->order;
		if (key != b->table_key)
			b->table_status = section_bitmap(b, key, &b->table);
		b->table_key = key;
		return b->table_status;
	}
	zone = zones_find(b->zones, pfn);
	if (!zone)
		return dump_absent(b->dump, "no zone has pfn %#lx", pfn);
	*block = (pfn >> b->order) - (zone->start >> b->order);
	if (zone->address != b->table_key)
		b->table_status = dump_u64(b->dump, zone->address + b->f[BLOCK_ZONE].offset,
					   &b->table, "struct zone");
	b->table_key = zone->address;
	return b->table_status;
}

enum status pageblocks_type(struct pageblocks *b, uint64_t pfn, unsigned int *ret)
{
	uint64_t block = 0, at, bit;
	enum status st = find_bitmap(b, pfn, &block);

	if (st != ST_OK)
		return st;
	bit = block * b->bits;
	at = b->table + bit / 64 * 8;
	bit %= 64;
	if (at != b->word_at) {
		uint64_t word;

		st = dump_u64(b->dump, at, &word, "the bitmap of pageblocks");
		if (st != ST_OK)
			return st;
		b->word_at = at;
		b->word = word;
	}
	if (b->isolate_bit >= 0 && b->word >> (bit + b->isolate_bit) & 1) {
		*ret = b->isolate;
		return ST_OK;
	}
	/* From the top, the last bit of the type is the lowest of the number. */
	bit = b->from_top ? 63 - (bit + b->low + b->width - 1) : bit + b->low;
	*ret = b->word >> (bit & 63) & ((1u << b->width) - 1);
	return ST_OK;
}
