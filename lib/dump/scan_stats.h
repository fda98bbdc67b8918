/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scan saw of System RAM.  scanned = live + freed + empty + undecodable;
 * scanned + skipped + unreadable = ram_pages, unless the scan was interrupted.
 */
#ifndef MEMOWNER_DUMP_SCAN_STATS_H
#define MEMOWNER_DUMP_SCAN_STATS_H

#include <stdbool.h>
#include <stddef.h>
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

/* Each by its name in JSON. */
#define COVERAGE_PARTS 8
extern const struct coverage_part {
	const char *name;
	size_t offset;
} coverage_parts[COVERAGE_PARTS];

static inline uint64_t coverage_part(const struct coverage *c, size_t part)
{
	return *(const uint64_t *)((const char *)c + coverage_parts[part].offset);
}

static inline void coverage_set_part(struct coverage *c, size_t part, uint64_t v)
{
	*(uint64_t *)((char *)c + coverage_parts[part].offset) = v;
}

#endif
