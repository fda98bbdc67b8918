/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounce buffers of devices that cannot reach all memory, which boot sets aside (kernel/dma/swiotlb.c). */
#pragma once

#include "dump/dump.h"

/*
 * Pages of the pool that boot has reserved, no more than max; 0: there is none, or it came from the page allocator.
 * ST_ABSENT: this kernel has no swiotlb; ST_CORRUPT: its ends and the number of its slots do not agree.
 */
enum status swiotlb_pages(struct dump *d, uint64_t max, uint64_t *pages);
