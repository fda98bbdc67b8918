/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Free blocks of a zone by order and migrate type: zone.free_area, whose lists link the first
 * struct page of each block (mm/page_alloc.c).  /proc/buddyinfo has nr_free, /proc/pagetypeinfo
 * counts the lists.
 */
#pragma once

#include "pages/page_type.h"
#include "zones/zones.h"

#define FREE_AREA_ORDERS 16
#define FREE_AREA_TYPES 16 /* migrate types */

/* What the head of a list says, which needs no page of the list. */
enum free_list_head { LIST_UNKNOWN, LIST_EMPTY, LIST_FILLED };

struct free_list {
	enum free_list_head head;
	/* ST_OK: blocks is the number; ST_UNREADABLE, ST_CORRUPT: those in front of the defect. */
	enum status status;
	uint64_t blocks;
};

struct zone_free {
	unsigned int orders, types;
	bool has_nr_free;		    /* the structs free_area could be read */
	uint64_t nr_free[FREE_AREA_ORDERS]; /* blocks by the kernel's own count */
	struct free_list lists[FREE_AREA_ORDERS][FREE_AREA_TYPES];
	const char *problem; /* of the first list that has one; NULL: none */
};

enum free_area_field { AREA_AREAS, AREA_LISTS, AREA_NR, AREA_LINK, AREA_FIELDS };

struct free_areas {
	struct dump *dump;
	struct field f[AREA_FIELDS];
	uint64_t area_bytes;
	unsigned int orders, types;
	const struct page_types *pages; /* NULL: lists are not walked */
	struct page_to_pfn finder;
	const char *problem; /* why they are not */
	struct pfnset *free; /* NULL, or gets the pages of all blocks on the lists */
};

/*
 * pages NULL: struct page is unknown, and the heads of lists are read alone; it must live as long
 * as ret.  end: first pfn behind System RAM.
 */
enum status free_areas_open(struct dump *d, const struct page_types *pages, uint64_t end,
			    struct free_areas *ret);

/*
 * ST_STOPPED; what cannot be read or is corrupt is told in each list.  A list is
 * corrupt where a link does not point back, or to no free block of this order in this zone.
 */
enum status free_areas_read(struct free_areas *a, const struct zone *zone, struct zone_free *ret);

/* Pages of all lists; false: a list is not known. */
bool zone_free_pages(const struct zone_free *z, uint64_t *ret);

/* Blocks of a migrate type; false: a list is not known. */
bool zone_free_blocks(const struct zone_free *z, unsigned int order, unsigned int type,
		      uint64_t *ret);
