// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables whose entries are laid out by hand after the manuals: Intel SDM volume 3, 4-level and
 * 5-level paging; Arm Architecture Reference Manual, VMSAv8-64 descriptor formats.
 */
#include "pages/pgtable.h"
#include "stub.h"
#include "test.h"

struct entry {
	uint64_t phys, value;
};

/* Physical memory: these entries, else zeros; nothing from 2^52 on. */
static const struct entry *memory;

static enum status read_phys(void *priv NOT_USED, uint64_t addr, void *buf, size_t len)
{
	if (addr >> 52)
		return ST_UNREADABLE;
	memset(buf, 0, len);
	for (const struct entry *e = memory; e->value; e++)
		if (e->phys >= addr && e->phys + 8 <= addr + len)
			memcpy((char *)buf + (e->phys - addr), &e->value, 8);
	return ST_OK;
}

static struct stub stub;

static struct page_tables tables(const char *arch, unsigned int page_shift, unsigned int va_bits,
				 uint64_t top, const struct entry *entries)
{
	struct page_tables t = { .top = top };

	stub_open(&stub);
	stub.ops.read_phys = read_phys;
	stub.dump.arch = arch;
	stub.dump.page_shift = page_shift;
	memory = entries;
	CHECK(page_tables_set(&stub.dump, &t, va_bits) == ST_OK);
	return t;
}

/* The physical address, or all ones where nothing is mapped. */
static uint64_t walk(const struct page_tables *t, uint64_t addr)
{
	uint64_t phys = 1;
	enum status st = page_tables_walk(&stub.dump, t, addr, &phys);

	CHECK(st == ST_OK || (st == ST_ABSENT && phys == 1));
	return st == ST_OK ? phys : UINT64_MAX;
}

static void x86_of_four_levels(void)
{
	/* P, RW, A, D, NX; PS is bit 7. Index 511, 1, 2, 3 of ffffff8040403000. */
	static const struct entry entries[] = {
		{ 0x1000 + 511 * 8, 0x2063 },
		{ 0x1000 + 255 * 8, 0x2067 }, /* the same for a process */
		{ 0x2000 + 1 * 8, 0x3063 },
		{ 0x3000 + 2 * 8, 0x4063 },
		{ 0x4000 + 3 * 8, 0x8000000123456163 },
		{ 0x4000 + 4 * 8, 0x000ffffedcba9100 }, /* PROT_NONE: inverted */
		{ 0x4000 + 5 * 8, 0x58000000abcd0200 }, /* swapped out */
		{ 0x3000 + 3 * 8, 0x80000000406000e3 }, /* 2 MiB */
		{ 0x2000 + 2 * 8, 0x80000001400000e3 }, /* 1 GiB */
		{ 0 },
	};
	struct page_tables t = tables("x86_64", 12, 48, 0x1000, entries);
	uint64_t kept;

	CHECK(t.levels == 4);
	CHECK(walk(&t, 0xffffff8040403abc) == 0x123456abc);
	CHECK(walk(&t, 0x00007f8040404abc) == 0x123456abc);
	CHECK(walk(&t, 0x00007f8040405000) == UINT64_MAX);
	CHECK_TEXT(stub.dump.error, "0x7f8040405000 is not mapped");
	/* What it keeps there, and the number of its swap area in the top five bits. */
	CHECK(page_tables_kept(&stub.dump, &t, 0x00007f8040405000, &kept) == ST_OK);
	CHECK(kept == 0x58000000abcd0200 && page_tables_swap_type(&t, kept, &kept) && kept == 11);
	CHECK(page_tables_kept(&stub.dump, &t, 0x00007f8040406000, &kept) == ST_OK && !kept);
	CHECK(page_tables_kept(&stub.dump, &t, 0x00007f8040403000, &kept) == ST_OK && !kept);
	/* Of the kernel the same bit means global: such an entry maps nothing. */
	CHECK(walk(&t, 0xffffff8040404abc) == UINT64_MAX);
	CHECK(walk(&t, 0xffffff8040405000) == UINT64_MAX);
	CHECK(walk(&t, 0xffffff8040612345) == 0x40612345);
	CHECK(walk(&t, 0xffffff8081234567) == 0x141234567);
	CHECK(walk(&t, 0xffffff80c0000000) == UINT64_MAX);
	CHECK(walk(&t, 0x0000ff8040403abc) == UINT64_MAX); /* not canonical */
	/* The C-bit of SME is no address. */
	t.encryption = 0x100000000;
	CHECK(walk(&t, 0xffffff8040403abc) == 0x23456abc);
}

