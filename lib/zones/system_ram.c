// SPDX-License-Identifier: GPL-2.0-or-later
#include "zones/system_ram.h"

#include <stdlib.h>

#include "kernel/dump_info.h"
#include "util/utf8.h"
#include "zones/zones.h"

/* include/linux/ioport.h, since 4.6; what walk_system_ram_range() asks for (kernel/resource.c): the region of a device of
 * virtio-mem is SYSRAM alone, and what it has of memory is below it. */
#define IORESOURCE_SYSRAM 0x01000000
#define IORESOURCE_BUSY 0x80000000

/* The most that x86_64 and arm64 have. */
#define MAX_PHYSMEM_BITS 52

#define MAX_RESOURCES 100000 /* of the tree iomem; a large machine has some thousands */
#define MAX_RANGES 16384     /* of System RAM; those of one node are mostly joined */
#define MAX_DEPTH 16	     /* a device of a bridge of a bridge is at 6 */
#define POLL_PAGES 4096

struct walk {
	struct dump *dump;
	struct structure resource;
	struct ram *ram;
	unsigned int seen;
};

struct resource {
	uint64_t start, end, flags, sibling, child, name;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct walk, resource, "struct resource"),
	READS(struct resource, start, REQUIRED, "all", "start"),
	READS(struct resource, end, REQUIRED, "all", "end"),
	READS(struct resource, flags, REQUIRED, "all", "flags"),
	READS(struct resource, sibling, REQUIRED, "all", "sibling"),
	READS(struct resource, child, REQUIRED, "all", "child"),
	POINTS(struct resource, name, OPTIONAL, "all", "name"),
};

/* What add_memory_driver_managed() wants a name to be like (mm/memory_hotplug.c). */
static const char *driver_of(struct dump *d, uint64_t name)
{
	static const char is[] = "System RAM (";
	char text[64]; /* the name of a driver, which is that of a module at most: 56 bytes */
	size_t n;

	if (!name || dump_string(d, name, text, sizeof(text), "name of a resource") != ST_OK)
		return NULL;
	n = strlen(text);
	if (strncmp(text, is, sizeof(is) - 1) || n < sizeof(is) + 1 || text[n - 1] != ')')
		return NULL;
	text[n - 1] = '\0';
	printable(text);
	return dump_strdup(d, text + sizeof(is) - 1);
}

static enum status add_range(struct walk *w, uint64_t start, uint64_t end, uint64_t name)
{
	struct dump *d = w->dump;
	struct ram_range *r = &w->ram->ranges[w->ram->n];

	if (end < start || end >> MAX_PHYSMEM_BITS)
		return dump_corrupt(w->dump, "impossible System RAM resource %#lx-%#lx", start,
				    end);
	if (w->ram->n == MAX_RANGES)
		return dump_corrupt(w->dump, "more than %d System RAM resources", MAX_RANGES);
	/* Whole pages only, as walk_system_ram_range() counts them. */
	r->start = (start >> d->page_shift) + !!(start & (dump_page_size(d) - 1));
	r->end = (end + 1) >> d->page_shift;
	r->driver = driver_of(d, name);
	if (r->end > r->start)
		w->ram->n++;
	return ST_OK;
}

static enum status walk_siblings(struct walk *w, uint64_t addr, unsigned int depth)
{
	struct resource r;
	enum status st = ST_OK;

	if (depth > MAX_DEPTH)
		return dump_corrupt(w->dump, "resource tree deeper than %d", MAX_DEPTH);
	for (; st == ST_OK && addr; addr = r.sibling) {
		if (struct_read(&w->resource, addr, &r) != ST_OK)
			return dump_unreadable(w->dump,
					       "struct resource at %#lx is not in this dump", addr);
		if (++w->seen > MAX_RESOURCES)
			return dump_corrupt(w->dump, "resource tree loops");
		if ((r.flags & IORESOURCE_SYSRAM) && (r.flags & IORESOURCE_BUSY))
			st = add_range(w, r.start, r.end, r.name);
		else if (r.child)
			st = walk_siblings(w, r.child, depth + 1);
	}
	return st;
}

ORDER_BY(by_start, struct ram_range, COMPARE(x->start, y->start))

static enum status check_ranges(struct dump *d, struct ram *ram)
{
	qsort(ram->ranges, ram->n, sizeof(*ram->ranges), by_start);
	for (size_t i = 0; i < ram->n; i++) {
		const struct ram_range *r = &ram->ranges[i];

		if (i && r->start < r[-1].end)
			return dump_corrupt(d, "System RAM resources overlap at pfn %#lx",
					    r->start);
		ram->pages += r->end - r->start;
		decoder_trace(d, "ram    pfn %#lx-%#lx", r->start, r->end - 1);
	}
	return ram->pages ? ST_OK : dump_corrupt(d, "no System RAM in the resource tree");
}

