/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scan saw of System RAM.  scanned = live + freed + empty + undecodable;
 * scanned + skipped + unreadable = ram_pages, unless the scan was interrupted.
 */
#ifndef MEMOWNER_COVERAGE_H
#define MEMOWNER_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

struct coverage {
	uint64_t ram_pages;
	uint64_t scanned;
	uint64_t live;	      /* pages that are allocated */
	uint64_t freed;	      /* recorded once, free now */
	uint64_t empty;	      /* never recorded */
	uint64_t undecodable; /* the record or its stack makes no sense */
	uint64_t skipped;     /* no entry for them: no memory, or going offline */
	uint64_t unreadable;  /* the entry is not in this dump */
};

#endif
