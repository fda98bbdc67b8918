/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scan saw of System RAM.  scanned = live + freed + empty + undecodable;
 * scanned + skipped + unreadable = ram_pages, unless the scan was interrupted.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scan_stats {
	uint64_t ram_pages;
	uint64_t scanned;
	uint64_t live;	      /* pages that are allocated */
	uint64_t freed;	      /* recorded once, free now */
	uint64_t empty;	      /* never recorded */
	uint64_t undecodable; /* the record or its stack is corrupt */
	uint64_t skipped;     /* no entry for them: no memory, or going offline */
	uint64_t unreadable;  /* the entry is not in this dump */
	const char *ram_name; /* of struct ram; NULL: System RAM of a saved scan */
};

/* Each by its name in JSON. */
#define SCAN_STATS 8
extern const struct scan_stat {
	const char *name;
	size_t offset;
} scan_stat_names[SCAN_STATS];

static inline uint64_t scan_stat(const struct scan_stats *c, size_t part)
{
	return *(const uint64_t *)((const char *)c + scan_stat_names[part].offset);
}

static inline void scan_stat_set(struct scan_stats *c, size_t part, uint64_t v)
{
	*(uint64_t *)((char *)c + scan_stat_names[part].offset) = v;
}