static void x86_of_five_levels(void)
{
	static const struct entry entries[] = {
		{ 0x9000 + 511 * 8, 0x1063 }, { 0x1000 + 256 * 8, 0x2063 }, { 0x2000 + 0, 0x3063 },
		{ 0x3000 + 0, 0x4063 },	      { 0x4000 + 7 * 8, 0x5063 },   { 0 },
	};
	struct page_tables t = tables("x86_64", 12, 57, 0x9000, entries);

	CHECK(t.levels == 5);
	CHECK(walk(&t, 0xffff800000007010) == 0x5010);
}

/* AF, inner shareable, AttrIndx 4, nG, contiguous, PXN, UXN and a bit for software. */
#define ARM64_PAGE_BITS 0x00f8000000000f13ULL
#define ARM64_TABLE_BITS 3

static void arm64_of_48_bits(void)
{
	/* Index 256, 256, 2, 3 of ffff804000403000. */
	static const struct entry entries[] = {
		{ 0x1000 + 256 * 8, 0x2000 | ARM64_TABLE_BITS },
		{ 0x2000 + 256 * 8, 0x3000 | ARM64_TABLE_BITS },
		{ 0x3000 + 2 * 8, 0x4000 | ARM64_TABLE_BITS },
		{ 0x4000 + 3 * 8, 0x0000ffff12345000 | ARM64_PAGE_BITS },
		{ 0x4000 + 4 * 8, 0x12345001 }, /* reserved at the last level */
		{ 0x3000 + 3 * 8, (0x40600000 | ARM64_PAGE_BITS) & ~2ULL },
		{ 0 },
	};
	struct page_tables t = tables("aarch64", 12, 48, 0x1000, entries);

	CHECK(t.levels == 4);
	CHECK(walk(&t, 0xffff804000403abc) == 0x0000ffff12345abc);
	CHECK(walk(&t, 0xffff804000404abc) == UINT64_MAX);
	CHECK(walk(&t, 0xffff804000612345) == 0x40612345);
}

static void arm64_of_64_kib_and_52_bits(void)
{
	/*
	 * FEAT_LPA: bits 15 to 12 are bits 51 to 48, in tables, blocks and pages.  Index 1008, 2
	 * and 3 of ffffc00040030000.
	 */
	static const struct entry entries[] = {
		{ 0x10000 + 1008 * 8, 0x000000004567a003 },
		{ 0x000a000045670000 + 2 * 8, 0x0000000000020003 },
		{ 0x20000 + 3 * 8, 0x00f812345678ff13 },
		{ 0x20000 + 4 * 8, 0x00f8123456780f13 },	    /* below 2^48 */
		{ 0x000a000045670000 + 3 * 8, 0x0000000060005f11 }, /* a block of 512 MiB */
		{ 0 },
	};
	struct page_tables t = tables("aarch64", 16, 52, 0x10000, entries);

	CHECK(t.levels == 3);
	CHECK(walk(&t, 0xffffc00040031234) == 0x000f123456781234);
	CHECK(walk(&t, 0xffffc00040041234) == 0x0000123456781234);
	CHECK(walk(&t, 0xffffc00061234567) == 0x0005000061234567);
}

