/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DMA pools of drivers (dma_pool_create(), mm/dmapool.c), by the lists of all devices.  A holder is a pool:
 * "ehci_qtd of 0000:00:1d.0".  It counts its blocks since 6.3.
 */
#pragma once

#include "dump/memory_parts.h"

/* ST_ABSENT: built without them; ST_UNREADABLE, ST_CORRUPT: some pools, or parts of them, are missing. */
enum status dma_pools_walk(struct dump *d, const struct memory_parts *v);

/*
 * What dma_alloc_coherent() without sleep takes from (kernel/dma/pool.c, 5.8 and later): "atomic_pool_dma32", counted by
 * pool_size_dma32 and its like.  ST_ABSENT: this kernel has none.
 */
enum status dma_atomic_pools_walk(struct dump *d, const struct memory_parts *v);
