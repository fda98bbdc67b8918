// SPDX-License-Identifier: GPL-2.0-or-later
/* Which bits gfp flags have, and what a request of them may take. */
#include <stdio.h>
#include <string.h>

#include "cli/filter.h"
#include "cli/filter_seen.h"
#include "kernel/gfp_flags.h"
#include "buddy/watermark.h"
#include "stub.h"
#include "test.h"

/* DMA32, Normal and Movable. */
static const struct alloc_kernel kernel = { .rule = RESERVES_OF_NONBLOCK,
					    .zone_dma = -1,
					    .zone_dma32 = 0,
					    .zone_normal = 1,
					    .zone_movable = 2,
					    .pcp_types = 3,
					    .highatomic = 3,
					    .cma = -1,
					    .isolate = -1 };

static const struct watermark_zone short_zone = { .managed = { true, 61003 },
						  .free = { true, 346 },
						  .min = { true, 491 },
						  .boost = { true, 0 },
						  .reserve = { true, 0 },
						  .highatomic = { true, 0 },
						  .cma = { true, 0 } };

static struct watermark_verdict verdict;

static enum status old_prototype(void *priv NOT_USED, const char *name NOT_USED, char *buf,
				 size_t size)
{
	snprintf(buf, size, "unsigned int (gfp_t)");
	return ST_OK;
}

/* Which rule holds is read from the flags that the kernel names. */
static void rules_of_reserves(void)
{
	static const struct stub_number values[] = {
		{ "ZONE_NORMAL", 1 }, { "ZONE_MOVABLE", 2 }, { "MIGRATE_PCPTYPES", 3 }, { 0 }
	};
	STUB(s, .enumerators = values);
	static struct names names;
	struct alloc_kernel k;

	s.ops.type_text = old_prototype;
	names.flags.bit[GFP_BIT_ATOMIC] = names.flags.named = 0x200;
	CHECK(alloc_kernel_open(&s.dump, &names, &k) == ST_OK && k.rule == RESERVES_OF_ATOMIC);
	names.flags.bit[GFP_BIT_ATOMIC] = 0;
	CHECK(alloc_kernel_open(&s.dump, &names, &k) == ST_OK && k.rule == RESERVES_OF_NONBLOCK);
}

static void name_flags(struct names *n, const struct flag_names *table,
		       const struct stub_number *enumerators)
{
	STUB(s, .enumerators = enumerators);

	memset(n, 0, sizeof(*n));
	n->gfp = *table;
	gfp_flags_open(&s.dump, &n->gfp, &n->flags);
}

/* The names of 4.19, of which a part is enough here. */
static const struct flag_names old_table = { .flags = { { 0x6280ca, "GFP_HIGHUSER_MOVABLE" },
							{ 0x6000c0, "GFP_KERNEL" },
							{ 0x480020, "GFP_ATOMIC" },
							{ 0x1, "GFP_DMA" },
							{ 0x2, "__GFP_HIGHMEM" },
							{ 0x4, "GFP_DMA32" },
							{ 0x20, "__GFP_HIGH" },
							{ 0x80000, "__GFP_ATOMIC" },
							{ 0x40, "__GFP_IO" },
							{ 0x80, "__GFP_FS" },
							{ 0x8000, "__GFP_ZERO" },
							{ 0x10000, "__GFP_NOMEMALLOC" },
							{ 0x2000, "__GFP_MEMALLOC" },
							{ 0x20000, "__GFP_HARDWALL" },
							{ 0x40000, "__GFP_THISNODE" },
							{ 0x10, "__GFP_RECLAIMABLE" },
							{ 0x8, "__GFP_MOVABLE" },
							{ 0x600000, "__GFP_RECLAIM" },
							{ 0x200000, "__GFP_DIRECT_RECLAIM" },
							{ 0x400000, "__GFP_KSWAPD_RECLAIM" } },
					     .n = 20 };

