/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DMA pools of drivers (dma_pool_create(), mm/dmapool.c), by the lists of all devices.  A holder is a pool:
 * "ehci_qtd of 0000:00:1d.0".  It counts its blocks since 6.3.
 */
#pragma once

#include "dump/dump.h"
#include "dump/memory_parts.h"

/* ST_ABSENT: built without them; ST_UNREADABLE, ST_CORRUPT: some pools, or parts of them, are missing. */
enum status dma_pools_walk(struct dump *d, const struct memory_parts *v);
