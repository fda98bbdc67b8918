// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/sparsemem.h"

#include "dump/layout.h"

/*
 * The low bits of section_mem_map are flags; the rest is where struct page of
 * pfn 0 would be if the section's map went on down to it (mm/sparse.c).
 */
#define HAS_MEM_MAP 2
#define IS_ONLINE 4 /* 4.13 and later */
#define IS_EARLY 8  /* 5.3 and later */
#define MAP_FLAGS 0x3f

enum { S_MEM_MAP, S_PAGE_EXT, S_FIELDS };

static const struct layout_row rows[S_FIELDS] = {
	[S_MEM_MAP] = { "struct mem_section", { "section_mem_map" }, REQUIRED, "all" },
	[S_PAGE_EXT] = { "struct mem_section", { "page_ext" }, OPTIONAL, "CONFIG_PAGE_EXTENSION" },
};

/*
 * SECTION_SIZE_BITS is a macro.  Newer kernels put it into VMCOREINFO
 * (kernel/vmcore_info.c); for others the one size fits under which the highest
 * pfn lies in the section that the kernel says is its highest.
 */
static enum status section_shift(struct dump *d, unsigned int *ret)
{
	uint64_t max_pfn, highest;
	int64_t bits;
	enum status st;

	if (d->ops->vmcoreinfo &&
	    dump_ask(d, vmcoreinfo, "NUMBER(SECTION_SIZE_BITS)", &bits) == ST_OK &&
	    bits > d->page_shift && bits < 48) {
		decoder_trace(d, "decide SECTION_SIZE_BITS %ld from VMCOREINFO", bits);
		*ret = bits - d->page_shift;
		return ST_OK;
	}
	st = dump_value(d, "max_pfn", &max_pfn)
		     ?: dump_value(d, "__highest_present_section_nr", &highest);
	if (st != ST_OK)
		return st;
	for (unsigned int shift = 34 - d->page_shift; max_pfn && shift >= 24 - d->page_shift;
	     shift--) {
		if ((max_pfn - 1) >> shift != highest)
			continue;
		decoder_trace(d, "decide SECTION_SIZE_BITS %u from max_pfn", shift + d->page_shift);
		*ret = shift;
		return ST_OK;
	}
	return dump_unknown(d, "no section size puts pfn %#lx into section %lu", max_pfn, highest);
}

static enum status find_table(struct dump *d, struct sections *s)
{
	struct field table, entry;
	uint64_t addr;
	enum status st = dump_symbol(d, "mem_section", &addr);

	if (st != ST_OK)
		return st;
	if (dump_ask(d, variable, "mem_section", &table) != ST_OK)
		return dump_fail(d, ST_UNKNOWN, "no debug information for mem_section");
	s->extreme = true;
	s->per_root = dump_page_size(d) / s->entry_size;
	if (table.kind == KIND_POINTER)
		return dump_u64(d, addr, &s->table, "mem_section");
	s->table = addr;
	if (table.kind != KIND_ARRAY || dump_ask(d, variable, "mem_section[0]", &entry) != ST_OK)
		return dump_unknown(d, "mem_section is no array or pointer");
	if (entry.kind != KIND_POINTER) {
		s->extreme = false;
		s->per_root = entry.size / s->entry_size;
	}
	if (!s->per_root)
		return dump_unknown(d, "mem_section[0] has %u bytes", entry.size);
	return ST_OK;
}

enum status sections_open(struct dump *d, struct sections *ret)
{
	struct sections s = { .dump = d };
	struct field fields[S_FIELDS];
	enum status st;

	if (!dump_has_symbol(d, "mem_section"))
		return dump_absent(d, "no mem_section: this kernel has FLATMEM");
	st = layout_resolve(d, rows, S_FIELDS, fields);
	if (st != ST_OK)
		return st;
	s.mem_map = fields[S_MEM_MAP];
	s.page_ext = fields[S_PAGE_EXT];
	s.entry_size = dump_type_bytes(d, "struct mem_section");
	if (!s.entry_size || s.entry_size > dump_page_size(d))
		return dump_unknown(d, "no size of struct mem_section");
	s.page_bytes = dump_type_bytes(d, "struct page");
	st = section_shift(d, &s.shift) ?: find_table(d, &s);
	if (st == ST_ABSENT)
		return dump_unknown(d, "SPARSEMEM without %s",
				    dump_has_symbol(d, "max_pfn") ? "__highest_present_section_nr"
								  : "max_pfn");
	if (st != ST_OK)
		return st;
	decoder_trace(d, "decide mem_section %s, %lu of %lu bytes a root, table %#lx",
		      s.extreme ? "EXTREME" : "static", s.per_root, s.entry_size, s.table);
	*ret = s;
	return ST_OK;
}

enum status sections_find(struct sections *s, uint64_t nr, uint64_t *ret)
{
	uint64_t root = s->table;

	if (s->extreme) {
		enum status st = dump_u64(s->dump, s->table + nr / s->per_root * 8, &root,
					  "mem_section");

		if (st != ST_OK)
			return st;
		if (!root)
			return dump_absent(s->dump, "no section %lu", nr);
		nr %= s->per_root;
	}
	*ret = root + nr * s->entry_size;
	return ST_OK;
}

static enum status read_map(struct sections *s, uint64_t nr, uint64_t *ret)
{
	uint64_t addr = 0;

	*ret = 0;
	return sections_find(s, nr, &addr)
		       ?: dump_u64(s->dump, addr + s->mem_map.offset, ret, "struct mem_section");
}

static enum status section_map(struct sections *s, uint64_t nr, uint64_t *ret)
{
	uint64_t map;
	enum status st = read_map(s, nr, &map);

	if (st != ST_OK)
		return st;
	if (!(map & HAS_MEM_MAP) || !s->page_bytes)
		return dump_absent(s->dump, "section %lu has no memory", nr);
	*ret = map & ~(uint64_t)MAP_FLAGS;
	return ST_OK;
}

enum status sections_page(struct sections *s, uint64_t pfn, uint64_t *ret)
{
	uint64_t map;

	return RESULT(section_map(s, pfn >> s->shift, &map), ret, map + pfn * s->page_bytes);
}

enum status sections_state(struct sections *s, uint64_t nr, struct section_state *ret)
{
	uint64_t map;
	enum status st = read_map(s, nr, &map);

	if (st == ST_ABSENT)
		st = ST_OK;
	if (st == ST_OK)
		*ret = (struct section_state){ map & IS_ONLINE, map & IS_EARLY, map & HAS_MEM_MAP };
	return st;
}

enum status sections_page_to_pfn(struct sections *s, uint64_t page, uint64_t end, uint64_t *ret)
{
	enum status st, missing = ST_ABSENT;

	for (uint64_t nr = 0; nr << s->shift < end; nr++) {
		uint64_t map = 0, pfn;

		if (!(nr & 1023) && dump_stopped(s->dump))
			return dump_fail(s->dump, ST_STOPPED, "interrupted");
		st = section_map(s, nr, &map);
		if (st != ST_OK && st != ST_ABSENT)
			missing = st;
		if (st != ST_OK || (page - map) % s->page_bytes)
			continue;
		pfn = (page - map) / s->page_bytes;
		if (pfn >> s->shift != nr)
			continue;
		*ret = pfn;
		return ST_OK;
	}
	if (missing != ST_ABSENT)
		return dump_fail(s->dump, missing,
				 "the pfn of struct page at %#lx is unknown: a part of mem_section "
				 "is not in this dump",
				 page);
	return dump_absent(s->dump, "%#lx is no struct page", page);
}
