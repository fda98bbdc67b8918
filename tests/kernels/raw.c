// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the text of page_owner's file is made of, as of 5.16: formats in the read-only data,
 * names of flags, fields of page.flags, bitmaps of pageblocks whose distance gives away their
 * size. CASE_old: up to 5.2, types of blocks from the high end of a word, flags without fields.
 * CASE_fields: 5.12, fields within the older format; the size of a block is a variable.
 * CASE_cgroup: 6.9, with cgroups. CASE_isolate: 6.17, isolation is a bit of its own.
 * CASE_control: with control characters in a name, and a record whose stack is nowhere.
 * CASE_markup: with a name that is markup of a web page.
 * CASE_vendor: a value that we do not know. CASE_silent: no such text. CASE_flat: bitmaps of zones, huge pages.
 */
#define RELEASE "5.16.0-raw"
#define RAW
#if defined(CASE_old)
#define OWNER_SINCE 504
#define CASE_types
#elif defined(CASE_fields)
#define OWNER_SINCE 511
#elif defined(CASE_cgroup) || defined(CASE_isolate) || defined(CASE_control) || defined(CASE_markup)
#define OWNER_SINCE 518
#define HAS_CGROUPS
#define DB_NAME \
	"a-name-of-eighty-five-letters-of-which-the-kernel-prints-no-more-than-seventy-nine-12345"
#else
#define OWNER_SINCE 513
#endif
#ifndef CASE_types
#define CASE_types_6_10
#endif
/* uptodate, lru and one without a name; a zone, a cpu. */
#define ANON_FLAGS (1UL << 62 | 1UL << 40 | 0x10c)
/* A free page that is still marked. */
#ifdef CASE_control
#define MORE_PAGES                                                                                 \
	[10] = { { ALLOCATED },                                                                    \
		 OWNER(0, HANDLE_FIRST, BY(7, 7, "a\033[2J\r\nb\x7f", 8000), .gfp_mask = 0xcc0) }, \
	[11] = { { ALLOCATED },                                                                    \
		 OWNER(0, HANDLE(0, 40), BY(7, 7, "leaker", 9000), .gfp_mask = 0xcc0) },
#elif defined(CASE_markup)
#define MORE_PAGES                                                                                 \
	[10] = { { ALLOCATED },                                                                    \
		 OWNER(0, HANDLE_FIRST, BY(7, 7, "</script><i>", 7000), .gfp_mask = 0xcc0) },
#else
#define MORE_PAGES
#endif
#define EXTRA_PAGES                                                                               \
	[9] = { { ALLOCATED }, OWNER(0, HANDLE_FIRST, BY(7, 7, "leaker", 7000), .gfp_mask = 0xcc0) }, \
	MORE_PAGES

#define FIRST_BLOCKS DIRECT(&blocks[0][HEADER])
#define SECOND_BLOCKS DIRECT(&blocks[1][HEADER])
#ifdef CASE_old
#define HEADER 0
#define USAGE pageblock_flags
#else
#define HEADER 1
#define USAGE usage
#endif
#define FIRST_USAGE DIRECT(blocks[0])
#define SECOND_USAGE DIRECT(blocks[1])
#define ROW (HEADER + 4 * BLOCK_BITS / 4)

