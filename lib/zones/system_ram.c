// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/system_ram.h"

#include <stdlib.h>

#include "dump/layout.h"
#include "zones/zones.h"

/* include/linux/ioport.h, since 4.6 */
#define IORESOURCE_SYSRAM 0x01000000

/* The most that x86_64 and arm64 have. */
#define MAX_PHYSMEM_BITS 52

#define MAX_RESOURCES 100000 /* of the tree iomem; a large machine has some thousands */
#define MAX_RANGES 16384     /* of System RAM; those of one node are mostly joined */
#define MAX_DEPTH 16	     /* a device of a bridge of a bridge is at 6 */
#define RESOURCE_BYTES 128   /* of struct resource, which has 64 to 96 */
#define POLL_PAGES 4096

enum { R_START, R_END, R_FLAGS, R_SIBLING, R_CHILD, R_FIELDS };

static const struct layout_row rows[R_FIELDS] = {
	[R_START] = { "struct resource", { "start" }, REQUIRED, "all" },
	[R_END] = { "struct resource", { "end" }, REQUIRED, "all" },
	[R_FLAGS] = { "struct resource", { "flags" }, REQUIRED, "all" },
	[R_SIBLING] = { "struct resource", { "sibling" }, REQUIRED, "all" },
	[R_CHILD] = { "struct resource", { "child" }, REQUIRED, "all" },
};

struct walk {
	struct dump *dump;
	struct field fields[R_FIELDS];
	size_t span;
	struct ram *ram;
	unsigned int seen;
};

static enum status add_range(struct walk *w, uint64_t start, uint64_t end)
{
	const struct dump *d = w->dump;
	struct ram_range *r = &w->ram->ranges[w->ram->n];

	if (end < start || end >> MAX_PHYSMEM_BITS)
		return dump_fail(w->dump, ST_CORRUPT, "impossible System RAM resource %#lx-%#lx",
				 start, end);
	if (w->ram->n == MAX_RANGES)
		return dump_fail(w->dump, ST_CORRUPT, "more than %d System RAM resources",
				 MAX_RANGES);
	/* Whole pages only, as walk_system_ram_range() counts them. */
	r->start = (start >> d->page_shift) + !!(start & (dump_page_size(d) - 1));
	r->end = (end + 1) >> d->page_shift;
	if (r->end > r->start)
		w->ram->n++;
	return ST_OK;
}

static enum status walk_siblings(struct walk *w, uint64_t addr, unsigned int depth)
{
	uint8_t buf[RESOURCE_BYTES];

	if (depth > MAX_DEPTH)
		return dump_fail(w->dump, ST_CORRUPT, "resource tree deeper than %d", MAX_DEPTH);
	while (addr) {
		enum status st = dump_read(w->dump, addr, buf, w->span, "struct resource");
		uint64_t child;

		if (st != ST_OK)
			return st;
		if (++w->seen > MAX_RESOURCES)
			return dump_fail(w->dump, ST_CORRUPT, "resource tree loops");
		child = field_get(&w->fields[R_CHILD], buf);
		if (field_get(&w->fields[R_FLAGS], buf) & IORESOURCE_SYSRAM)
			st = add_range(w, field_get(&w->fields[R_START], buf),
				       field_get(&w->fields[R_END], buf));
		else if (child)
			st = walk_siblings(w, child, depth + 1);
		if (st != ST_OK)
			return st;
		addr = field_get(&w->fields[R_SIBLING], buf);
	}
	return ST_OK;
}

