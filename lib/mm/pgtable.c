// SPDX-License-Identifier: GPL-2.0-or-later
#include "mm/pgtable.h"

#include <string.h>

#define ADDRESS_MASK 0x000ffffffffff000ULL

#define X86_PRESENT 1
#define X86_LARGE 0x80	    /* maps memory itself, above the last level */
#define X86_PROT_NONE 0x100 /* a page, but not for the CPU; its address is inverted (L1TF) */

#define ARM64_VALID 1
#define ARM64_TABLE 2			    /* or a page at the last level; else a block */
#define ARM64_ADDRESS 0x0000fffffffff000ULL /* bits 48 and up are elsewhere, with LPA */

struct table_format {
	const char *arch;
	const char *top; /* symbol of the kernel's own top table */
	/* Addresses that tables translate, most common first; 0 ends. */
	unsigned int va_bits[8];
	unsigned int sign_bits; /* of them, how many are the sign */
	/* False: the entry maps nothing. *leaf: memory, not a table. */
	bool (*entry)(uint64_t entry, unsigned int level, uint64_t *address, bool *leaf);
};

static bool x86_entry(uint64_t entry, unsigned int level, uint64_t *address, bool *leaf)
{
	if (!(entry & (X86_PRESENT | X86_PROT_NONE)))
		return false;
	*address = (entry & X86_PRESENT ? entry : ~entry) & ADDRESS_MASK;
	*leaf = level == 1 || (entry & X86_LARGE && level <= 3);
	return true;
}

static bool arm64_entry(uint64_t entry, unsigned int level, uint64_t *address, bool *leaf)
{
	if (!(entry & ARM64_VALID) || (level == 1 && !(entry & ARM64_TABLE)))
		return false;
	*address = entry & ARM64_ADDRESS;
	*leaf = level == 1 || !(entry & ARM64_TABLE);
	return true;
}

static const struct table_format formats[] = {
	{ "x86_64", "init_top_pgt", { 48, 57 }, 1, x86_entry },
	{ "aarch64", "swapper_pg_dir", { 48, 47, 39, 42, 36, 52 }, 0, arm64_entry },
};

enum status page_tables_walk(struct dump *d, const struct page_tables *t, uint64_t addr,
			     uint64_t *ret)
{
	uint64_t table = t->top, entry = 0, sign = addr >> t->sign_bit;
	uint64_t rest = addr & (~0ULL >> (64 - t->va_bits));
	unsigned int level = t->levels, per_level = t->shift - 3, shift;

	if (sign && sign != UINT64_MAX >> t->sign_bit)
		return dump_fail(d, ST_ABSENT, "%#llx is no address: it is not canonical",
				 (unsigned long long)addr);
	for (; level; level--) {
		bool leaf;

		shift = t->shift + (level - 1) * per_level;
		if (d->ops->read_phys(d->priv, table + (rest >> shift) * 8, &entry, 8) != ST_OK)
			return dump_fail(d, ST_UNREADABLE,
					 "a page table of %#llx is not in this dump",
					 (unsigned long long)addr);
		if (!t->format->entry(entry, level, &table, &leaf))
			break;
		rest &= (1ULL << shift) - 1;
		/* Low bits of an entry are flags, as far as its page reaches. */
		table &= ~t->encryption & ~((1ULL << (leaf ? shift : t->shift)) - 1);
		if (leaf) {
			*ret = table | rest;
			return ST_OK;
		}
	}
	return dump_fail(d, ST_ABSENT, "%#llx is not mapped%s", (unsigned long long)addr,
			 level == 1 && entry ? ": it is in swap, or moving" : "");
}

/* Entries of a table of the last level that are read at once. */
#define BATCH 64

/*
 * Down to the table of the last level; or, with *level above 1, to where that many low bits of
 * addresses, *span, are mapped as one to *table, or with *table 0 not mapped.
 */
static enum status descend(struct dump *d, const struct page_tables *t, uint64_t addr,
			   uint64_t *table, unsigned int *level, unsigned int *span)
{
	uint64_t rest = addr & (~0ULL >> (64 - t->va_bits)), entry;
	bool leaf = false;

	*table = t->top;
	*span = t->shift;
	for (*level = t->levels; *level > 1; --*level) {
		*span = t->shift + (*level - 1) * (t->shift - 3);
		if (d->ops->read_phys(d->priv, *table + (rest >> *span) * 8, &entry, 8) != ST_OK)
			return dump_fail(d, ST_UNREADABLE,
					 "a page table of %#llx is not in this dump",
					 (unsigned long long)addr);
		rest &= (1ULL << *span) - 1;
		if (!t->format->entry(entry, *level, table, &leaf)) {
			*table = 0;
			return ST_OK;
		}
		*table &= ~t->encryption & ~((1ULL << (leaf ? *span : t->shift)) - 1);
		if (leaf)
			return ST_OK;
	}
	*span = t->shift;
	return ST_OK;
}

