// SPDX-License-Identifier: GPL-2.0-or-later
#include "pools/swiotlb.h"

#include "dump/structure.h"

/* IO_TLB_SHIFT (include/linux/swiotlb.h) is a macro; 5.10 to 7.3. */
#define SLOT_SHIFT 11

struct pool {
	uint64_t start, end, slots, is_late;
};

struct layout {
	struct structure pool;
};

static const struct layout_row rows[] = {
	STRUCTURE(struct layout, pool, "struct io_tlb_mem"),
	/* 6.6: swiotlb: separate memory pool data from other allocator data. */
	READS(struct pool, start, REQUIRED, "5.13, 6.6", "start", "defpool.start"),
	READS(struct pool, end, REQUIRED, "5.13, 6.6", "end", "defpool.end"),
	/* The whole has a member of this name since 6.6, of all of its pools. */
	READS(struct pool, slots, REQUIRED, "6.6, 5.13", "defpool.nslabs", "nslabs"),
	READS(struct pool, is_late, OPTIONAL, "5.13, 6.6", "late_alloc", "defpool.late_alloc"),
};

/* One pool, since 5.13; its address is that of a variable, which up to 5.14 has a pointer to it. */
static enum status read_pool(struct dump *d, struct pool *ret)
{
	struct layout l;
	uint8_t b[sizeof(uint64_t)];
	uint64_t at, word;
	enum status st = STRUCTS_OPEN(d, rows, &l) ?: dump_symbol(d, "io_tlb_default_mem", &at) ?:
			 dump_try(d, at, b, sizeof(b));

	/* A machine with less than 4 GiB may have set up none: with its neighbours it is a page of zeros. */
	l.pool.may_be_blank = true;
	word = st == ST_OK ? le64(b) : 0;
	/* A physical address does not have the bit that each address of the kernel has. */
	if (st == ST_OK && word >> 63)
		at = word;
	return st ?: struct_read(&l.pool, at, ret);
}

/* Before: variables. */
static enum status read_variables(struct dump *d, struct pool *ret)
{
	static const char *const names[] = { "io_tlb_start", "io_tlb_end", "io_tlb_nslabs" };
	uint64_t *const values[] = { &ret->start, &ret->end, &ret->slots };
	enum status st = ST_OK;
	uint32_t is_late;

	for (size_t i = 0; st == ST_OK && i < ARRAY_SIZE(names); i++)
		st = dump_symbol_u64(d, names[i], values[i]);
	if (st == ST_OK && dump_has_symbol(d, "late_alloc")) {
		st = dump_symbol_u32(d, "late_alloc", &is_late);
		ret->is_late = st == ST_OK && is_late;
	}
	return st;
}

enum status swiotlb_pages(struct dump *d, uint64_t max, uint64_t *pages)
{
	struct pool p = { 0 };
	uint64_t bytes;
	enum status st;

	*pages = 0;
	if (dump_has_symbol(d, "io_tlb_default_mem"))
		st = read_pool(d, &p);
	else if (dump_has_symbol(d, "io_tlb_start"))
		st = read_variables(d, &p);
	else
		return dump_absent(d, "this kernel was built without CONFIG_SWIOTLB");
	if (st != ST_OK || !p.start || p.is_late)
		return st;
	bytes = p.end - p.start;
	if (p.end < p.start || bytes >> SLOT_SHIFT != p.slots || bytes >> d->page_shift > max)
		return dump_corrupt(d, "swiotlb at %#lx-%#lx has %lu slots", p.start, p.end,
				    p.slots);
	*pages = bytes >> d->page_shift;
	return ST_OK;
}