/*
 * All pfns below the last one of the kernel: max_pfn is in its image. RAM of arm64 does not begin at 0: min_low_pfn
 * is its first page there, and 0 on x86.
 */
static enum status below_max_pfn(struct dump *d, struct ram *ram)
{
	uint64_t start, end;

	if (dump_value(d, "max_pfn", &end) != ST_OK || !end ||
	    end >> (MAX_PHYSMEM_BITS - d->page_shift))
		return ST_UNREADABLE;
	if (dump_value(d, "min_low_pfn", &start) != ST_OK || start >= end)
		start = 0;
	ram->ranges[0] = (struct ram_range){ start, end };
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
			return dump_corrupt(d, "impossible zone at pfn %#lx", r.start);
		if (n && r.start < ram->ranges[n - 1].end)
			r.start = ram->ranges[n - 1].end;
		if (r.end > r.start)
			ram->ranges[n++] = r;
	}
	ram->n = n;
	return ST_OK;
}

/* More than physical addresses have, and than any image. */
#define MAX_BYTES (1ULL << 52)

enum { RES_START, RES_END, RES_FIELDS };

static const struct layout_row boot_memory_rows[RES_FIELDS] = {
	[RES_START] = { "struct resource", { "start" }, REQUIRED, "all" },
	[RES_END] = { "struct resource", { "end" }, REQUIRED, "all" },
};

/* A struct resource without a range has the end 0.  A kernel without CONFIG_KEXEC has none. */
static enum status read_resource(struct dump *d, const struct field f[RES_FIELDS], const char *name,
				 struct ram_range *ret)
{
	uint64_t at, start, end;
	enum status st;

	*ret = (struct ram_range){ 0 };
	if (!dump_has_symbol(d, name))
		return ST_OK;
	st = dump_symbol(d, name, &at) ?: dump_u64(d, at + f[RES_START].offset, &start, name)
				       ?: dump_u64(d, at + f[RES_END].offset, &end, name);
	if (st == ST_OK && end > start && end - start <= MAX_BYTES)
		*ret = (struct ram_range){ .start = start, .end = end + 1 };
	return st;
}

static const char *const capture_names[] = { "crashk_res", "crashk_low_res" };

/* Adds the bytes of the range. */
static enum status add_resource(struct dump *d, const struct field f[RES_FIELDS], const char *name,
				uint64_t *bytes)
{
	struct ram_range r;
	enum status st = read_resource(d, f, name, &r);

	*bytes += r.end - r.start;
	return st;
}

static bool is_in_ram(const struct ram *ram, const struct ram_range *pfns)
{
	return ANY_OF(i, ram->n,
		      pfns->start >= ram->ranges[i].start && pfns->end <= ram->ranges[i].end);
}

/* The page allocator never has it, and no owner but that kernel can: a range that is no part of RAM is none. */
static void find_capture(struct dump *d, struct ram *ram)
{
	struct field f[RES_FIELDS];
	uint64_t pages = 0;

	for (size_t i = 0; i < ARRAY_SIZE(capture_names); i++) {
		struct ram_range r = { 0 };

		if (layout_resolve(d, boot_memory_rows, RES_FIELDS, f) != ST_OK ||
		    read_resource(d, f, capture_names[i], &r) != ST_OK) {
			d->error[0] = '\0';
			return;
		}
		r.start >>= d->page_shift;
		r.end >>= d->page_shift;
		if (is_in_ram(ram, &r))
			pages += r.end - r.start;
	}
	if (pages < ram->pages)
		ram->capture = pages;
}

/* tree: what is said of the resource tree, whose RAM is not taken. */
static enum status derive(struct dump *d, const char *tree, struct ram *ram)
{
	const char *why = dump_why(d);
	enum status st = from_zones(d, ram);

	if (st == ST_UNREADABLE)
		return dump_fail(d, st, "%s", why);
	if (st != ST_OK)
		return st;
	ram->derived = dump_text(d, "the resource tree %s; using %s, holes included: %s", tree,
				 ram->name, why);
	return ST_OK;
}

/*
 * All that the page allocator has lies in System RAM, below max_pfn: of a tree with less than MemTotal a part was lost,
 * as where the memory that it lies in is that of another address; or MemTotal, which is one word, is damaged. True: they
 * contradict each other, and dump_why() tells how.
 */
