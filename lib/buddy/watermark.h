/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a zone serves an allocation, as zone_watermark_fast() and __zone_watermark_ok() in
 * mm/page_alloc.c decide it for the min watermark, which is what is left when an allocation fails.
 * Nothing here reads the dump: the figures may also be those of a report in the log.
 */
#pragma once

#include "zones/alloc_request.h"
#include "buddy/free_area.h"

/* A number that may be unknown. */
struct maybe {
	bool known;
	int64_t n;
};

struct watermark_zone {
	unsigned int index;   /* enum zone_type */
	struct maybe managed; /* 0: no list of zones has it */
	struct maybe free;    /* NR_FREE_PAGES, as the allocator takes it */
	struct maybe min;     /* without the boost */
	struct maybe boost;
	struct maybe reserve; /* lowmem_reserve[] of the highest zone of the request */
	/* What a request without reserves cannot have: up to 6.12 all pages that are reserved. */
	struct maybe highatomic;
	struct maybe cma;		   /* free pages of CMA */
	const struct zone_free *free_area; /* heads of lists and nr_free; NULL: unknown */
};

enum watermark_result {
	WATERMARK_OK,
	WATERMARK_NOT_ALLOWED, /* the flags do not allow the zone */
	WATERMARK_NO_PAGES,    /* the zone has no pages of the allocator's */
	WATERMARK_BELOW,       /* too few free pages */
	WATERMARK_NO_BLOCK,    /* enough of them, but no free block of the order */
	WATERMARK_UNKNOWN,     /* a number that decides is not known */
};

struct watermark_verdict {
	enum watermark_result result;
	/* Of WATERMARK_BELOW, _NO_BLOCK and _OK: usable <= limit is below. */
	int64_t free;
	int64_t tail;	    /* 2^order - 1 */
	int64_t highatomic; /* taken away from free */
	int64_t cma;
	int64_t usable;
	int64_t boost; /* 0 as well where the request ignores it */
	int64_t mark;  /* min with that boost */
	int64_t min;   /* what the request's rights make of it */
	int64_t reserve;
	int64_t limit;
	/*
	 * Of WATERMARK_UNKNOWN: the figure that decides, in words; of _BELOW one that is taken away besides: usable is at
	 * most that; NULL: none is missing.
	 */
	const char *missing;
	int largest; /* order of the largest block that it may take; -1: none; of _NO_BLOCK */
};

/* In words of JSON, by enum watermark_result; NULL behind the last. */
extern const char *const watermark_results[];

enum watermark_result watermark_check(const struct alloc_kernel *k, const struct watermark_zone *z,
				      const struct alloc_request *r, struct watermark_verdict *ret);