static void arm64_of_4_kib_and_52_bits(void)
{
	/*
	 * FEAT_LPA2: bits 9 and 8 are bits 51 and 50, bits 49 and 48 stand as they are; 5
	 * levels of tables, the first of 16 entries.
	 */
	static const struct entry entries[] = {
		{ 0x1000 + 15 * 8, 0x0003000045678303 }, /* f000045678000 */
		{ 0x000f000045678000 + 0, 0x0000000000002003 },
		{ 0x2000 + 1 * 8, 0x0000000000003003 },
		{ 0x3000 + 2 * 8, 0x0000000000004003 },
		{ 0x4000 + 3 * 8, 0x00f9ffff12345e13 }, /* bits 51, 49 to 48: 2, 1 */
		{ 0x3000 + 3 * 8, 0x00fa000040600d11 }, /* a block of 2 MiB at 6000040600000 */
		{ 0 },
	};
	struct page_tables t = tables("aarch64", 12, 52, 0x1000, entries);

	CHECK(t.levels == 5);
	CHECK(walk(&t, 0xffff000040403abc) == 0x0009ffff12345abc);
	CHECK(walk(&t, 0xffff000040612345) == 0x0006000040612345);
}

static void arm64_of_16_kib_and_52_bits(void)
{
	static const struct entry entries[] = {
		{ 0x4000 + 31 * 8, 0x0002000000008203 }, /* a000000008000 */
		{ 0x000a000000008000 + 0, 0x000000000000c003 },
		{ 0xc000 + 1 * 8, 0x0000000000010003 },
		{ 0x10000 + 2 * 8, 0x00fbffff1234cd13 }, /* 7ffff1234c000 */
		{ 0 },
	};
	struct page_tables t = tables("aarch64", 14, 52, 0x4000, entries);

	CHECK(t.levels == 4);
	CHECK(walk(&t, 0xffff800002008abc) == 0x0007ffff1234cabc);
}

struct visits {
	uint64_t phys[8];
	unsigned int n;
};

static enum status add(void *arg, uint64_t phys)
{
	struct visits *v = arg;

	if (v->n < 8)
		v->phys[v->n++] = phys;
	return ST_OK;
}

static void a_range_visits_pages_of_all_sizes(void)
{
	static const struct entry entries[] = {
		{ 0x1000 + 256 * 8, 0x2003 },
		{ 0x2000 + 0, 0x3003 },
		{ 0x3000 + 0, 0x0000000000400f01 }, /* a block */
		{ 0x3000 + 1 * 8, 0x4003 },
		{ 0x4000 + 0, 0x0000000000777f03 },
		{ 0x4000 + 2 * 8, 0x0000000000999f03 },
		{ 0 },
	};
	struct page_tables t = tables("aarch64", 12, 48, 0x1000, entries);
	struct visits v = { .n = 0 };

	CHECK(page_tables_range(&stub.dump, &t, 0xffff8000001ff000, 0xffff800000203000, add, &v) ==
	      ST_OK);
	CHECK(v.n == 3 && v.phys[0] == 0x5ff000 && v.phys[1] == 0x777000 && v.phys[2] == 0x999000);
	/* Nothing is mapped up to the end of addresses. */
	v.n = 0;
	CHECK(page_tables_range(&stub.dump, &t, 0xffffffffffffe000, 0xfffffffffffff000, add, &v) ==
	      ST_OK);
	CHECK(!v.n);
}

