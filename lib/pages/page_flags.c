// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/page_flags.h"

#include "dump/layout.h"
#include "util/strbuf.h"

#define MAX_NAME 24 /* of a flag; the longest has 13 */

enum { F_WIDTH, F_SHIFT, F_MASK, F_SPEC, F_NAME, F_FIELDS };

static const struct layout_row rows[F_FIELDS] = {
	[F_WIDTH] = { "struct page_flags_fields", { "width" }, REQUIRED, "5.12" },
	[F_SHIFT] = { "struct page_flags_fields", { "shift" }, REQUIRED, "5.12" },
	[F_MASK] = { "struct page_flags_fields", { "mask" }, REQUIRED, "5.12" },
	[F_SPEC] = { "struct page_flags_fields", { "spec" }, REQUIRED, "5.12" },
	[F_NAME] = { "struct page_flags_fields", { "name" }, REQUIRED, "5.12" },
};

struct specs {
	uint64_t decimal, flag; /* addresses of default_dec_spec and default_flag_spec */
};

static enum status read_field(struct dump *d, const struct field *f, const struct specs *specs,
			      const uint8_t *raw, struct pageflags *ret)
{
	uint64_t spec = field_get(&f[F_SPEC], raw), shift = field_get(&f[F_SHIFT], raw);
	char name[MAX_NAME];
	enum status st;

	if (!field_get(&f[F_WIDTH], raw))
		return ST_OK;
	if (shift > 63 || (spec != specs->decimal && spec != specs->flag))
		return dump_unknown(d, "pff, the fields of page.flags");
	st = dump_string(d, field_get(&f[F_NAME], raw), name, sizeof(name),
			 "name of a field of page.flags");
	if (st != ST_OK)
		return st;
	ret->fields[ret->nfields].shift = shift;
	ret->fields[ret->nfields].mask = field_get_signed(&f[F_MASK], raw);
	ret->fields[ret->nfields].decimal = spec == specs->decimal;
	ret->fields[ret->nfields].name = dump_strdup(d, name);
	decoder_trace(d, "decide page.flags has %s at bit %lu", name, shift);
	ret->nfields++;
	return ST_OK;
}

static enum status read_fields(struct dump *d, uint64_t bytes, struct pageflags *ret)
{
	struct field f[F_FIELDS], array;
	struct specs specs;
	uint8_t *raw;
	uint64_t addr = 0;
	enum status st = layout_resolve(d, rows, F_FIELDS, f) ?: dump_symbol(d, "pff", &addr) ?:
		dump_symbol(d, "default_dec_spec", &specs.decimal) ?:
		dump_symbol(d, "default_flag_spec", &specs.flag);

	if (st == ST_ABSENT ||
	    (st == ST_OK &&
	     (dump_ask(d, variable, "pff", &array) != ST_OK || array.kind != KIND_ARRAY || !bytes ||
	      bytes > dump_page_size(d) || layout_span(f, F_FIELDS) > bytes || array.size % bytes ||
	      array.size / bytes > PAGEFLAGS_FIELDS)))
		st = dump_unknown(d, "no table pff of page.flags");
	if (st != ST_OK)
		return st;
	raw = dump_alloc(d, bytes);
	for (uint64_t at = 0; st == ST_OK && at < array.size; at += bytes) {
		st = dump_read(d, addr + at, raw, bytes, "pff")
			     ?: read_field(d, f, &specs, raw, ret);
	}
	return st;
}

enum status pageflags_open(struct dump *d, struct pageflags *ret)
{
	uint64_t bytes;
	int64_t n;
	enum status st = flag_names_open(d, "pageflag_names", &ret->names);

	ret->nfields = 0;
	if (st != ST_OK)
		return st;
	if (dump_ask(d, enumerator, "__NR_PAGEFLAGS", &n) != ST_OK || n < 1 || n > 63)
		return dump_unknown(d, "no __NR_PAGEFLAGS");
	ret->mask = (1ULL << n) - 1;
	ret->lacks_fields = false;
	if (dump_ask(d, type_size, "struct page_flags_fields", &bytes) != ST_OK) {
		ret->lacks_fields = dump_knows_symbol(d, "pff");
		if (ret->lacks_fields)
			dump_lacks(d, "zones and nodes of page flags", ST_UNKNOWN,
				   "unknown layout: no struct page_flags_fields");
		return ST_OK;
	}
	return read_fields(d, bytes, ret);
}

size_t pageflags_text(const struct pageflags *f, uint64_t flags, char *buf)
{
	struct strbuf s = { buf, PAGEFLAGS_TEXT,
			    flag_names_text(&f->names, flags & f->mask, buf, FLAG_TEXT), false };

	for (unsigned int i = 0; i < f->nfields; i++) {
		uint64_t value = flags >> f->fields[i].shift & f->fields[i].mask;

		strbuf_add(&s, f->fields[i].decimal ? "%s%s=%lu" : "%s%s=0x%lx",
			   strbuf_between(&s, "|"), f->fields[i].name, value);
	}
	if (f->lacks_fields)
		strbuf_add(&s, "%s?", strbuf_between(&s, "|"));
	return s.len;
}