static void flags_of_4_19(void)
{
	struct watermark_zone z = short_zone;
	struct alloc_kernel k = kernel;
	struct alloc_request r;
	struct names n;
	unsigned int type;

	name_flags(&n, &old_table, NULL);
	k.flags = n.flags;
	CHECK(gfp_kernel(&n.flags) == 0x6000c0);
	/* __GFP_HARDWALL and __GFP_ZERO of an ordinary request: the bits of others since 5.1. */
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x6280ca, &r));
	CHECK(!r.no_watermarks && !r.is_nowait && !r.unknown_flag && r.highest_zone == 2);
	CHECK(gfp_state(&n.flags, 0x6280ca, GFP_BIT_THISNODE) == GFP_CLEAR);
	CHECK(gfp_state(&n.flags, 0x6280ca, GFP_BIT_HARDWALL) == GFP_SET);
	CHECK(gfp_state(&n.flags, 0x640000, GFP_BIT_THISNODE) == GFP_SET);
	CHECK(watermark_check(&k, &z, &r, &verdict) == WATERMARK_BELOW && verdict.limit == 491);
	/* GFP_ATOMIC leaves 491 - 245 - 61 of it. */
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x480020, &r) && r.is_nowait);
	CHECK(watermark_check(&k, &z, &r, &verdict) == WATERMARK_OK && verdict.limit == 185);
	/* __GFP_MEMALLOC, and what takes it back. */
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x6020c0, &r) && r.no_watermarks);
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x6120c0, &r) && !r.no_watermarks);
	CHECK(names_gfp_type(&n, 0x6280ca, &type) && type == 1);
	CHECK(names_gfp_type(&n, 0x6000d0, &type) && type == 2);
}

/* A flag without a bit leaves unknown what rests on it, and a mask of known bits does not have it. */
static void flags_without_names(void)
{
	static const struct stub_number bits[] = { { "___GFP_MEMALLOC_BIT", 17 },
						   { "___GFP_MOVABLE_BIT", 3 },
						   { "___GFP_HIGH_BIT", 99 },
						   { 0 } };
	static const struct flag_names none = { .n = 0 };
	struct watermark_zone z = short_zone;
	struct alloc_kernel k = kernel;
	struct flag_names part = old_table;
	struct alloc_request r;
	struct names n;
	unsigned int type;

	/* No table, some enumerators: of 6.10 and later. */
	name_flags(&n, &none, bits);
	CHECK(n.flags.bit[GFP_BIT_MEMALLOC] == 0x20000 && n.flags.bit[GFP_BIT_MOVABLE] == 8);
	CHECK(!n.flags.bit[GFP_BIT_HIGH] && !gfp_kernel(&n.flags));
	k.flags = n.flags;
	CHECK(alloc_request_init(&k, RESERVES_OF_NONBLOCK, 0, 0xcc0, &r));
	CHECK_TEXT(r.unknown_flag, "__GFP_DMA");
	CHECK(watermark_check(&k, &z, &r, &verdict) == WATERMARK_UNKNOWN);
	z.index = 2;
	CHECK(watermark_check(&k, &z, &r, &verdict) == WATERMARK_UNKNOWN);
	CHECK(!names_gfp_type(&n, 0xcc0, &type) && names_gfp_type(&n, 0x20008, &type) && type == 1);
	/* The table without __GFP_NOMEMALLOC. */
	part.flags[11].name = "__GFP_OTHER";
	part.flags[11].mask = 0;
	name_flags(&n, &part, NULL);
	k.flags = n.flags;
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x6280ca, &r) && !r.unknown_flag);
	CHECK(alloc_request_init(&k, RESERVES_OF_ATOMIC, 0, 0x490020, &r));
	CHECK_TEXT(r.unknown_flag, "__GFP_NOMEMALLOC");
	/* The table and an enumerator that do not agree. */
	name_flags(&n, &old_table, bits);
	CHECK(!n.flags.bit[GFP_BIT_MEMALLOC] && n.flags.bit[GFP_BIT_MOVABLE] == 8);
	CHECK(gfp_state(&n.flags, 0x2000, GFP_BIT_MEMALLOC) == GFP_UNKNOWN);
	CHECK(gfp_state(&n.flags, 0x6000c0, GFP_BIT_MEMALLOC) == GFP_CLEAR);
}

/* Whether "-f gfp=VALUE" keeps what is printed so. */
static bool keeps(const char *value, const struct flag_names *names, const char *text,
		  const uint64_t *mask)
{
	static const struct key keys[] = { { COLUMN_comm, "a text", KEY_FILTERS } };
	static const struct key_set set = { .keys = keys, .n = 1 };
	struct opts o = { .nfilters = 1, .filters = { { false, value } } };
	STUB(s);
	struct filters f;

	CHECK(filters_parse(&s.dump, &o, &set, &f) == ST_OK);
	f.filters[0].flags = names;
	return filter_keeps_flags(&f.filters[0], text, mask);
}

