/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Migrate types of pageblocks: some bits per block in a bitmap of each section
 * (mem_section.usage since 5.3, mem_section.pageblock_flags before) or, with FLATMEM, of
 * each zone (get_pfnblock_flags_mask() in mm/page_alloc.c).
 */
#pragma once

#include "pages/memmap.h"
#include "zones/zones.h"

enum pageblock_field { BLOCK_USAGE, BLOCK_USAGE_FLAGS, BLOCK_FLAGS, BLOCK_ZONE, BLOCK_FIELDS };

struct pageblocks {
	struct dump *dump;
	struct memmap *memmap;
	const struct zones *zones; /* for FLATMEM */
	struct field f[BLOCK_FIELDS];
	unsigned int order; /* 2^order pages are a block */
	unsigned int bits;  /* of a block */
	unsigned int low;   /* of them, the lowest of the type, and how many it has */
	unsigned int width;
	bool from_top;	 /* blocks begin at the high end of a word (up to 5.8) */
	int isolate_bit; /* this bit makes the type MIGRATE_ISOLATE (6.17); -1: none */
	unsigned int isolate;
	/* The word that was read last. */
	uint64_t table_key, table; /* address of the bitmap of a section or zone */
	uint64_t word_at, word;
	enum status table_status;
};

/* ST_UNKNOWN: the layout, or the size of a block, cannot be told. */
enum status pageblocks_open(struct dump *d, struct memmap *memmap, const struct zones *zones,
			    struct pageblocks *ret);

/* enum migratetype of the block of a page; ST_ABSENT: no memory there; ST_UNREADABLE. */
enum status pageblocks_type(struct pageblocks *b, uint64_t pfn, unsigned int *ret);
