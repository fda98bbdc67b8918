/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What struct zone says besides its free blocks: sizes, watermarks, reserves, deferred compaction
 * (include/linux/mmzone.h).
 */
#pragma once

#include "dump/structure.h"
#include "zones/zones.h"

#define ZONE_RESERVES 8 /* lowmem_reserve[] by zone index */

enum zone_mark { MARK_MIN, MARK_LOW, MARK_HIGH, ZONE_MARKS };

struct zone_states {
	struct structure zone;
};

struct zone_state {
	uint64_t managed, spanned, present;
	uint64_t marks[ZONE_MARKS]; /* without the boost, which every use adds */
	uint64_t boost;
	bool has_boost, has_reserved_highatomic, has_free_highatomic, has_cma, has_deferral;
	bool has_considered, has_order_failed;
	/* Pages of pageblocks that are reserved for atomic allocations, and those of them free. */
	uint64_t reserved_highatomic, free_highatomic;
	int64_t reserve[ZONE_RESERVES];
	unsigned int reserves; /* how many there are */
	uint64_t cma;
	/* Compaction for order_failed and above is left out while considered is below 2^shift. */
	uint64_t defer_shift, considered;
	int64_t order_failed;
};

/* ST_UNKNOWN: no watermarks. */
enum status zone_states_open(struct dump *d, struct zone_states *ret);

/* ST_CORRUPT: figures that no zone has (__setup_per_zone_wmarks() in mm/page_alloc.c). */
enum status zone_state_read(const struct zone_states *z, const struct zone *zone,
			    struct zone_state *ret);

/* Whether compaction of a zone leaves out an order now (mm/compaction.c, compaction_deferred()). */
bool zone_defers_compaction(const struct zone_state *s, unsigned int order);
