/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many entries of page tables map a page, as PSS divides it: folio_precise_page_mapcount() of
 * fs/proc/internal.h, or with CONFIG_NO_PAGE_MAPCOUNT (6.15) folio_average_page_mapcount().
 */
#pragma once

#include "pages/page_type.h"

enum mapcount_field {
	MAPCOUNT_ENTIRE_FOLIO,
	MAPCOUNT_ENTIRE_PAGE,
	MAPCOUNT_LARGE,
	MAPCOUNT_NR_PAGES,
	MAPCOUNT_FIELDS
};

struct page_mapcounts {
	struct page_types *types;
	struct field f[MAPCOUNT_FIELDS];
	uint64_t head_flag;   /* PG_head of flags */
	uint64_t double_flag; /* PG_double_map of the second page, up to 6.1; else 0 */
	/* The large folio that was asked for last. */
	uint64_t head;	  /* pfn; UINT64_MAX: none */
	enum status st;	  /* the rest is filled */
	uint32_t entire;  /* mappings of the whole */
	uint32_t average; /* of each page; 0: its own count is kept */
};

/* types is asked for the pages, and stays where it is.  ST_UNKNOWN: unknown layout. */
enum status page_mapcounts_open(struct page_types *types, struct page_mapcounts *ret);

/*
 * 0: no entry maps it that is counted, as of the zero page.  Not for pages of hugetlb.  Statuses as
 * page_type_at().
 */
enum status page_mapcount(struct page_mapcounts *m, uint64_t pfn, const struct page_info *info,
			  uint32_t *ret);