static int by_start(const void *a, const void *b)
{
	const struct ram_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static enum status check_ranges(struct dump *d, struct ram *ram)
{
	qsort(ram->ranges, ram->n, sizeof(*ram->ranges), by_start);
	for (size_t i = 0; i < ram->n; i++) {
		const struct ram_range *r = &ram->ranges[i];

		if (i && r->start < r[-1].end)
			return dump_fail(d, ST_CORRUPT, "System RAM resources overlap at pfn %#lx",
					 r->start);
		ram->pages += r->end - r->start;
		decoder_trace(d, "ram    pfn %#lx-%#lx", r->start, r->end - 1);
	}
	if (!ram->pages)
		return dump_fail(d, ST_CORRUPT, "no System RAM in the resource tree");
	return ST_OK;
}

/* All pfns below the last one of the kernel: max_pfn is in its image. */
static enum status below_max_pfn(struct dump *d, struct ram *ram)
{
	uint64_t end;

	if (dump_value(d, "max_pfn", &end) != ST_OK || !end ||
	    end >> (MAX_PHYSMEM_BITS - d->page_shift))
		return ST_UNREADABLE;
	ram->ranges[0] = (struct ram_range){ 0, end };
	ram->n = 1;
	ram->name = "pfns below max_pfn";
	return ST_OK;
}

/* Zones of interleaved nodes overlap: what is in two counts once. */
static enum status from_zones(struct dump *d, struct ram *ram)
{
	struct zones zones;
	size_t n = 0;

	if (zones_open(d, &zones) != ST_OK)
		return below_max_pfn(d, ram);
	ram->name = "zone spans";
	for (ram->n = 0; ram->n < zones.n && ram->n < MAX_RANGES; ram->n++)
		ram->ranges[ram->n] = (struct ram_range){ zones.zones[ram->n].start,
							  zones.zones[ram->n].end };
	qsort(ram->ranges, ram->n, sizeof(*ram->ranges), by_start);
	for (size_t i = 0; i < ram->n; i++) {
		struct ram_range r = ram->ranges[i];

		if (r.end < r.start || r.end >> (MAX_PHYSMEM_BITS - d->page_shift))
			return dump_fail(d, ST_CORRUPT, "impossible zone at pfn %#lx", r.start);
		if (n && r.start < ram->ranges[n - 1].end)
			r.start = ram->ranges[n - 1].end;
		if (r.end > r.start)
			ram->ranges[n++] = r;
	}
	ram->n = n;
	return ST_OK;
}

/* The tree is not in this dump. */
static enum status derive(struct dump *d, struct ram *ram)
{
	const char *why = dump_why(d);
	char text[DUMP_ERROR];
	enum status st;

	st = from_zones(d, ram);
	if (st == ST_UNREADABLE)
		return dump_fail(d, st, "%s", why);
	if (st != ST_OK)
		return st;
	snprintf(text, sizeof(text),
		 "the resource tree is not in the dump; using %s, holes included: %s", ram->name,
		 why);
	ram->derived = arena_strdup(d->arena, text);
	return ST_OK;
}

enum status ram_open(struct dump *d, struct ram *ret)
{
	struct ram ram = { .name = "System RAM" };
	struct walk w = { .dump = d, .ram = &ram };
	uint64_t root, child;
	enum status st = layout_resolve(d, rows, R_FIELDS, w.fields);

	if (st != ST_OK)
		return st;
	w.span = layout_span(w.fields, R_FIELDS);
	if (w.span > RESOURCE_BYTES)
		return dump_fail(d, ST_UNKNOWN, "unknown layout: struct resource spans %zu bytes",
				 w.span);
	st = dump_symbol(d, "iomem_resource", &root);
	if (st != ST_OK)
		return st;
	ram.ranges = dump_alloc(d, MAX_RANGES * sizeof(*ram.ranges));
	st = dump_u64(d, root + w.fields[R_CHILD].offset, &child, "iomem_resource")
		     ?: walk_siblings(&w, child, 0);
	if (st == ST_UNREADABLE)
		st = derive(d, &ram);
	st = st ?: check_ranges(d, &ram);
	if (st == ST_OK)
		*ret = ram;
	return st;
}

bool ram_has(const struct ram *ram, uint64_t pfn)
{
	for (size_t i = 0; i < ram->n; i++)
		if (pfn >= ram->ranges[i].start && pfn < ram->ranges[i].end)
			return true;
	return false;
}

enum status ram_walk_runs(struct dump *d, const struct ram *ram,
			  enum status (*visit)(void *arg, uint64_t *pfn, uint64_t end), void *arg)
{
	uint64_t done = 0, polled = 0;

	for (size_t i = 0; i < ram->n; i++)
		for (uint64_t pfn = ram->ranges[i].start, end = ram->ranges[i].end; pfn < end;) {
			uint64_t first = pfn, poll = polled + POLL_PAGES - done;
			enum status st = visit(arg, &pfn, poll < end - pfn ? pfn + poll : end);

			if (st != ST_OK)
				return st;
			done += pfn - first;
			if (done - polled < POLL_PAGES)
				continue;
			polled = done;
			if (dump_stopped(d))
				return ST_STOPPED;
			if (d->ops->progress)
				dump_ask(d, progress, done, ram->pages);
		}
	return ST_OK;
}

struct each {
	enum status (*visit)(void *arg, uint64_t pfn);
	void *arg;
};

static enum status visit_each(void *arg, uint64_t *pfn, uint64_t end)
{
	const struct each *e = arg;
	enum status st = ST_OK;

	while (*pfn < end && st == ST_OK)
		st = e->visit(e->arg, (*pfn)++);
	return st;
}

enum status ram_walk(struct dump *d, const struct ram *ram,
		     enum status (*visit)(void *arg, uint64_t pfn), void *arg)
{
	struct each each = { visit, arg };

	return ram_walk_runs(d, ram, visit_each, &each);
}