/* *addr moves behind what was visited: at most a batch of entries. */
static enum status visit_batch(struct dump *d, const struct page_tables *t, uint64_t table,
			       uint64_t *addr, uint64_t end,
			       enum status (*visit)(void *arg, uint64_t phys), void *arg)
{
	uint64_t entries[BATCH], index = *addr >> t->shift & ((1ULL << (t->shift - 3)) - 1), phys;
	uint64_t n = BATCH - index % BATCH;
	enum status st = ST_OK;
	bool leaf;

	if (n > (end - *addr) >> t->shift)
		n = (end - *addr) >> t->shift;
	if (d->ops->read_phys(d->priv, table + index * 8, entries, n * 8) != ST_OK)
		return dump_fail(d, ST_UNREADABLE, "a page table of %#llx is not in this dump",
				 (unsigned long long)*addr);
	for (uint64_t i = 0; st == ST_OK && i < n; i++)
		if (t->format->entry(entries[i], 1, &phys, &leaf))
			st = visit(arg, phys & ~t->encryption & ~((1ULL << t->shift) - 1));
	*addr += n << t->shift;
	return st;
}

enum status page_tables_range(struct dump *d, const struct page_tables *t, uint64_t start,
			      uint64_t end, enum status (*visit)(void *arg, uint64_t phys),
			      void *arg)
{
	uint64_t addr = start, table, mask;
	unsigned int level, span;
	enum status st = ST_OK;

	while (st == ST_OK && addr < end) {
		if (dump_stopped(d))
			return dump_fail(d, ST_STOPPED, "interrupted");
		st = descend(d, t, addr, &table, &level, &span);
		if (st != ST_OK)
			return st;
		mask = (1ULL << span) - 1;
		if (level == 1)
			st = visit_batch(d, t, table, &addr, end, visit, arg);
		else if (table) {
			st = visit(arg, table | (addr & mask));
			addr += 1ULL << t->shift;
		} else if ((addr | mask) == UINT64_MAX) {
			break;
		} else {
			addr = (addr | mask) + 1;
		}
	}
	return st;
}

static bool maps_the_image(struct dump *d, const struct page_tables *t, uint64_t start)
{
	uint64_t walked, known;

	return page_tables_walk(d, t, start, &walked) == ST_OK &&
	       d->ops->virt_to_phys(d->priv, start, &known) == ST_OK && walked == known;
}

enum status page_tables_set(struct dump *d, struct page_tables *t, unsigned int va_bits)
{
	unsigned int per_level = d->page_shift - 3;

	t->format = NULL;
	for (size_t i = 0; d->arch && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].arch, d->arch))
			t->format = &formats[i];
	if (!t->format || d->page_shift < 12 || d->page_shift > 16)
		return dump_fail(d, ST_ABSENT, "no page tables of a known architecture");
	t->shift = d->page_shift;
	t->va_bits = va_bits;
	t->levels = (va_bits - t->shift + per_level - 1) / per_level;
	t->sign_bit = va_bits - t->format->sign_bits;
	return ST_OK;
}

enum status page_tables_open(struct dump *d, struct page_tables *ret)
{
	struct page_tables t = { 0 };
	uint64_t top, start;
	enum status st = page_tables_set(d, &t, 48);

	if (st == ST_OK && (!d->ops->read_phys || !d->ops->virt_to_phys))
		st = dump_fail(d, ST_ABSENT, "no physical memory to read");
	if (st == ST_OK)
		st = dump_symbol(d, t.format->top, &top);
	if (st == ST_OK)
		st = d->ops->virt_to_phys(d->priv, top, &t.top);
	if (st == ST_OK)
		st = dump_symbol(d, "_text", &start);
	if (st != ST_OK)
		return st;
	if (dump_has_symbol(d, "sme_me_mask"))
		dump_value(d, "sme_me_mask", &t.encryption);
	for (const unsigned int *bits = t.format->va_bits; *bits; bits++) {
		page_tables_set(d, &t, *bits);
		if (!maps_the_image(d, &t, start))
			continue;
		*ret = t;
		return ST_OK;
	}
	return dump_fail(d, ST_UNKNOWN, "%s does not map the kernel", t.format->top);
}
