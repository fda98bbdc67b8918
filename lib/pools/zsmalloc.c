// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/zsmalloc.h"

#include "dump/layout.h"
#include "pages/kernel_map.h"

#define ZSPAGE_MAGIC 0x58 /* mm/zsmalloc.c, 4.8 to 6.10 and later */
#define ZSPAGE_BYTES 256  /* of struct zspage, which has 40 to 72, more with lockdep */

static const struct layout_row rows[ZS_FIELDS] = {
	[ZS_MAGIC] = { "struct zspage", { "magic" }, OPTIONAL_BITS, "4.8" },
	[ZS_FIRST] = { "struct zspage", { "first_page" }, OPTIONAL, "4.8 to 6.13" },
	[ZS_PRIVATE] = { "struct page", { "private" }, OPTIONAL, "all" },
};

/*
 * Of a module without types: bit fields with the magic number, two counts, four bytes that are
 * never used, the first page.  Below the magic number are fullness (2), class (9), isolated (3).
 * Since 5.17 huge (1) is there (zsmalloc: move huge compressed obj from page to zspage), since 6.3
 * isolated has 5 bits (zsmalloc: make zspage chain size configurable), since 6.4 fullness has 4
 * (zsmalloc: fine-grained inuse ratio based fullness grouping); isolated went in 6.9
 * (mm/zsmalloc: remove unused zspage->isolated).
 */
#define UNUSED_OFFSET 12
#define FIRST_OFFSET 16
static const uint32_t magic_bits[] = { 14, 15, 17, 19 };

void zspages_open(const struct page_types *states, struct zspages *ret)
{
	struct dump *d = states->dump;

	ret->dump = d;
	hash_u64_init(&ret->known, d->arena, sizeof(enum status));
	ret->needed = !states->marks.mask[PAGE_TYPE_ZSMALLOC] &&
		      layout_resolve(d, rows, ZS_FIELDS, ret->f) == ST_OK &&
		      ret->f[ZS_MAGIC].present && ret->f[ZS_FIRST].present &&
		      ret->f[ZS_PRIVATE].present && layout_span(ret->f, ZS_PRIVATE) <= ZSPAGE_BYTES;
	ret->unknown = !states->marks.mask[PAGE_TYPE_ZSMALLOC] && !ret->needed;
	ret->kernel_half = kernel_half(d);
	if (ret->needed)
		decoder_trace(d, "decide pages of zsmalloc by their struct zspage");
}

static enum status find_zspage(struct zspages *z, uint64_t addr)
{
	struct dump *d = z->dump;
	uint8_t raw[ZSPAGE_BYTES];
	uint64_t first, back;

	if (dump_try(d, addr, raw, layout_span(z->f, ZS_PRIVATE)) != ST_OK)
		return ST_UNREADABLE;
	if (field_get(&z->f[ZS_MAGIC], raw) != ZSPAGE_MAGIC ||
	    (z->untyped && le32(raw + UNUSED_OFFSET)))
		return ST_ABSENT;
	first = field_get(&z->f[ZS_FIRST], raw);
	if (dump_try(d, first + z->f[ZS_PRIVATE].offset, &back, 8) != ST_OK)
		return ST_UNREADABLE;
	return back == addr ? ST_OK : ST_ABSENT;
}

bool zspages_learn(struct zspages *z, const struct page_info *info)
{
	/* Of another kernel the members may stand elsewhere. */
	if (!z->unknown || z->f[ZS_MAGIC].present || z->f[ZS_FIRST].present ||
	    !z->f[ZS_PRIVATE].present || !is_kernel_pointer(z->kernel_half, info->private))
		return false;
	z->untyped = true;
	z->f[ZS_FIRST] = (struct field){ true, KIND_POINTER, FIRST_OFFSET, 8, 0, 0 };
	for (size_t i = 0; i < ARRAY_SIZE(magic_bits); i++) {
		z->f[ZS_MAGIC] = (struct field){ true, KIND_INT, 0, 4, magic_bits[i], 8 };
		if (layout_span(z->f, ZS_PRIVATE) > ZSPAGE_BYTES ||
		    find_zspage(z, info->private) != ST_OK)
			continue;
		z->needed = true;
		z->unknown = false;
		decoder_trace(z->dump, "decide struct zspage without types: magic at bit %u",
			      magic_bits[i]);
		return true;
	}
	z->untyped = z->f[ZS_FIRST].present = z->f[ZS_MAGIC].present = false;
	return false;
}

enum status zspages_find(struct zspages *z, const struct page_info *info)
{
	enum status *known;
	bool is_new;

	/* A pointer, not a number or a set of flags. */
	if (!z->needed || !is_kernel_pointer(z->kernel_half, info->private))
		return ST_ABSENT;
	known = hash_u64_get(&z->known, info->private, &is_new);
	if (is_new)
		*known = find_zspage(z, info->private);
	return *known;
}