/* Entries that map nothing are passed by, to the end of the table and no further. */
static void a_range_has_gaps(void)
{
	static const struct entry entries[] = {
		{ 0x1000 + 0, 0x2067 },
		{ 0x1000 + 70 * 8, 0x2067 },
		{ 0x2000 + 63 * 8, 0x3067 },
		{ 0x3000 + 511 * 8, 0x4067 },
		{ 0x4000 + 5 * 8, 0x777067 },
		{ 0x4000 + 511 * 8, 0x999067 },
		{ 0x1000 + 256 * 8, 0x999999067 },
		{ 0 },
	};
	/* A top table of two entries: what is behind it is no table. */
	static const struct entry two[] = { { 0x4000 + 2 * 8, 0x8003 }, { 0 } };
	struct page_tables t = tables("x86_64", 12, 48, 0x1000, entries);
	struct visits v = { .n = 0 };

	CHECK(page_tables_range(&stub.dump, &t, 0, 1ULL << 47, add, &v) == ST_OK);
	CHECK(v.n == 4 && v.phys[0] == 0x777000 && v.phys[1] == 0x999000 && v.phys[2] == 0x777000);
	stub_close(&stub);
	t = tables("aarch64", 14, 48, 0x4000, two);
	v.n = 0;
	CHECK(page_tables_range(&stub.dump, &t, 0xffff800000000000, 0xfffffffffffff000, add, &v) ==
	      ST_OK);
	CHECK(page_tables_range(&stub.dump, &t, 0, 1ULL << 48, add, &v) == ST_OK);
	CHECK(!v.n);
}

static enum status add_table(void *arg, uint64_t table)
{
	struct visits *v = arg;

	/* One that was visited is not gone into again: entries may lead in circles. */
	for (unsigned int i = 0; i < v->n; i++)
		if (v->phys[i] == table)
			return ST_ABSENT;
	return add(arg, table);
}

/* Of the kernel's half, each once; large pages and the last level have none below them. */
static void each_table_is_visited(void)
{
	static const struct entry entries[] = {
		{ 0x1000 + 3 * 8, 0x8067 },   { 0x1000 + 300 * 8, 0x2063 },
		{ 0x1000 + 511 * 8, 0x2063 }, { 0x2000 + 0, 0x3063 },
		{ 0x2000 + 1 * 8, 0x1000e3 }, { 0x2000 + 2 * 8, 0x2063 },
		{ 0x3000 + 70 * 8, 0x4063 },  { 0x4000 + 5 * 8, 0x777063 },
		{ 0x3000 + 71 * 8, 0x200e3 }, { 0 },
	};
	/* A top table of two entries: what is behind it is no table. */
	static const struct entry two[] = { { 0x4000 + 8, 0xc003 },
					    { 0x4000 + 2 * 8, 0x8003 },
					    { 0 } };
	struct page_tables t = tables("x86_64", 12, 48, 0x1000, entries);
	struct visits v = { .n = 0 };

	CHECK(page_tables_each(&stub.dump, &t, add_table, &v) == ST_OK);
	CHECK(v.n == 3 && v.phys[0] == 0x2000 && v.phys[1] == 0x3000 && v.phys[2] == 0x4000);
	t.top = 1ULL << 52;
	CHECK(page_tables_each(&stub.dump, &t, add_table, &v) == ST_UNREADABLE);
	stub_close(&stub);
	t = tables("aarch64", 14, 48, 0x4000, two);
	v.n = 0;
	CHECK(page_tables_each(&stub.dump, &t, add_table, &v) == ST_OK);
	CHECK(v.n == 1 && v.phys[0] == 0xc000);
}

TESTS({ "x86: 4 levels, large pages, PROT_NONE", x86_of_four_levels },
      { "x86: 5 levels", x86_of_five_levels },
      { "arm64: 48 bits, attributes are no address", arm64_of_48_bits },
      { "arm64: pages of 64 KiB, 52 bits (LPA)", arm64_of_64_kib_and_52_bits },
      { "arm64: pages of 4 KiB, 52 bits (LPA2)", arm64_of_4_kib_and_52_bits },
      { "arm64: pages of 16 KiB, 52 bits (LPA2)", arm64_of_16_kib_and_52_bits },
      { "a range visits pages of all sizes", a_range_visits_pages_of_all_sizes },
      { "a range passes by what maps nothing", a_range_has_gaps },
      { "each table of the kernel is visited", each_table_is_visited })