/* Blocks of 512 pages: the first is Reclaimable and to be skipped by compaction, or isolated. */
#ifdef CASE_isolate
enum pageblock_bits {
	PB_migrate_0,
	PB_migrate_1,
	PB_migrate_2,
	PB_compact_skip,
	PB_migrate_isolate,
	__NR_PAGEBLOCK_BITS
} keep_pageblock_bits;
enum migratetype { MIGRATE_ISOLATE = 4 } keep_migratetype;
#define BLOCK_BITS 8
#define FIRST_WORD 0x12UL
#else
enum pageblock_bits {
	PB_migrate,
	PB_migrate_end = 2,
	PB_migrate_skip,
	NR_PAGEBLOCK_BITS
} keep_pageblock_bits;
#define BLOCK_BITS 4
#define FIRST_WORD 0xaUL
#endif
#ifdef CASE_old
static unsigned long blocks[2][ROW] = { { 5UL << 60 }, { 2UL << 60 } };
unsigned long get_pfnblock_flags_mask(void *page, unsigned long pfn, unsigned long end,
				      unsigned long mask)
{
	return 0;
}
int hstates;
#else
static unsigned long blocks[2][ROW] = { { [HEADER] = FIRST_WORD }, { [HEADER] = 1UL } };
unsigned long get_pfnblock_flags_mask(const void *page, unsigned long pfn, unsigned long mask)
{
	return 0;
}
struct mem_section_usage {
	unsigned long subsection_map[1], pageblock_flags[0];
} keep_usage;
#endif
#ifdef CASE_flat
int hstates;
#endif
#ifdef CASE_fields
unsigned int pageblock_order = 8;
#endif

struct trace_print_flags {
	unsigned long mask;
	const char *name;
};
const struct trace_print_flags gfpflag_names[] = { { 0xcc0, "GFP_KERNEL" },
						   { 0x40000, "__GFP_COMP" },
						   { 0x10, "__GFP_RECLAIMABLE" },
						   { 0x8, "__GFP_MOVABLE" },
						   { 0, 0 } };
const struct trace_print_flags pageflag_names[] = {
	{ 4, "uptodate" }, { 8, "lru" }, { 0x200, "slab" }, { 0, 0 }
};
const char *const migratetype_names[5] = { "Unmovable", "Movable", "Reclaimable", "HighAtomic",
					   "Isolate" };
const char *const migrate_reason_names[2] = { "compaction", "memory_failure" };
#ifndef CASE_old
enum pageflags { PG_locked, __NR_PAGEFLAGS = 23 } keep_pageflags;
const unsigned long default_dec_spec = 10, default_flag_spec = 16;
struct page_flags_fields {
	int width, shift, mask;
	const void *spec;
	const char *name;
};
const struct page_flags_fields pff[] = {
	{ 0, 0, 0, &default_dec_spec, "node" },
	{ 2, 62, 3, &default_dec_spec, "zone" },
	{ 8, 40, 0xff, &default_flag_spec, "lastcpupid" },
};
#endif

#define HEAD "Page allocated via order %u, mask %#x(%pGg)"
#if defined(CASE_old)
const char head[] = HEAD "\n";
#elif defined(CASE_fields)
const char head[] = HEAD ", pid %d, ts %llu ns\n";
#elif defined(HAS_CGROUPS)
const char head[] = HEAD ", pid %d, tgid %d (%s), ts %llu ns\n";
#elif defined(CASE_vendor)
const char head[] = HEAD ", pid %d, allocator %s\n";
#elif !defined(CASE_silent)
const char head[] = HEAD ", pid %d, ts %llu ns, free_ts %llu ns\n";
#endif
#if defined(CASE_old) || defined(CASE_fields)
const char line[] = "PFN %lu type %s Block %lu type %s Flags %#lx(%pGp)\n";
#elif defined(HAS_CGROUPS)
const char line[] = "PFN 0x%lx type %s Block %lu type %s Flags %pGp\n";
#else
const char line[] = "PFN %lu type %s Block %lu type %s Flags %pGp\n";
#endif
const char migrated[] = "Page has been migrated, last migrate reason: %s\n";
#ifdef HAS_CGROUPS
const char slab[] = "Slab cache page\n", charged[] = "Charged %sto %smemcg %s\n";
#endif

#include "v5_x.h"

#ifndef CASE_flat
struct free_area {
	u64 nr_free;
};
struct zone {
	u64 zone_start_pfn, spanned_pages;
	const char *name;
	struct free_area free_area[11];
};
struct pglist_data {
	struct zone node_zones[1];
	s32 node_id;
};
struct pglist_data contig_page_data = { { { 0, SECOND_PFN + SECOND_PAGES, "DMA32" } } };
#endif
