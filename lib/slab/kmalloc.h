/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an object of kmalloc() takes: its slot in a cache, or the pages of a large one. */
#pragma once

#include "pages/page_type.h"
#include "slab/slub.h"

/*
 * Bytes that are free when the object at an address is.  ST_ABSENT: none, it has a page of the pool of KFENCE;
 * ST_CORRUPT: no object begins there.
 */
enum status kmalloc_bytes(struct slabs *s, struct page_types *types, uint64_t address,
			  uint64_t *ret);
