// SPDX-License-Identifier: GPL-2.0-or-later
#include "pagetable.h"

#define ENTRY_ADDRESS 0x000ffffffffff000ULL
#define ENTRY_PRESENT 1
#define ENTRY_LARGE 0x80      /* maps memory itself, above the last level */
#define ENTRY_PROT_NONE 0x100 /* a page, but not for the CPU; its address is inverted (L1TF) */
#define TABLE_SHIFT 12
#define INDEX_BITS 9

enum status page_tables_walk(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret)
{
	uint64_t table = t->top, entry, sign = addr >> (TABLE_SHIFT + t->levels * INDEX_BITS - 1);
	unsigned int level = t->levels, shift;

	/* The bits above what the tables translate repeat the highest one that they do. */
	if (sign && sign != UINT64_MAX >> (TABLE_SHIFT + t->levels * INDEX_BITS - 1))
		return dump_fail(d, DUMP_ABSENT, "%#llx is no address: it is not canonical",
				 (unsigned long long)addr);
	for (; level; level--) {
		shift = TABLE_SHIFT + (level - 1) * INDEX_BITS;
		entry = addr >> shift & ((1 << INDEX_BITS) - 1);
		if (d->ops->read_phys(d->priv, table + entry * 8, &entry, 8) != DUMP_OK)
			return dump_fail(d, DUMP_UNREADABLE,
					 "a page table of %#llx is not in this dump",
					 (unsigned long long)addr);
		if (!(entry & (ENTRY_PRESENT | ENTRY_PROT_NONE)))
			break;
		table = (entry & ENTRY_PRESENT ? entry : ~entry) & ENTRY_ADDRESS & ~t->encryption;
		if (level == 1 || (entry & ENTRY_LARGE && level <= 3)) {
			uint64_t inside = (1ULL << shift) - 1;

			*ret = (table & ~inside) | (addr & inside);
			return DUMP_OK;
		}
	}
	return dump_fail(d, DUMP_ABSENT, "%#llx is not mapped%s", (unsigned long long)addr,
			 level == 1 && entry ? ": it is in swap, or moving" : "");
}

static bool maps_the_image(struct dump *d, const struct page_tables *t, uint64_t start)
{
	uint64_t walked, known;

	return page_tables_walk(d, t, start, &walked) == DUMP_OK &&
	       d->ops->virt_to_phys(d->priv, start, &known) == DUMP_OK && walked == known;
}

enum status page_tables_open(struct dump *d, struct page_tables *ret)
{
	struct page_tables t = { 0 };
	uint64_t top, start;
	enum status st;

	if (!d->ops->read_phys || !d->ops->virt_to_phys || d->page_shift != TABLE_SHIFT ||
	    !dump_has_symbol(d, "init_top_pgt"))
		return dump_fail(d, DUMP_ABSENT, "no page tables of x86_64");
	st = dump_symbol(d, "init_top_pgt", &top);
	if (st == DUMP_OK)
		st = d->ops->virt_to_phys(d->priv, top, &t.top);
	if (st == DUMP_OK)
		st = dump_symbol(d, "_text", &start);
	if (st != DUMP_OK)
		return st;
	if (dump_has_symbol(d, "sme_me_mask"))
		dump_value(d, "sme_me_mask", &t.encryption);
	for (t.levels = 4; t.levels <= 5; t.levels++)
		if (maps_the_image(d, &t, start))
			break;
	if (t.levels > 5)
		return dump_fail(d, DUMP_UNKNOWN, "init_top_pgt does not map the kernel");
	*ret = t;
	return DUMP_OK;
}
