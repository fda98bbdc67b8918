// SPDX-License-Identifier: GPL-2.0-or-later
#include "page_owner/page_ext.h"

#include "dump/layout.h"

/*
 * Low bit of the pointer while a section goes offline (6.1: mm: fix use-after free of page_ext after
 * race with memory-offline).
 */
#define PAGE_EXT_INVALID 1

#define MAX_ENTRY_BYTES 1024 /* of page_ext; page_owner and a tag take 64 to 96 */

/* What says how long an entry is. */
enum { SIZE_OF_ENTRY, SIZE_OF_CLIENTS, SIZE_FORKS };

static const struct fork size_forks[SIZE_FORKS] = {
	[SIZE_OF_ENTRY] = { "page_ext_size, the whole entry", "5.4", .symbol = "page_ext_size" },
	[SIZE_OF_CLIENTS] = { "extra_mem, what clients add to struct page_ext",
			      "3.19: mm/page_ext: resurrect struct page extending code for debugging",
			      .symbol = "extra_mem" },
};

static enum status entry_size(struct dump *d, uint64_t *ret)
{
	size_t fork = fork_find(d, "page_ext entry", size_forks, SIZE_FORKS);
	uint64_t size, flags_size;
	enum status st;

	if (fork == SIZE_FORKS)
		return dump_built_with(d, "CONFIG_PAGE_EXTENSION", "page_ext_size",
				       "struct page_ext");
	st = dump_value(d, size_forks[fork].symbol, &size);
	if (st == ST_OK && fork == SIZE_OF_CLIENTS) {
		if (dump_ask(d, type_size, "struct page_ext", &flags_size) != ST_OK)
			return dump_unknown(d, "no size of struct page_ext");
		size += flags_size;
	}
	if (st != ST_OK)
		return st;
	if (!size || size > MAX_ENTRY_BYTES)
		return dump_corrupt(d, "page_ext entries of %lu bytes", size);
	*ret = size;
	return ST_OK;
}

enum status page_ext_open(struct dump *d, struct page_ext *ret)
{
	struct page_ext x = { .dump = d };
	enum status st = entry_size(d, &x.entry_size) ?: memmap_open(d, &x.memmap);

	if (st == ST_OK && x.memmap.is_flat && !x.memmap.flat.has_page_ext)
		return dump_unknown(d, "FLATMEM, but no pglist_data.node_page_ext");
	if (st == ST_OK && !x.memmap.is_flat && !x.memmap.sections.page_ext.present)
		return dump_unknown(d, "struct mem_section has no page_ext");
	if (st == ST_OK)
		read_window_init(&x.window, d);
	return RESULT(st, ret, x);
}

enum status page_ext_offset(struct dump *d, const char *ops, uint64_t *ret)
{
	static const struct layout_row row = {
		"struct page_ext_operations", { "offset" }, REQUIRED, "all"
	};
	struct field offset;
	uint64_t addr;
	uint8_t b[8];
	enum status st = layout_resolve(d, &row, 1, &offset);

	if (st == ST_OK && offset.size > sizeof(b))
		st = dump_unknown(d, "page_ext_operations.offset");
	st = st ?: dump_symbol(d, ops, &addr) ?:
			dump_read(d, addr + offset.offset, b, offset.size, ops);
	if (st != ST_OK)
		return st;
	*ret = 0;
	memcpy(ret, b, offset.size);
	decoder_trace(d, "value  %s.offset = %lu", ops, *ret);
	return ST_OK;
}

static enum status section_table(struct page_ext *x, uint64_t pfn)
{
	struct sections *s = &x->memmap.sections;
	uint64_t nr = pfn >> s->shift, addr, base;
	enum status st;

	x->start = nr << s->shift;
	x->end = (nr + 1) << s->shift;
	st = sections_find(s, nr, &addr)
		     ?: dump_u64(x->dump, addr + s->page_ext.offset, &base, "struct mem_section");
	if (st != ST_OK)
		return st;
	/* Going offline: the entries say nothing any more. */
	x->offline = base & PAGE_EXT_INVALID;
	if (!base || x->offline)
		return ST_ABSENT;
	x->base = base;
	return ST_OK;
}

static enum status node_table(struct page_ext *x, uint64_t pfn)
{
	const struct flat_node *node = flatmem_find(&x->memmap.flat, pfn);

	x->start = node ? node->start : pfn;
	x->end = node ? node->end : pfn + 1;
	if (!node || !node->page_ext)
		return ST_ABSENT;
	x->base = node->page_ext - x->entry_size * node->ext_start;
	return ST_OK;
}

enum status page_ext_at(struct page_ext *x, uint64_t pfn, const uint8_t **ret)
{
	if (pfn < x->start || pfn >= x->end) {
		x->offline = false;
		x->status = x->memmap.is_flat ? node_table(x, pfn) : section_table(x, pfn);
		read_window_table(&x->window, x->base + x->entry_size * x->end);
	}
	if (x->status != ST_OK)
		return x->status;
	*ret = read_window_at(&x->window, x->base + x->entry_size * pfn, x->entry_size);
	return *ret ? ST_OK : ST_UNREADABLE;
}

enum status page_ext_run(struct page_ext *x, uint64_t pfn, uint64_t end, const uint8_t **ret,
			 uint64_t *n)
{
	enum status st = page_ext_at(x, pfn, ret);
	uint64_t there;

	*n = 1;
	if (st != ST_OK || x->window.bad)
		return st;
	there = (x->window.buf + (x->window.end - x->window.base) - *ret) / x->entry_size;
	end = end < x->end ? end : x->end;
	*n = there < end - pfn ? there : end - pfn;
	return ST_OK;
}
