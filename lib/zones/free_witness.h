/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many pages of a zone are free, by two witnesses: NR_FREE_PAGES, and its blocks (struct zone.free_area). */
#pragma once

#include "dump/dump.h"

struct free_witness {
	struct dump *dump;
	uint64_t areas, nr_free; /* offsets in struct zone and struct free_area */
	uint64_t isolated;	 /* in struct zone; 0: this kernel isolates none */
	uint64_t area_bytes;
	unsigned int orders; /* 0: not known, and blocks are not asked */
	uint64_t slack;	     /* pages that may be between the two at any time */
};

void free_witness_open(struct dump *d, unsigned int cpus, struct free_witness *ret);

/*
 * Why free, of the struct zone at an address with that many present pages, cannot be; NULL: it can.  unaccepted: of
 * free, in no block (NR_UNACCEPTED, 6.5).
 */
const char *free_witness_damage(const struct free_witness *f, uint64_t zone, uint64_t present,
				int64_t free, uint64_t unaccepted);
