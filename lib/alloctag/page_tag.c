// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloctag/page_tag.h"

#include "dump/layout.h"
#include "kernel/static_key.h"

#define MAX_TAGS (1u << 16) /* an index is kept in 16 bits (pgalloc_tag_idx) */
#define RESERVED_INDEXES 2  /* 0: none, 1: empty */

enum { K_FIRST, K_COUNT, M_FIRST, M_SIZE, X_FIELDS };

static const struct layout_row rows[X_FIELDS] = {
	[K_FIRST] = { "struct alloc_tag_kernel_section", { "first_tag" }, REQUIRED, "6.13" },
	[K_COUNT] = { "struct alloc_tag_kernel_section", { "count" }, REQUIRED, "6.13" },
	[M_FIRST] = { "struct alloc_tag_module_section", { "first_tag" }, REQUIRED, "6.13" },
	[M_SIZE] = { "struct alloc_tag_module_section", { "size" }, OPTIONAL, "6.13" },
};

static enum status read_member(struct dump *d, uint64_t base, const struct field *f,
			       const char *what, uint64_t *ret)
{
	uint8_t b[8];
	struct field at_0 = *f;
	enum status st = f->size > sizeof(b) ? dump_unknown(d, "%s", what)
					     : dump_read(d, base + f->offset, b, f->size, what);

	at_0.offset = 0;
	return RESULT(st, ret, field_get(&at_0, b));
}

static enum status open_indexes(struct dump *d, struct page_tags *t)
{
	struct field f[X_FIELDS];
	uint64_t kernel, module, shift, size = 0;
	enum status st = layout_resolve(d, rows, X_FIELDS, f);

	if (st == ST_OK && dump_ask(d, type_size, "struct alloc_tag", &t->tag_size) != ST_OK)
		st = dump_unknown(d, "no size of struct alloc_tag");
	st = st ?: dump_value(d, "alloc_tag_ref_offs", &shift) ?:
			dump_value(d, "alloc_tag_ref_mask", &t->mask) ?:
			dump_symbol(d, "kernel_tags", &kernel) ?:
			read_member(d, kernel, &f[K_FIRST], "kernel_tags", &t->kernel) ?:
			read_member(d, kernel, &f[K_COUNT], "kernel_tags", &t->kernel_tags);
	if (st != ST_OK)
		return st;
	/* All bits of the flags that nothing else uses, from the highest of them down. */
	if (!t->tag_size || shift > 63 || !t->mask || t->mask & (t->mask + 1) ||
	    t->mask > UINT64_MAX >> shift || t->kernel_tags > MAX_TAGS)
		return dump_corrupt(d, "alloc tags in page flags: %lu, mask %#lx << %lu",
				    t->kernel_tags, t->mask, shift);
	t->shift = shift;
	/* Without modules there is no such section. */
	if (dump_symbol(d, "module_tags", &module) != ST_OK)
		return ST_OK;
	st = read_member(d, module, &f[M_FIRST], "module_tags", &t->module);
	if (st == ST_OK && f[M_SIZE].present)
		st = read_member(d, module, &f[M_SIZE], "module_tags", &size);
	t->module_tags = size / t->tag_size < MAX_TAGS ? size / t->tag_size : MAX_TAGS;
	return st;
}

static enum status open_pointers(struct dump *d, struct page_tags *t)
{
	enum status st;

	if (!dump_has_symbol(d, "page_alloc_tagging_ops"))
		return dump_knows_symbol(d, "alloc_tag_cttype")
			       ? dump_unknown(d, "no symbol page_alloc_tagging_ops")
			       : dump_absent(d, "this kernel keeps no alloc tags of pages");
	st = page_ext_open(d, &t->ext) ?: page_ext_offset(d, "page_alloc_tagging_ops", &t->offset);
	/* Offset 0 is a client that was not needed, or the first one: then others take no room. */
	if (st == ST_OK && t->offset + 8 > t->ext.entry_size)
		st = dump_corrupt(d, "alloc tags at byte %lu of page_ext entries of %lu", t->offset,
				  t->ext.entry_size);
	return st;
}

enum status page_tags_open(struct dump *d, struct page_tags *ret)
{
	struct page_tags t = { 0 };
	uint64_t supported = 1;
	enum status st = ST_OK;

	if (dump_has_symbol(d, "mem_profiling_compressed")) {
		/* Before, it was gone after boot. */
		st = dump_value(d, "mem_profiling_support", &supported)
			     ?: static_key_read(d, "mem_profiling_compressed", &t.compressed);
	}
	if (st == ST_OK && !(supported & 0xff))
		st = dump_absent(d, "memory allocation profiling was off at boot");
	if (st == ST_OK)
		st = t.compressed ? open_indexes(d, &t) : open_pointers(d, &t);
	if (st != ST_OK)
		return st;
	decoder_trace(d, "decide tags of pages are in %s",
		      t.compressed ? "page flags" : "page_ext");
	*ret = t;
	return ST_OK;
}

static enum status tag_of_index(const struct page_tags *t, uint64_t index, uint64_t *ret)
{
	if (index < RESERVED_INDEXES) {
		*ret = index ? TAG_EMPTY : 0;
		return ST_OK;
	}
	index -= RESERVED_INDEXES;
	if (index < t->kernel_tags)
		*ret = t->kernel + index * t->tag_size;
	else if (index - t->kernel_tags < t->module_tags)
		*ret = t->module + (index - t->kernel_tags) * t->tag_size;
	else
		return ST_CORRUPT;
	return ST_OK;
}

enum status page_tags_at(struct page_tags *t, uint64_t pfn, const struct page_info *info,
			 uint64_t *ret)
{
	const uint8_t *entry;

	if (t->compressed)
		return tag_of_index(t, info->flags >> t->shift & t->mask, ret);
	return RESULT(page_ext_at(&t->ext, pfn, &entry), ret, le64(entry + t->offset));
}
