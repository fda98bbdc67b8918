/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What TTM counts of pages that it takes for drivers of displays (drivers/gpu/drm/ttm), up to 7.1: since then the
 * kernel has them in nr_gpu_active and nr_gpu_reclaim.
 */
#pragma once

#include "dump/dump.h"

struct ttm_counter {
	const char *name, *variable;
};

/* Of buffers, and of pools: pages that no buffer has, which a shrinker frees. */
extern const struct ttm_counter ttm_counters[2];

/*
 * Pages, no more than max.  ST_ABSENT: TTM is not in vmlinux, nor a loaded module; ST_UNKNOWN: it has no such
 * variable.
 */
enum status ttm_counter_read(struct dump *d, const struct ttm_counter *c, uint64_t max,
			     uint64_t *pages);
