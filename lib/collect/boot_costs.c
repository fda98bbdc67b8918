// SPDX-License-Identifier: GPL-2.0-or-later
#include "collect/boot_costs.h"

#include "page_owner/page_ext.h"

#define MOST_BYTES 1024		  /* of a record of a page or an object */
#define MOST_ALIGNMENT 65536	  /* of an object: of none that kmalloc has is more demanded */
#define MOST_OBJECTS (1ULL << 44) /* no memory has more: products of more would wrap */

static struct maybe_u64 size_of(struct dump *d, const char *type)
{
	struct maybe_u64 size = { 0 };

	size.known = dump_ask(d, type_size, type, &size.n) == ST_OK && size.n &&
		     size.n <= MOST_BYTES;
	return size;
}

/* The kernel has a record for each page of a section, or of a node: of those that are no memory too. */
static struct maybe_u64 pages_of(struct memmap *m, const struct ram *ram)
{
	const uint64_t end = ram->n ? ram->ranges[ram->n - 1].end : 0;
	struct maybe_u64 pages = { 0, true };
	uint64_t page;

	if (m->is_flat) {
		for (unsigned int i = 0; i < m->flat.n; i++)
			pages.n += m->flat.nodes[i].end - m->flat.nodes[i].start;
		return pages;
	}
	for (uint64_t pfn = 0; pfn < end; pfn += 1ULL << m->sections.shift) {
		enum status st = sections_page(&m->sections, pfn, &page);

		if (st != ST_OK && st != ST_ABSENT)
			return (struct maybe_u64){ 0 };
		pages.n += st == ST_OK ? 1ULL << m->sections.shift : 0;
	}
	return pages;
}

/* Bytes of the struct page_ext in front of what its clients have; 0: there is one already. */
static struct maybe_u64 header_of(struct dump *d, const struct ram *ram)
{
	struct page_ext x;
	const uint8_t *entry;
	enum status st = page_ext_open(d, &x);

	if (st == ST_OK && ram->n)
		st = page_ext_at(&x, ram->ranges[ram->n - 1].end - 1, &entry);
	return st == ST_OK || st == ST_UNREADABLE ? (struct maybe_u64){ 0, true }
						  : size_of(d, "struct page_ext");
}

static struct maybe_u64 cost_of_pages(struct dump *d, struct memmap *m, const struct ram *ram,
				      struct maybe_u64 record)
{
	const struct maybe_u64 pages = pages_of(m, ram), header = header_of(d, ram);

	if (!record.known || !header.known || !pages.known)
		return (struct maybe_u64){ 0 };
	return (struct maybe_u64){ pages.n * (header.n + record.n), true };
}

struct maybe_u64 page_owner_cost(struct dump *d, struct memmap *m, const struct ram *ram)
{
	return cost_of_pages(d, m, ram, size_of(d, "struct page_owner"));
}

struct maybe_u64 profiling_cost(struct dump *d, struct memmap *m, const struct ram *ram,
				uint64_t objects)
{
	const struct maybe_u64 ext = size_of(d, "struct slabobj_ext");
	struct maybe_u64 cost = cost_of_pages(d, m, ram, size_of(d, "union codetag_ref"));

	cost.known &= ext.known && objects < MOST_OBJECTS;
	cost.n += objects * ext.n;
	return cost;
}

/* 1: unknown, or none is demanded. */
static uint32_t alignment_of(struct dump *d, uint64_t cache)
{
	struct field f;
	uint32_t align = 1;

	if (!cache || dump_ask(d, member, "struct kmem_cache", "align", &f) != ST_OK ||
	    f.size != sizeof(align) ||
	    dump_u32(d, cache + f.offset, &align, "kmem_cache.align") != ST_OK)
		align = 1;
	d->error[0] = '\0';
	return align && !(align & (align - 1)) && align <= MOST_ALIGNMENT ? align : 1;
}

struct maybe_u64 tracks_cost(struct dump *d, uint64_t objects, uint64_t cache, uint32_t size)
{
	const struct maybe_u64 track = size_of(d, "struct track");
	const uint64_t align = alignment_of(d, cache);
	uint64_t each;

	if (!track.known || objects >= MOST_OBJECTS || !dump_knows_symbol(d, "slub_debug"))
		return (struct maybe_u64){ 0 };
	each = ((size + 2 * track.n + align - 1) & ~(align - 1)) - size;
	return (struct maybe_u64){ each * objects, true };
}