static bool lacks_of_total(struct dump *d, const struct ram *ram)
{
	uint64_t pages = 0, total, end;

	for (size_t i = 0; i < ram->n; i++)
		pages += ram->ranges[i].end - ram->ranges[i].start;
	if (mem_total_read(d, &total) != ST_OK || dump_value(d, "max_pfn", &end) != ST_OK ||
	    total <= pages || total > end) {
		d->error[0] = '\0';
		return false;
	}
	dump_corrupt(d, "System RAM resources have %lu pages, MemTotal is %lu", pages, total);
	return true;
}

enum status ram_open(struct dump *d, struct ram *ret)
{
	struct ram ram = { .name = "System RAM" };
	struct walk w = { .dump = d, .ram = &ram };
	struct resource top;
	uint64_t root;
	enum status st = STRUCTS_OPEN(d, rows, &w) ?: dump_symbol(d, "iomem_resource", &root);

	if (st != ST_OK)
		return st;
	ram.ranges = dump_alloc(d, MAX_RANGES * sizeof(*ram.ranges));
	st = struct_read(&w.resource, root, &top) ?: walk_siblings(&w, top.child, 0);
	if (st == ST_UNREADABLE)
		st = derive(d, "is not in the dump", &ram);
	else if (st == ST_OK && lacks_of_total(d, &ram))
		st = derive(d, "and MemTotal contradict each other", &ram);
	st = st ?: check_ranges(d, &ram);
	if (st == ST_OK)
		find_capture(d, &ram);
	return RESULT(st, ret, ram);
}

bool ram_has(const struct ram *ram, uint64_t pfn)
{
	return ANY_OF(i, ram->n, pfn >= ram->ranges[i].start && pfn < ram->ranges[i].end);
}

const char *ram_driver(const struct ram *ram, uint64_t pfn)
{
	for (size_t i = 0; i < ram->n; i++)
		if (pfn >= ram->ranges[i].start && pfn < ram->ranges[i].end)
			return ram->ranges[i].driver;
	return NULL;
}

const char *ram_first_driver(const struct ram *ram)
{
	for (size_t i = 0; i < ram->n; i++)
		if (ram->ranges[i].driver)
			return ram->ranges[i].driver;
	return NULL;
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

static uint64_t image_bytes(struct dump *d)
{
	uint64_t start, end;

	if ((dump_symbol(d, "_text", &start) != ST_OK &&
	     dump_symbol(d, "_stext", &start) != ST_OK) ||
	    dump_symbol(d, "_end", &end) != ST_OK || end < start || end - start > MAX_BYTES)
		return 0;
	return end - start;
}

enum status crash_kernel_pages(struct dump *d, uint64_t *ret)
{
	struct field f[RES_FIELDS];
	uint64_t bytes = 0;
	enum status st = layout_resolve(d, boot_memory_rows, RES_FIELDS, f)
				 ?: add_resource(d, f, capture_names[0], &bytes)
				 ?: add_resource(d, f, capture_names[1], &bytes);

	*ret = bytes >> d->page_shift;
	return st;
}

/* The parts of the image that stay: what is between them, and for boot alone, is given to the page allocator. */
static enum status kept_image_bytes(struct dump *d, uint64_t *ret)
{
	static const char *const parts[][2] = { { "_stext", "_etext" },
						{ "__start_rodata", "__end_rodata" },
						{ "_sdata", "_edata" },
						{ "__bss_start", "__bss_stop" } };
	uint64_t start, end;

	*ret = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		enum status st = dump_symbol(d, parts[i][0], &start)
					 ?: dump_symbol(d, parts[i][1], &end);

		if (st != ST_OK)
			return st;
		if (end < start || end - start > MAX_BYTES)
			return dump_corrupt(d, "%s (%#lx) is not behind %s (%#lx)", parts[i][1],
					    end, parts[i][0], start);
		*ret += end - start;
	}
	return ST_OK;
}

/* A struct page for each; 0: unknown. */
static uint64_t memmap_bytes(struct dump *d, uint64_t ram)
{
	const uint64_t size = dump_type_bytes(d, "struct page");

	return size < 4096 && ram < MAX_BYTES >> 12 ? ram * size : 0;
}

enum status boot_memory_read(struct dump *d, uint64_t ram, struct boot_memory *ret)
{
	uint64_t image;
	enum status st = kept_image_bytes(d, &image) ?: crash_kernel_pages(d, &ret->capture);

	if (st != ST_OK)
		return st;
	ret->image = image >> d->page_shift;
	ret->memmap = memmap_bytes(d, ram) >> d->page_shift;
	return ret->memmap ? ST_OK : dump_unknown(d, "the size of struct page is not known");
}

uint64_t boot_memory_pages(struct dump *d, uint64_t ram)
{
	const uint64_t bytes = image_bytes(d) + memmap_bytes(d, ram);
	uint64_t crash;

	crash_kernel_pages(d, &crash);
	return (bytes >> d->page_shift) + crash;
}
