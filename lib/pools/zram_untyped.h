/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Devices of zram where the types of its module are not loaded: struct zram points to its struct gendisk,
 * which points back, and to its struct zs_pool, which begins with the name of the disk.
 */
#pragma once

#include "pools/zram.h"

/*
 * Calls visit for each device that has a pool.  head: of zram_index_idr; total: pages of all zspages, by the
 * kernel's counter.  The pages of a pool are known where one word of all pools, and no other, adds up to that.
 */
enum status zram_untyped_walk(struct dump *d, uint64_t head, uint64_t total,
			      enum status (*visit)(void *arg, const struct zram_device *device),
			      void *arg);