/* A flag is found inside of a word; a name of several flags is a word, and a number is all of them. */
static void flags_inside_of_words(void)
{
	static const struct flag_names none = { .n = 0 };
	static const char movable[] = "GFP_HIGHUSER_MOVABLE|__GFP_ZERO";
	uint64_t mask = 0x1234;

	CHECK(keeps("comm=__GFP_MOVABLE", &old_table, movable, NULL));
	CHECK(keeps("comm=__GFP_RECLAIM", &old_table, movable, NULL));
	CHECK(keeps("comm=__GFP_Z*", &old_table, movable, NULL));
	CHECK(keeps("comm=/_DIRECT/", &old_table, movable, NULL));
	CHECK(!keeps("comm=__GFP_THISNODE", &old_table, movable, NULL));
	CHECK(!keeps("comm=GFP_KERNEL", &old_table, movable, NULL));
	CHECK(!keeps("comm=/^GFP_KERNEL$/", &old_table, "GFP_KERNEL|__GFP_ZERO", NULL));
	CHECK(keeps("comm=0x6280ca", &old_table, "GFP_HIGHUSER_MOVABLE", NULL));
	CHECK(keeps("comm=0x16000c0", &old_table, "GFP_KERNEL|0x1000000", NULL));
	CHECK(keeps("comm=__GFP_IO", &old_table, "GFP_KERNEL|0x1000000", NULL));
	/* Of a word that the kernel does not have the number is unknown, unless it is told. */
	CHECK(!keeps("comm=0x6000c0", &old_table, "GFP_KERNEL|__GFP_NEW", NULL));
	CHECK(keeps("comm=__GFP_IO", &old_table, "GFP_KERNEL|__GFP_NEW", NULL));
	CHECK(!keeps("comm=__GFP_RECLAIM", &old_table, "__GFP_KSWAPD_RECLAIM", NULL));
	CHECK(keeps("comm=0x1234", &old_table, "GFP_KERNEL", &mask));
	CHECK(keeps("comm=0x1234", &none, "GFP_KERNEL|__GFP_NEW", &mask));
	CHECK(!keeps("comm=__GFP_IO", &none, "GFP_KERNEL", NULL));
	CHECK(keeps("comm=GFP_KERNEL", &none, "GFP_KERNEL|__GFP_NEW", NULL));
}

/* "-f gfp=GFP_KERNEL" is the word; what has its flags in another word is counted where nothing else refuses it. */
static void flags_in_wider_words(void)
{
	static const struct key keys[] = { { COLUMN_comm, "a text", KEY_FILTERS } };
	static const struct key_set set = { .keys = keys, .n = 1 };
	static const struct {
		const char *text;
		bool refused; /* by another filter */
	} rows[] = { { "GFP_HIGHUSER_MOVABLE", false },
		     { "GFP_KERNEL|__GFP_ZERO", false },
		     { "GFP_NOWAIT", false },
		     { "GFP_HIGHUSER_MOVABLE|__GFP_ZERO", false },
		     { "__GFP_KSWAPD_RECLAIM", false },
		     { "GFP_HIGHUSER_MOVABLE", true },
		     { "__GFP_ZERO", false } };

	for (int exclude = 0; exclude < 2; exclude++) {
		struct opts o = { .nfilters = 2,
				  .filters = { { exclude, "comm=GFP_KERNEL" },
					       { false, "comm=a" } } };
		struct stub s = { 0 };
		struct filters f;
		char text[FILTER_UNMET];
		int kept = 0;

		stub_open(&s);
		CHECK(filters_parse(&s.dump, &o, &set, &f) == ST_OK);
		f.filters[0].flags = &old_table;
		CHECK(!filter_wider(&f.filters[0], text, sizeof(text)));
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			struct filter_verdict v = { 0 };
			bool keeps = filter_keeps_flags(&f.filters[0], rows[i].text, NULL);

			if (filter_verdict_add(&v, &f.filters[0], keeps, false))
				filter_verdict_add(&v, &f.filters[1], !rows[i].refused, false);
			kept += filter_verdict_keeps(&v, 2, "page", "pages");
		}
		CHECK(kept == (exclude ? 5 : 1));
		CHECK(filter_wider(&f.filters[0], text, sizeof(text)));
		CHECK_TEXT(
			text,
			exclude ? "-X comm=GFP_KERNEL keeps 4 pages that have all flags of it in "
				  "another word: GFP_HIGHUSER_MOVABLE"
				: "-f comm=GFP_KERNEL leaves out 4 pages that have all flags of it in "
				  "another word: GFP_HIGHUSER_MOVABLE");
		stub_close(&s);
	}
}

TESTS({ "reserves: which rule", rules_of_reserves }, { "gfp flags of 4.19", flags_of_4_19 },
      { "gfp flags without names", flags_without_names },
      { "flags inside of words", flags_inside_of_words },
      { "flags in wider words", flags_in_wider_words })
